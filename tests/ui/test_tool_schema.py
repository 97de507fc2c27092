"""The schema of a call's tool, wherever it is kept."""

from dataclasses import replace

from tests.fakes.console import FakeConsole, sample_tools, waiting

from callgate.core.tool import HostedTool, ToolSpec
from callgate.engine.client_tools import ClientTool
from callgate.ui.tool_schema import schema_of

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}


def test_the_catalog_knows_its_own(console: FakeConsole) -> None:
    console.tool_list = list(sample_tools())
    schema = schema_of(console, waiting("read_file"))
    assert schema is not None and "path" in str(schema)
    assert schema_of(console, waiting("gone")) is None


def test_an_agents_own_tool_is_found_under_its_agent_only(console: FakeConsole) -> None:
    console.client_tool_list = [
        ClientTool("codex", "Read", ToolSpec("Read", schema={"type": "string"}), 0, 0),
        ClientTool("claude-code", "Read", ToolSpec("Read", schema=SCHEMA), 0, 0),
        ClientTool("claude-code", "web", HostedTool("anthropic", {}), 0, 0),
    ]
    assert schema_of(console, waiting("Read", owner="client")) == SCHEMA
    assert schema_of(console, waiting("web", owner="client")) is None


def test_free_text_has_none(console: FakeConsole) -> None:
    console.tool_list = list(sample_tools())
    assert schema_of(console, replace(waiting("read_file"), variant="custom")) is None


def test_a_tool_of_the_wire_itself_is_not_one_of_the_same_name(console: FakeConsole) -> None:
    console.tool_list = list(sample_tools())
    assert schema_of(console, replace(waiting("read_file"), variant="built_in")) is None
