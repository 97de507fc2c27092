from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.depth import examples
from tests.fakes.console import sample_tools
from tests.fakes.many_tools import many_tools

from callgate.core.catalog.lint import Finding
from callgate.core.tool import Tool
from callgate.engine.offer.tool_service import Usage
from callgate.ui.tools.facts import Facts
from callgate.ui.tools.query import read_query
from callgate.ui.tools.tool_index import ToolIndex

TOOLS = sample_tools()
FACTS = Facts(
    agents=("claude-code", "codex"),
    ask_enabled=lambda agent: frozenset({"git_status"} if agent == "codex" else {t.name for t in TOOLS if t.enabled}),
    used={("git", "git_commit"): Usage(7, 1.0), ("http", "get_weather"): Usage(1, 1.0)},
    findings={
        "write_file": (Finding("undescribed", "warning", "w.", "a."),),
        "read_file": (Finding("keyword", "hint", "w.", "a."),),
    },
)


def _index(tools: tuple[Tool, ...] = TOOLS) -> ToolIndex:
    index = ToolIndex()
    index.fill(tools)
    return index


def _found(text: str, index: ToolIndex | None = None) -> list[str]:
    """Names of the tools that fit, best first."""
    index = index or _index()
    matches = index.search(read_query(text), FACTS)
    places = list(matches.positions)
    if matches.scores is not None:
        places.sort(key=lambda at: -matches.scores[at])  # type: ignore[index]
    return [index.tools[at].name for at in places]


def test_nothing_typed_finds_everything() -> None:
    assert _found("") == [tool.name for tool in TOOLS]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("get_*", {"get_weather"}),
        ("git_?????s", {"git_status"}),
        ("*file", {"read_file", "write_file"}),
        ("tag:git", {"git_status", "git_commit"}),
        ("tag:fi* write", {"write_file"}),
        ("tag:files tag:edit", {"write_file"}),
        ("source:git status", {"git_status"}),
        ("source:git source:http", {"git_status", "git_commit", "get_weather"}),
        ("-source:built-in -source:git", {"get_weather"}),
        ("WEATHER", {"get_weather"}),
        ("shell", {"run_command"}),
        ('"shell command"', {"run_command"}),
        ("rf", {"read_file"}),
        ("file -write", {"read_file", "search_text"}),
        ("agent:codex", {"git_status"}),
        ("agent:c* -agent:codex tag:git", {"git_commit"}),
        ("readonly:yes", {"read_file", "search_text"}),
        ("readonly:no", {"write_file", "run_command"}),
        ("readonly:unknown tag:git", {"git_status", "git_commit"}),
        ("enabled:no", {"run_command"}),
        ("used:yes", {"git_commit", "get_weather"}),
        ("used:>1", {"git_commit"}),
        ("used:<2 -used:no", {"get_weather"}),
        ("used:=7", {"git_commit"}),
        ("lint:yes", {"write_file", "read_file"}),
        ("lint:warning", {"write_file"}),
        ("lint:keyword", {"read_file"}),
        ("lint:no tag:files", {"search_text"}),
        ("nothing_like_it", set()),
    ],
)
def test_what_is_typed_finds_the_right_tools(text: str, names: set[str]) -> None:
    assert set(_found(text)) == names


def test_a_match_in_the_name_comes_before_one_in_the_description() -> None:
    index = _index((Tool("list_all", "s", "Finds every file."), Tool("read_file", "s"), Tool("file_list", "s")))
    assert _found("file", index) == ["file_list", "read_file", "list_all"]


def test_one_letter_looks_at_names_alone() -> None:
    index = _index((Tool("abc", "s", "Has a z."), Tool("zoo", "s")))
    assert _found("z", index) == ["zoo"]


def test_what_is_the_same_object_is_not_read_again() -> None:
    index = _index()
    index.prepare()
    before = list(index._texts)
    index.fill((replace(TOOLS[0], description="Other."), *TOOLS[1:]))
    assert index.prepare() and index._texts[1] is before[1] and index._texts[0] is not before[0]


def test_reading_can_be_done_in_slices() -> None:
    index = _index(many_tools(5, 100))
    assert not index.prepare(0.0)
    while not index.prepare(0.001):
        pass
    assert len(index.search(read_query(""), FACTS).positions) == 500


def test_counting_leaves_the_search_alone() -> None:
    index = _index()
    _found("file", index)
    assert index.count(read_query("git"), FACTS) == 2
    assert _found("files", index) == _found("files")


WORDS = st.lists(st.text("gestrdif_*-", min_size=1, max_size=5), min_size=1, max_size=3)


@settings(deadline=None, max_examples=examples(60))
@given(WORDS)
def test_typing_letter_by_letter_finds_what_typing_at_once_finds(words: list[str]) -> None:
    """A search that narrows the one before it must not lose or keep what a fresh one would not."""
    tools = many_tools(3, 40)
    index, text = _index(tools), " ".join(words)
    for length in range(1, len(text) + 1):
        assert _found(text[:length], index) == _found(text[:length], _index(tools))
