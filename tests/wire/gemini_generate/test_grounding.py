"""What words rest on, in bytes and in characters."""

from typing import Any

from callgate.core.messages import Citation
from callgate.wire.gemini_generate.grounding import (
    Grounded,
    Segment,
    located,
    read_cited,
    read_grounding,
    segment_of,
    unread_grounding,
    write_grounding,
)

WEB: dict[str, Any] = {"web": {"uri": "https://a.example", "title": "A"}}
RETRIEVED: dict[str, Any] = {"retrievedContext": {"title": "notes", "text": "so it says"}}
TEXT = "Zürich: 3 °C."
PLACE = {"startIndex": 9, "endIndex": 14, "text": "3 °C"}


def grounding(**support: Any) -> dict[str, Any]:
    supports = [{"segment": {**PLACE, **support}, "groundingChunkIndices": [0, 7]}]
    return {"groundingChunks": [WEB, RETRIEVED], "groundingSupports": supports}


def test_a_place_rests_on_its_sources_and_a_source_without_a_place_on_all() -> None:
    placed, whole = read_grounding(grounding())
    assert (placed.citation.url, placed.segment) == ("https://a.example", Segment(9, 14, "3 °C"))
    assert (whole.citation.title, whole.citation.quote, whole.segment) == ("notes", "so it says", None)


def test_bytes_become_characters_of_the_part_that_holds_them() -> None:
    one = Grounded(Citation("u"), Segment(9, 14, "3 °C"))
    found = located(one, [(2, TEXT[:8]), (4, TEXT[8:])], {})
    assert found is not None
    part, citation = found
    assert (part, citation.start, citation.end) == (4, 0, 4)


def test_the_words_tell_from_where_a_server_counts() -> None:
    within_its_part = Grounded(Citation("u"), Segment(0, 5, "3 °C", part=1))
    found = located(within_its_part, [(0, TEXT)], {0: 0, 1: 9})
    assert found is not None and TEXT[found[1].start : found[1].end] == "3 °C"
    miscounted = Grounded(Citation("u"), Segment(2, 7, "3 °C"))
    found = located(miscounted, [(0, TEXT)], {})
    assert found is not None and TEXT[found[1].start : found[1].end] == "3 °C"


def test_a_place_that_is_not_in_the_text_is_no_place() -> None:
    found = located(Grounded(Citation("u"), Segment(90, 95, "xxxxx")), [(0, TEXT)], {})
    assert found == (0, Citation("u"))
    assert located(Grounded(Citation("u"), None), [], {}) is None


def test_what_is_written_is_what_was_read() -> None:
    cited = [Citation("https://a.example", "A", start=8, end=12), Citation(title="notes", quote="so it says")]
    written = write_grounding([Grounded(one, segment_of(one, TEXT)) for one in cited], with_parts=False)
    assert written["groundingMetadata"] == {
        "groundingChunks": [WEB, RETRIEVED],
        "groundingSupports": [{"segment": PLACE, "groundingChunkIndices": [0]}],
    }


def test_passages_that_a_model_repeats_go_back_where_they_came_from() -> None:
    entry = {"startIndex": 0, "endIndex": 7, "uri": "https://b.example", "license": "MIT"}
    (one,) = read_cited({"citationSources": [entry]})
    assert (one.citation.url, one.segment) == ("https://b.example", Segment(0, 7))
    assert write_grounding([one], with_parts=False) == {"citationMetadata": {"citations": [entry]}}
    assert unread_grounding({"citationMetadata": {"citations": [entry]}}) == [
        ("candidates.citationMetadata.license", "MIT")
    ]


def test_a_repeated_passage_has_a_range_and_no_other_place() -> None:
    (one,) = read_cited({"citations": [{"startIndex": 0, "endIndex": 7, "uri": "https://b.example"}]})
    placed = Grounded(one.citation, Segment(2, 9, "Zürich", part=1))
    assert write_grounding([placed], with_parts=True) == {
        "citationMetadata": {"citations": [{"startIndex": 2, "endIndex": 9, "uri": "https://b.example"}]}
    }


def test_what_is_not_read_is_found() -> None:
    metadata = grounding(x=1) | {"webSearchQueries": ["q"]}
    assert [name for name, _ in unread_grounding({"groundingMetadata": metadata})] == [
        "candidates.groundingMetadata.webSearchQueries",
        "candidates.groundingMetadata.groundingSupports.segment.x",
    ]


def test_rubbish_is_nothing() -> None:
    assert [*read_grounding("x"), *read_cited(None), *read_grounding({"groundingSupports": [{"segment": 1}]})] == []
    assert unread_grounding({"groundingMetadata": 3}) == []
