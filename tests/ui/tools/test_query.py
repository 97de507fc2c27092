import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.console import sample_tools

from callgate.core.tool import Tool
from callgate.ui.tools.query import Query, finds_tag, highlights, read_query, score


def _found(text: str) -> list[str]:
    """Names of the sample tools that fit, best first."""
    query = read_query(text)
    scored = [(score(tool, query), tool.name) for tool in sample_tools()]
    return [name for points, name in sorted(scored, key=lambda pair: -pair[0]) if points]


def test_tokens_are_told_apart() -> None:
    query = read_query("  Read get_* tag:files source:git ")
    assert query == Query(words=("read",), globs=("get_*",), tags=("files",), sources=("git",))


def test_nothing_typed_finds_everything() -> None:
    assert read_query("   ").is_empty
    assert len(_found("")) == len(sample_tools())


def test_a_token_without_its_value_yet_hides_nothing() -> None:
    assert len(_found("tag:")) == len(_found("source:")) == len(sample_tools())


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("get_*", {"get_weather"}),
        ("git_?????s", {"git_status"}),
        ("*file", {"read_file", "write_file"}),
        ("tag:git", {"git_status", "git_commit"}),
        ("tag:fi* write", {"write_file"}),
        ("source:git status", {"git_status"}),
        ("WEATHER", {"get_weather"}),
        ("shell", {"run_command"}),
        ("nothing_like_it", set()),
    ],
)
def test_what_is_typed_finds_the_right_tools(text: str, names: set[str]) -> None:
    assert set(_found(text)) == names


def test_a_match_in_the_name_comes_before_one_in_the_description() -> None:
    tools = [Tool("list_all", "s", "Finds every file."), Tool("file_list", "s"), Tool("read_file", "s")]
    query = read_query("file")
    names = [tool.name for tool in sorted(tools, key=lambda tool: -score(tool, query))]
    assert names == ["file_list", "read_file", "list_all"]


def test_initials_of_a_name_find_it() -> None:
    assert _found("rf") == ["read_file"]


def test_all_words_must_fit() -> None:
    assert _found("file write") == ["write_file"]
    assert _found("file weather") == []


def test_square_brackets_are_plain_characters() -> None:
    assert score(Tool("a[b]c", "s"), read_query("a[b]*")) > 0


@pytest.mark.parametrize(
    ("name", "text", "ranges"),
    [
        ("read_file", "file", [(5, 4)]),
        ("read_file", "re fi", [(0, 2), (5, 2)]),
        ("read_file", "read ad_", [(0, 5)]),
        ("get_weather", "get_*", [(0, 4)]),
        ("get_weather", "zzz", []),
    ],
)
def test_the_typed_words_are_marked_in_the_name(name: str, text: str, ranges: list[tuple[int, int]]) -> None:
    assert highlights(name, read_query(text)) == ranges


@settings(deadline=None)
@given(st.text(max_size=20), st.text(max_size=20))
def test_marks_always_lie_inside_of_the_name_in_order(name: str, text: str) -> None:
    end = 0
    for start, length in highlights(name, read_query(text)):
        assert start >= end and length > 0 and start + length <= len(name)
        end = start + length


def test_a_tag_that_explains_the_match_is_known() -> None:
    assert finds_tag("files", read_query("fi"))
    assert finds_tag("files", read_query("tag:files"))
    assert not finds_tag("edit", read_query("tag:files"))
