from tests.fakes.console import sample_tools

from callgate.ui.tools.facts import Facts
from callgate.ui.tools.grouping import Grouping, Stock
from callgate.ui.tools.panel import Arrangement
from callgate.ui.tools.query import read_query

TOOLS = sample_tools()


def _shown(text: str, by: Grouping = "source") -> list[tuple[str, list[str]]]:
    arrangement = Arrangement()
    arrangement.set_grouping(by)
    arrangement.fill(Stock(TOOLS, len(TOOLS), sources=("empty",)))
    sections = arrangement.sections(read_query(text), Facts())
    return [(section.group.title, [TOOLS[at].name for at in section.shown]) for section in sections]


def test_without_a_filter_all_groups_are_shown_the_empty_ones_too() -> None:
    assert [title for title, _ in _shown("")] == ["built-in", "git", "http", "empty"]


def test_a_filter_leaves_only_groups_with_something_in_them() -> None:
    assert _shown("tag:git") == [("git", ["git_status", "git_commit"])]


def test_the_group_with_the_best_match_comes_first_and_in_it_the_best_match() -> None:
    assert _shown("commit")[0] == ("git", ["git_commit"])
    assert _shown("write")[0] == ("built-in", ["write_file"])
    assert _shown("file")[0][1][:2] == ["read_file", "write_file"]


def test_another_grouping_shows_the_same_tools() -> None:
    assert {name for _, names in _shown("git", "tag") for name in names} == {"git_status", "git_commit"}
