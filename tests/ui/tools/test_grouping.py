from tests.fakes.console import sample_tools

from callgate.core.tool import CLIENT_SOURCE, Tool
from callgate.core.toolset import Toolset
from callgate.ui.tools.grouping import Group, Stock, grouped

TOOLS = sample_tools()
OWN = Tool("mine", CLIENT_SOURCE)
STOCK = Stock(
    [*TOOLS, OWN],
    len(TOOLS),
    ["codex"],
    (Toolset("reading", ("search_text", "read_file", "gone")),),
    ("claude-code", "codex"),
    ("built-in", "broken"),
)


def _told(groups: list[Group]) -> list[tuple[str, list[str]]]:
    return [(group.title, [STOCK.tools[at].name for at in group.positions]) for group in groups]


def test_by_source_they_come_in_the_order_of_the_catalog_and_empty_sources_last() -> None:
    told = _told(grouped(STOCK, "source"))
    assert [title for title, _ in told] == ["built-in", "git", "http", "broken", "Client tools"]
    assert told[1] == ("git", ["git_status", "git_commit"]) and told[3] == ("broken", [])
    assert not grouped(STOCK, "source")[-1].switchable


def test_by_tag_a_tool_stands_under_each_of_its_tags() -> None:
    told = dict(_told(grouped(Stock([*TOOLS, Tool("bare", "s")], len(TOOLS) + 1), "tag")))
    assert told["files"] == ["read_file", "search_text", "write_file"]
    assert told["edit"] == ["write_file", "git_commit"]
    assert list(told) == [*sorted(title for title in told if title != "Without a tag"), "Without a tag"]


def test_by_toolset_each_has_its_own_order_and_the_rest_comes_last() -> None:
    told = _told(grouped(STOCK, "toolset"))
    assert told[0] == ("reading", ["search_text", "read_file"])
    assert told[1][0] == "In no toolset" and "search_text" not in told[1][1] and len(told[1][1]) == 5


def test_by_agent_each_has_the_whole_catalog_and_what_it_brings_along() -> None:
    groups = grouped(STOCK, "agent")
    assert [group.title for group in groups] == ["claude-code", "codex", "codex: its own"]
    assert [len(group.positions) for group in groups] == [7, 7, 1]
    assert [(group.agent, group.switchable) for group in groups[1:]] == [("codex", True), ("codex", False)]
