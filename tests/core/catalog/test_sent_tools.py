"""What became of each tool between the client and the provider."""

from callgate.core.catalog.left_out import LeftOut
from callgate.core.catalog.sent_tools import sent_tools
from callgate.core.tool import HostedTool, ToolSpec

READ = ToolSpec("read", "Reads", {"type": "object", "title": "R", "properties": {"path": {"type": "string"}}})
WRITE = ToolSpec("write", "Writes", {"type": "object"})


def test_added_changed_and_dropped_tools_are_told_apart() -> None:
    reached = (ToolSpec("read", "Reads", {"type": "object", "properties": {"path": {"type": "string"}}}), WRITE)
    told = sent_tools((READ,), (READ, WRITE), reached, (LeftOut("off", "git", ("x",), 1),), ("logprobs",))
    read, write = told.tools
    assert (read.origin, read.fate, read.changes) == ("client", "changed", ("dropped title",))
    assert (write.origin, write.fate) == ("callgate", "sent")
    assert told.from_client == (read,) and told.added == (write,) and told.reached == 2
    assert told.left_out[0].why == "off" and told.warnings == ("logprobs",)


def test_a_renamed_tool_is_recognised_by_its_place_or_its_words() -> None:
    told = sent_tools((READ, WRITE), (READ, WRITE), (ToolSpec("read_1", "Reads", READ.schema), WRITE))
    assert told.tools[0].sent_as == "read_1" and told.tools[0].changes == ("renamed to read_1",)
    more = sent_tools((READ,), (READ, WRITE), (ToolSpec("w", "Writes", WRITE.schema),))
    assert [(tool.fate, tool.sent_as) for tool in more.tools] == [("dropped", ""), ("changed", "w")]


def test_a_clients_tool_that_was_not_offered_shows_as_dropped() -> None:
    told = sent_tools((READ, WRITE), (READ,), (READ,))
    assert [(tool.name, tool.fate) for tool in told.tools] == [("read", "sent"), ("write", "dropped")]
    assert told.reached == 1


def test_what_cannot_be_read_back_is_said() -> None:
    told = sent_tools((READ,), (READ,), None)
    assert not told.is_known and told.tools[0].fate == "sent"


def test_tools_that_the_provider_runs_have_a_name_too() -> None:
    search = HostedTool("anthropic", {"type": "web_search_20250305", "name": "web_search"})
    told = sent_tools((search,), (search,), (search,))
    assert told.tools[0].name == "web_search" and told.tools[0].fate == "sent"
