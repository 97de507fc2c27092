"""What the words of a message rest on."""

from callgate.core.messages import Citation, Text
from callgate.wire.openai_chat.annotations import annotations_of, read_annotations, unread_annotations, write_annotation

PAGE = {"start_index": 3, "end_index": 5, "title": "A", "url": "https://a.example"}
ENTRY = {"type": "url_citation", "url_citation": PAGE}


def test_a_page_is_read_with_its_place() -> None:
    (citation,) = read_annotations([ENTRY])
    assert (citation.url, citation.title, citation.start, citation.end) == ("https://a.example", "A", 3, 5)


def test_a_place_that_is_none_is_not_believed() -> None:
    (citation,) = read_annotations([{**ENTRY, "url_citation": {**PAGE, "end_index": 1}}])
    assert (citation.start, citation.end) == (None, None)


def test_places_are_counted_over_the_whole_content() -> None:
    cited = Citation("https://b.example", "B", start=1, end=2)
    parts = (Text("abcd"), Text("efg", citations=(cited, Citation("https://c.example"))))
    first, second = annotations_of(parts)
    assert first["url_citation"] == {"start_index": 5, "end_index": 6, "title": "B", "url": "https://b.example"}
    assert (second["url_citation"]["start_index"], second["url_citation"]["end_index"]) == (4, 7)


def test_what_came_over_this_wire_goes_back_word_for_word() -> None:
    new = {"type": "url_citation", "url_citation": {**PAGE, "x": 1}, "y": 2}
    other = {"type": "file", "file": {"name": "a"}}
    assert [write_annotation(one, 0, 9) for one in read_annotations([new, other])] == [new, other]
    assert unread_annotations([new], "a.") == [("a.y", 2), ("a.url_citation.x", 1)]


def test_a_document_of_another_wire_has_no_word_here() -> None:
    assert write_annotation(Citation(title="doc", wire="anthropic", spelled={"type": "char_location"}), 0, 9) is None
