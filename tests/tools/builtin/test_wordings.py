from pathlib import Path

from callgate.core.calls.wording import unknown_places
from callgate.core.config.settings import ToolsSettings
from callgate.core.tool import is_confined
from callgate.tools.builtin.definition import WORDINGS
from callgate.tools.builtin.registry import RegistryOptions, builtin_source
from callgate.tools.confinement import Confinement
from callgate.tools.process.sandbox import Sandbox


def test_every_built_in_tool_speaks_of_its_calls_and_only_of_its_own_arguments(tmp_path: Path) -> None:
    source = builtin_source(Confinement(tmp_path), tmp_path / "data", RegistryOptions(web=True))
    tools = {tool.name: tool for tool in source.tools()}
    assert set(WORDINGS) == set(tools)
    for tool in tools.values():
        assert tool.wording.title and tool.wording.invocation_message and tool.wording.past_tense_message, tool.name
        assert unknown_places(tool.wording, tool.schema) == [], tool.name


def test_a_command_in_a_sandbox_is_not_said_to_run_with_all_rights(tmp_path: Path) -> None:
    workspace = Confinement(tmp_path)
    for sandbox in (None, Sandbox(workspace, ToolsSettings())):
        source = builtin_source(workspace, tmp_path / "data", RegistryOptions(sandbox=sandbox))
        tool = next(tool for tool in source.tools() if tool.name == "run_command")
        assert ("your own rights" in tool.wording.disclaimer) is not is_confined(tool.wall)
