from pathlib import Path

from callgate.tools.builtin.files import file_tools
from callgate.tools.builtin.undo_store import UndoStore
from callgate.tools.confinement import Confinement

READING = {"read_file", "list_directory", "find_files", "search_text"}
CHANGING = {
    "write_file",
    "create_file",
    "edit_file",
    "delete_file",
    "create_directory",
    "move_file",
    "undo_file_change",
}


def test_reading_and_changing_tools_say_which_they_are(workspace: Confinement, tmp_path: Path) -> None:
    tools = {entry.tool.name: entry.tool for entry in file_tools(workspace, UndoStore(tmp_path, workspace.root))}
    assert tools.keys() == READING | CHANGING
    for name, tool in tools.items():
        assert tool.tags == (("files", "read-only") if name in READING else ("files", "write"))
        assert tool.annotations.read_only is (name in READING)
        assert tool.annotations.open_world is False


def test_tools_that_take_something_away_say_so(workspace: Confinement, tmp_path: Path) -> None:
    entries = file_tools(workspace, UndoStore(tmp_path, workspace.root))
    destructive = {entry.tool.name for entry in entries if entry.tool.annotations.destructive}
    assert destructive == {"write_file", "edit_file", "delete_file", "move_file", "undo_file_change"}


def test_what_can_be_undone_is_marked_and_an_undo_itself_is_not(workspace: Confinement, tmp_path: Path) -> None:
    entries = file_tools(workspace, UndoStore(tmp_path, workspace.root))
    assert {entry.tool.name for entry in entries if entry.tool.undoable} == CHANGING - {"undo_file_change"}
