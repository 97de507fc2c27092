"""A made-up call is judged as a real one would be."""

from tests.fakes.console import FakeConsole, sample_tools

from callgate.core.tool import CLIENT_SOURCE, ToolSpec
from callgate.engine.offer.client_tools import ClientTool
from callgate.ui.settings.made_up_call import made_up_call


def test_a_tool_of_the_catalog_brings_its_source_and_definition(console: FakeConsole) -> None:
    console.tool_list = list(sample_tools())
    known = {tool.name: tool for tool in sample_tools()}["run_command"]
    call = made_up_call(console, "run_command", '{"command": "git status; ls"}', "claude-code")
    assert (call.source, call.fingerprint, call.agent) == (known.source, known.fingerprint, "claude-code")
    assert call.targets is not None and call.targets.commands == ("git status", "ls")


def test_a_name_that_nobody_knows_is_an_agents_own_and_no_arguments_are_empty_ones(console: FakeConsole) -> None:
    call = made_up_call(console, "Read", "  ")
    assert (call.source, call.arguments) == (CLIENT_SOURCE, "{}")


def test_an_agents_own_tool_is_not_judged_as_its_namesake_of_the_catalog(console: FakeConsole) -> None:
    console.tool_list = list(sample_tools())
    own = ToolSpec("read_file", schema={"type": "object"})
    console.client_tool_list = [ClientTool("claude-code", "read_file", own, 0, 0)]
    call = made_up_call(console, "read_file", "{}", "claude-code")
    assert (call.source, call.fingerprint) == (CLIENT_SOURCE, own.fingerprint)
    assert made_up_call(console, "read_file", "{}", "codex").source == "built-in", "that agent brings none"
