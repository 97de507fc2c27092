import stat
import threading

import pytest

from callgate.tools.builtin.source import ToolProblem
from callgate.tools.builtin.undo import Undo
from callgate.tools.builtin.write_files import FileWriter
from callgate.tools.confinement import OutsideWorkspace


def test_changes_are_undone_one_by_one_from_the_last(writer: FileWriter, undo: Undo, go_on: threading.Event) -> None:
    file = writer.workspace.root / "file.txt"
    file.write_bytes(b"one\r\n")
    file.chmod(0o750)
    writer.write_file({"path": "file.txt", "content": "two\n"}, go_on)
    writer.edit_file({"path": "file.txt", "old_text": "two", "new_text": "three"}, go_on)
    writer.delete_file({"path": "file.txt"}, go_on)
    assert undo.undo_file_change({}, go_on) == "Brought back file.txt"
    assert file.read_bytes() == b"three\r\n" and stat.S_IMODE(file.stat().st_mode) == 0o750
    assert undo.undo_last() == "Put back what file.txt held before"
    assert file.read_bytes() == b"two\r\n"
    undo.undo_last()
    assert file.read_bytes() == b"one\r\n"
    with pytest.raises(ToolProblem, match="No change is left"):
        undo.undo_last()


def test_the_last_change_of_one_file_is_undone(writer: FileWriter, undo: Undo, go_on: threading.Event) -> None:
    writer.create_file({"path": "a.txt", "content": "a"}, go_on)
    writer.create_file({"path": "b.txt", "content": "b"}, go_on)
    assert undo.undo_last("./sub/../a.txt") == "Removed a.txt, which had been created"
    assert not (writer.workspace.root / "a.txt").exists() and (writer.workspace.root / "b.txt").exists()
    with pytest.raises(ToolProblem, match=r"No change of a\.txt"):
        undo.undo_last("a.txt")


def test_what_somebody_has_changed_since_is_left_alone(writer: FileWriter, undo: Undo, go_on: threading.Event) -> None:
    file = writer.workspace.root / "file.txt"
    writer.write_file({"path": "file.txt", "content": "tool's\n"}, go_on)
    file.write_text("person's\n", "utf-8")
    with pytest.raises(ToolProblem, match="has been changed since"):
        undo.undo_last()
    assert file.read_text("utf-8") == "person's\n"
    writer.delete_file({"path": "file.txt"}, go_on)
    file.write_text("again\n", "utf-8")
    with pytest.raises(ToolProblem, match="has been changed since"):
        undo.undo_last()


def test_a_move_is_undone(writer: FileWriter, undo: Undo, go_on: threading.Event) -> None:
    root = writer.workspace.root
    writer.move_file({"path": "file.txt", "new_path": "new/x.txt"}, go_on)
    assert undo.undo_last("new/x.txt") == "Moved new/x.txt back to file.txt"
    assert (root / "file.txt").read_text("utf-8") == "inside\n"
    writer.move_file({"path": "file.txt", "new_path": "new/x.txt"}, go_on)
    (root / "file.txt").write_text("newer", "utf-8")
    with pytest.raises(ToolProblem, match=r"another file\.txt now"):
        undo.undo_last()
    (root / "new" / "x.txt").unlink()
    with pytest.raises(ToolProblem, match="not there any more"):
        undo.undo_last()


def test_folders_that_were_made_are_removed_unless_in_use(
    writer: FileWriter, undo: Undo, go_on: threading.Event
) -> None:
    root = writer.workspace.root
    writer.create_directory({"path": "sub/a/b"}, go_on)
    assert undo.undo_last() == "Removed the directory sub/a/b"
    assert not (root / "sub" / "a").exists() and (root / "sub").is_dir()
    writer.create_directory({"path": "sub/a/b"}, go_on)
    (root / "sub" / "a" / "b" / "mine").touch()
    with pytest.raises(ToolProblem, match="not empty"):
        undo.undo_last()
    assert (root / "sub" / "a" / "b" / "mine").exists()


def test_undo_does_not_reach_outside(undo: Undo) -> None:
    with pytest.raises(OutsideWorkspace):
        undo.undo_last("../secret.txt")
