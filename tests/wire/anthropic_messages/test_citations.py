"""What the words of a block rest on."""

from callgate.core.messages import Citation, Text
from callgate.wire.anthropic_messages.blocks import NOT_PROVEN, without_foreign_citations, write_text
from callgate.wire.anthropic_messages.citations import cited_blocks, read_citations, unread_citation, write_citation

WEB = {
    "type": "web_search_result_location",
    "cited_text": "cold",
    "encrypted_index": "proof",
    "title": "A",
    "url": "https://a.example",
}
CACHED = {"cache_control": {"type": "ephemeral"}}
DOCUMENT = {"type": "char_location", "cited_text": "b", "document_index": 1, "document_title": "notes"}


def page(start: int | None, end: int | None, url: str = "https://b.example") -> Citation:
    return Citation(url, "B", start=start, end=end)


def test_all_of_a_block_rests_on_what_it_cites() -> None:
    web, document = read_citations([WEB, DOCUMENT, None], 7)
    assert (web.url, web.title, web.quote, web.start, web.end) == ("https://a.example", "A", "cold", 0, 7)
    assert (document.url, document.title, document.quote) == ("", "notes", "b")


def test_the_source_of_a_search_result_is_a_page_where_it_is_an_address() -> None:
    sources = [{"type": "search_result_location", "source": source} for source in ("https://a.example", "shelf 4")]
    assert [(one.url, one.title) for one in read_citations(sources, 1)] == [
        ("https://a.example", "https://a.example"),
        ("", "shelf 4"),
    ]


def test_what_came_over_this_wire_goes_back_word_for_word() -> None:
    assert [write_citation(one) for one in read_citations([WEB, DOCUMENT], 7)] == [WEB, DOCUMENT]
    assert unread_citation(DOCUMENT) == [("content.text.citations.document_index", 1)]


def test_a_page_of_another_wire_is_a_search_result_without_a_proof() -> None:
    written = write_citation(page(0, 1))
    assert written is not None
    assert (written["type"], written["url"], written["encrypted_index"]) == (
        WEB["type"],
        "https://b.example",
        NOT_PROVEN,
    )
    assert write_citation(Citation(title="doc")) is None


def test_a_text_is_cut_where_a_citation_begins_and_ends() -> None:
    blocks = cited_blocks(Text("It is 3 °C today.", citations=(page(6, 10),)))
    assert [block["text"] for block in blocks] == ["It is ", "3 °C", " today."]
    assert ["citations" in block for block in blocks] == [False, True, False]


def test_citations_that_overlap_share_the_words_that_rest_on_both() -> None:
    blocks = cited_blocks(Text("abcdef", citations=(page(0, 4), page(2, 6, "https://c.example"))))
    assert [(block["text"], len(block["citations"])) for block in blocks] == [("ab", 1), ("cd", 2), ("ef", 1)]


def test_no_block_is_only_white_space() -> None:
    blocks = cited_blocks(Text("ab  cd", citations=(page(0, 2), page(4, 6))))
    assert [block["text"] for block in blocks] == ["ab  ", "cd"]


def test_a_citation_without_a_place_is_of_the_whole_text() -> None:
    (block,) = cited_blocks(Text("abc", citations=(page(None, None), page(2, 9))))
    assert block["text"] == "abc" and len(block["citations"]) == 2


def test_what_another_provider_cited_does_not_come_back_to_anthropic() -> None:
    foreign = write_citation(page(0, 1))
    text = Text("abc", {"citations": [foreign, WEB], "cache_control": {"type": "ephemeral"}})
    assert write_text(text, same=True) == {"type": "text", "text": "abc", "citations": [WEB], **CACHED}
    assert write_text(Text("abc", {"citations": [foreign], **CACHED}), same=True) == {
        "type": "text",
        "text": "abc",
        **CACHED,
    }
    untouched = {"citations": [WEB]}
    assert without_foreign_citations(untouched) is untouched
