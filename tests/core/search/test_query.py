"""Whatever is typed means something."""

import pytest

from callgate.core.search.query import SearchQuery, Word, fits, read_query


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("", SearchQuery()),
        ("  ?! ", SearchQuery()),
        ("flaky test", SearchQuery((Word("flaky"), Word("test")))),
        ('"two words" three', SearchQuery((Word("two words", exact=True), Word("three")))),
        ('"still typ', SearchQuery((Word("still typ"),))),
        ("agent:codex AGENT:x", SearchQuery(agents=("codex", "x"))),
        ('tool:"read file" tag:bug model:gpt-* x', SearchQuery((Word("x"),), (), ("gpt-*",), ("read file",), ("bug",))),
        ("agent:", SearchQuery((Word("agent:"),))),
        ('agent:""', SearchQuery()),
        ("http://x.test a:b", SearchQuery((Word("http://x.test"), Word("a:b")))),
        ("same same", SearchQuery((Word("same"),))),
        ("nul\0l", SearchQuery((Word("nul"), Word("l")))),
    ],
)
def test_a_query_is_read(typed: str, meant: SearchQuery) -> None:
    assert read_query(typed) == meant


def test_a_pasted_page_becomes_no_endless_query() -> None:
    assert len(read_query(" ".join(map(str, range(1000)))).words) == 12


def test_names_fit_by_any_part_or_by_pattern() -> None:
    assert fits("claude-code", "CODE") and fits("gpt-5-mini", "gpt-?-*")
    assert not fits("gpt-5-mini", "gpt-?") and not fits("codex", "claude")
