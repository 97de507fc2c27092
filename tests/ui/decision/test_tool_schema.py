"""The schema of a call's tool, wherever it is kept."""

from dataclasses import replace

from tests.fakes.console import FakeConsole, sample_tools, waiting

from callgate.core.tool import Annotations, HostedTool, ToolSpec
from callgate.engine.offer.client_tools import ClientTool
from callgate.ui.decision.tool_schema import facts_about, schema_of

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


def test_of_two_tools_of_one_name_the_one_that_will_run_is_meant(console: FakeConsole) -> None:
    built_in = next(tool for tool in sample_tools() if tool.name == "read_file")
    console.tool_list = [built_in, replace(built_in, source="files", schema=SCHEMA, annotations=Annotations())]
    console.client_tool_list = [ClientTool("claude-code", "read_file", ToolSpec("read_file", schema={"a": 1}), 0, 0)]
    here, there = waiting("read_file"), replace(waiting("read_file"), source="files")
    own = waiting("read_file", owner="client")
    assert (schema_of(console, here), schema_of(console, there)) == (built_in.schema, SCHEMA)
    assert schema_of(console, own) == {"a": 1}
    told = [facts_about(console, call) for call in (here, there, own)]
    assert [fact.words for known in told for fact in (*known.declared, *known.unknown)] == [
        "Declared read-only",
        "Unknown whether it changes anything",
        "Unknown: runs in the agent, where Callgate cannot see it",
    ]


def test_a_tool_of_the_catalog_that_the_agent_runs_keeps_its_schema_and_loses_its_facts(console: FakeConsole) -> None:
    console.tool_list = list(sample_tools())
    console.client_tool_list = [ClientTool("claude-code", "read_file", ToolSpec("read_file", schema={"a": 1}), 0, 0)]
    call = replace(waiting("read_file"), owner="client")
    assert schema_of(console, call) == console.tool_list[0].schema
    assert facts_about(console, call).declared == ()
