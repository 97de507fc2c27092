import asyncio
from pathlib import Path

from callgate.core.calls.preview import CommandPreview, DiffPreview, UrlPreview
from callgate.tools.arguments import ArgumentChecker
from callgate.tools.builtin.registry import RegistryOptions, builtin_source
from callgate.tools.catalog import Catalog
from callgate.tools.confinement import Confinement
from callgate.tools.source import CallContext

CONTEXT = CallContext("call_1", "conv_1", lambda text, done, total: None)
NAMES = {
    *("read_file", "list_directory", "find_files", "search_text"),
    *("write_file", "create_file", "edit_file", "delete_file", "create_directory", "move_file", "undo_file_change"),
    *("workspace_tree", "git_status", "git_diff", "git_log"),
    *("find_definition", "find_references", "list_symbols", "hover"),
    *("check_file", "check_workspace"),
    *("run_command", "list_jobs", "read_job_output", "kill_job"),
}


def test_all_tools_are_there_and_the_web_only_when_it_is_switched_on(workspace: Confinement, tmp_path: Path) -> None:
    assert {tool.name for tool in builtin_source(workspace, tmp_path).tools()} == NAMES
    with_web = builtin_source(workspace, tmp_path, RegistryOptions(web=True)).tools()
    assert {tool.name for tool in with_web} == NAMES | {"fetch_url"}


def test_every_definition_is_whole(workspace: Confinement, tmp_path: Path) -> None:
    for tool in builtin_source(workspace, tmp_path, RegistryOptions(web=True)).tools():
        assert tool.title and tool.description and tool.tags and tool.source == "built-in"
        assert tool.annotations.read_only is not None and tool.annotations.destructive is not None
        properties = tool.schema["properties"]
        assert isinstance(properties, dict)
        assert all(isinstance(one, dict) and one["description"] for one in properties.values())


def test_a_whole_round_of_calls_goes_through_the_catalog(workspace: Confinement, tmp_path: Path) -> None:
    checker = ArgumentChecker()

    async def scenario() -> list[str]:
        catalog = Catalog([builtin_source(workspace, tmp_path / "data")])
        said: list[str] = []
        for name, arguments in (
            ("create_file", '{"path": "a.py", "content": "x = 1\\n"}'),
            ("edit_file", '{"path": "a.py", "old_text": "1", "new_text": "2"}'),
            ("run_command", '{"command": "cat a.py"}'),
            ("list_symbols", '{"path": "a.py"}'),
            ("undo_file_change", "{}"),
            ("read_file", '{"path": "a.py"}'),
            ("delete_file", '{"path": "../secret.txt"}'),
        ):
            tool = catalog.get(name)
            assert tool is not None
            outcome = await catalog.call(name, checker.read(tool, arguments), CONTEXT)
            said.append(f"{'error: ' if outcome.is_error else ''}{outcome.parts[0].text}")  # type: ignore[union-attr]
        await catalog.close()
        return said

    assert asyncio.run(scenario()) == [
        "Created a.py with 6 bytes",
        "Replaced 1 occurrence in a.py",
        "x = 2\n[exit code 0]",
        "1: variable x",
        "Put back what a.py held before",
        "x = 1\n",
        "error: '../secret.txt' is outside the workspace",
    ]


def test_previews_are_made_for_what_changes_or_leaves_the_machine(workspace: Confinement, tmp_path: Path) -> None:
    source = builtin_source(workspace, tmp_path, RegistryOptions(web=True))
    tools = {tool.name: tool for tool in source.tools()}
    assert isinstance(source.preview(tools["write_file"], {"path": "x", "content": "y"}), DiffPreview)
    assert isinstance(source.preview(tools["run_command"], {"command": "ls"}), CommandPreview)
    assert isinstance(source.preview(tools["fetch_url"], {"url": "https://example.com/"}), UrlPreview)
    assert source.preview(tools["git_log"], {}) is None
