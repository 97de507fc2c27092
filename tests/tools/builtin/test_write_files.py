import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from callgate.core.messages import Json
from callgate.tools.builtin.source import Stopped, ToolProblem
from callgate.tools.builtin.undo_store import UndoStore
from callgate.tools.builtin.write_files import FileWriter
from callgate.tools.confinement import Confinement, OutsideWorkspace

ESCAPES = [
    "..",
    "../secret.txt",
    "../new.txt",
    "sub/../../secret.txt",
    "/etc/callgate-test",
    "//etc/callgate-test",
    "up",
    "up/secret.txt",
    "up/new.txt",
    "leak",
    "dangling",
    "up/work-beside/x",
    "../work-beside/x",
    "./../secret.txt",
    "sub/./../../secret.txt",
    "/",
    "file.txt\x00.png",
    "\x00",
    "/proc/self/root/tmp/callgate-test",
    "sub/../up/secret.txt",
    "inside-link/../../secret.txt",
]
CALLS: dict[str, list[dict[str, Json]]] = {
    "write_file": [{"path": "@", "content": "x"}],
    "create_file": [{"path": "@", "content": "x"}],
    "edit_file": [{"path": "@", "old_text": "outside", "new_text": "x"}],
    "delete_file": [{"path": "@"}],
    "create_directory": [{"path": "@"}],
    "move_file": [{"path": "@", "new_path": "taken.txt"}, {"path": "file.txt", "new_path": "@"}],
}


def everything(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() and not path.is_symlink() else None
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize("path", ESCAPES)
@pytest.mark.parametrize(
    ("tool", "arguments"), [(tool, arguments) for tool, calls in CALLS.items() for arguments in calls]
)
def test_no_writing_tool_leaves_the_workspace(
    writer: FileWriter, tmp_path: Path, go_on: threading.Event, tool: str, arguments: dict[str, Json], path: str
) -> None:
    before = everything(tmp_path)
    filled = {key: path if value == "@" else value for key, value in arguments.items()}
    with pytest.raises(OutsideWorkspace):
        getattr(writer, tool)(filled, go_on)
    assert everything(tmp_path) == before
    assert not Path("/etc/callgate-test").exists() and not Path("/tmp/callgate-test").exists()


@pytest.mark.parametrize("path", [".git/config", ".git/hooks/pre-commit", "sub/.git/config", ".GIT/config", "."])
@pytest.mark.parametrize("tool", ["write_file", "create_file", "delete_file", "create_directory"])
def test_what_git_would_run_and_the_workspace_itself_are_not_written(
    writer: FileWriter, go_on: threading.Event, tool: str, path: str
) -> None:
    with pytest.raises(ToolProblem, match=r"belongs to git|the workspace itself"):
        getattr(writer, tool)({"path": path, "content": "x"}, go_on)


def test_a_new_file_is_written_with_its_folders(writer: FileWriter, go_on: threading.Event) -> None:
    said = writer.write_file({"path": "new/deep/naïve – 名前.txt", "content": "grüß\n"}, go_on)
    assert said == "Created new/deep/naïve – 名前.txt with 7 bytes"
    file = writer.workspace.root / "new" / "deep" / "naïve – 名前.txt"
    assert file.read_text("utf-8") == "grüß\n"
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(file.stat().st_mode) == 0o666 & ~mask


def test_an_existing_file_keeps_encoding_mark_endings_and_mode(writer: FileWriter, go_on: threading.Event) -> None:
    file = writer.workspace.root / "dos.txt"
    file.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    file.chmod(0o640)
    said = writer.write_file({"path": "dos.txt", "content": "grüß\nzwei\n"}, go_on)
    assert file.read_bytes() == "\ufeffgrüß\r\nzwei\r\n".encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert "kept CRLF line endings, byte order mark" in said


def test_a_binary_file_is_not_overwritten_with_text(writer: FileWriter, go_on: threading.Event) -> None:
    (writer.workspace.root / "image.png").write_bytes(b"\x89PNG\x00\x00")
    for tool, more in (("write_file", {"content": "x"}), ("edit_file", {"old_text": "PNG", "new_text": "x"})):
        with pytest.raises(ToolProblem, match="binary file"):
            getattr(writer, tool)({"path": "image.png", **more}, go_on)


def test_a_huge_file_is_refused_without_being_read(writer: FileWriter, go_on: threading.Event) -> None:
    with (writer.workspace.root / "huge").open("wb") as stream:
        stream.truncate(4 * 1024**3)  # a hole: takes no room on the disk
    with pytest.raises(ToolProblem, match="too large"):
        writer.edit_file({"path": "huge", "old_text": "a", "new_text": "b"}, go_on)
    with pytest.raises(ToolProblem, match="too large"):
        writer.write_file({"path": "huge", "content": "b"}, go_on)
    with pytest.raises(ToolProblem, match="too large"):
        writer.delete_file({"path": "huge"}, go_on)
    assert (writer.workspace.root / "huge").exists()


def test_a_link_inside_the_workspace_is_written_through_and_stays_a_link(
    writer: FileWriter, go_on: threading.Event
) -> None:
    writer.write_file({"path": "inside-link", "content": "through\n"}, go_on)
    assert (writer.workspace.root / "inside-link").is_symlink()
    assert (writer.workspace.root / "file.txt").read_text("utf-8") == "through\n"


def test_a_link_itself_is_neither_deleted_nor_moved(writer: FileWriter, go_on: threading.Event) -> None:
    with pytest.raises(ToolProblem, match=r"is a link to file\.txt"):
        writer.delete_file({"path": "inside-link"}, go_on)
    with pytest.raises(ToolProblem, match=r"is a link to file\.txt"):
        writer.move_file({"path": "inside-link", "new_path": "x"}, go_on)


@pytest.mark.parametrize("tool", ["write_file", "edit_file", "delete_file", "create_file", "create_directory"])
def test_a_folder_swapped_for_a_link_after_the_check_leads_nowhere(
    writer: FileWriter, tmp_path: Path, go_on: threading.Event, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path is checked, then `sub` becomes a link to the outside, then the tool goes on."""
    name = "secret.txt" if tool in ("write_file", "edit_file", "delete_file") else "new"
    (writer.workspace.root / "sub" / "secret.txt").write_text("outside\n", "utf-8")
    honest = Confinement.resolve

    def check_then_swap(self: Confinement, path: str) -> Path:
        real = honest(self, path)
        (self.root / "sub").rename(self.root / "moved")
        (self.root / "sub").symlink_to(tmp_path)
        return real

    monkeypatch.setattr(Confinement, "resolve", check_then_swap)
    arguments = {"path": f"sub/{name}", "content": "x", "old_text": "outside", "new_text": "x"}
    with pytest.raises(OutsideWorkspace, match="has become a link"):
        getattr(writer, tool)(arguments, go_on)
    assert (tmp_path / "secret.txt").read_text("utf-8") == "outside\n"
    assert not (tmp_path / "new").exists()


def test_an_edit_replaces_one_place_or_all(writer: FileWriter, go_on: threading.Event) -> None:
    file = writer.workspace.root / "a.py"
    file.write_text("x = 1\ny = 1\n", "utf-8")
    assert writer.edit_file({"path": "a.py", "old_text": "x = 1", "new_text": "x = 2"}, go_on) == (
        "Replaced 1 occurrence in a.py"
    )
    with pytest.raises(ToolProblem, match=r"was not found in a\.py"):
        writer.edit_file({"path": "a.py", "old_text": "z", "new_text": "x"}, go_on)
    file.write_text("x\nx\n", "utf-8")
    with pytest.raises(ToolProblem, match="found 2 times"):
        writer.edit_file({"path": "a.py", "old_text": "x", "new_text": "z"}, go_on)
    said = writer.edit_file({"path": "a.py", "old_text": "x", "new_text": "z", "replace_all": True}, go_on)
    assert said == "Replaced 2 occurrences in a.py" and file.read_text("utf-8") == "z\nz\n"


def test_an_edit_leaves_bytes_it_does_not_touch_alone(writer: FileWriter, go_on: threading.Event) -> None:
    file = writer.workspace.root / "old.txt"
    file.write_bytes(b"caf\xe9\r\nname\nmixed\r")
    writer.edit_file({"path": "old.txt", "old_text": "name", "new_text": "word"}, go_on)
    assert file.read_bytes() == b"caf\xe9\r\nword\nmixed\r"
    with pytest.raises(ToolProblem, match="cannot hold"):
        writer.edit_file({"path": "old.txt", "old_text": "word", "new_text": "名"}, go_on)


def test_creating_what_exists_fails_and_changes_nothing(writer: FileWriter, go_on: threading.Event) -> None:
    for path in ("file.txt", "sub"):
        with pytest.raises(ToolProblem, match="exists already"):
            writer.create_file({"path": path, "content": "x"}, go_on)
    assert (writer.workspace.root / "file.txt").read_text("utf-8") == "inside\n"


def test_a_file_in_place_of_a_folder_is_explained(writer: FileWriter, go_on: threading.Event) -> None:
    for tool in ("write_file", "create_file", "create_directory"):
        with pytest.raises(ToolProblem, match=r"file\.txt is a file, not a directory"):
            getattr(writer, tool)({"path": "file.txt/below/x", "content": "x"}, go_on)
    with pytest.raises(ToolProblem, match="is a directory"):
        writer.write_file({"path": "sub", "content": "x"}, go_on)
    with pytest.raises(ToolProblem, match="There is no file"):
        writer.edit_file({"path": "missing/x", "old_text": "a", "new_text": "b"}, go_on)
    with pytest.raises(ToolProblem, match="There is no file"):
        writer.delete_file({"path": "missing"}, go_on)


def test_a_deleted_file_is_gone_from_the_workspace_only(writer: FileWriter, go_on: threading.Event) -> None:
    assert "undo_file_change brings it back" in writer.delete_file({"path": "file.txt"}, go_on)
    assert not (writer.workspace.root / "file.txt").exists()
    change = writer.store.last("file.txt")
    assert change is not None and writer.store.before(change.number) == b"inside\n"


def test_folders_are_created_with_those_above_them(writer: FileWriter, go_on: threading.Event) -> None:
    assert writer.create_directory({"path": "a/b/ç"}, go_on) == "Created the directory a/b/ç"
    assert (writer.workspace.root / "a" / "b" / "ç").is_dir()
    assert writer.create_directory({"path": "a/b"}, go_on) == "a/b exists already"


def test_files_and_folders_move_but_never_onto_something(writer: FileWriter, go_on: threading.Event) -> None:
    root = writer.workspace.root
    assert writer.move_file({"path": "file.txt", "new_path": "new/place.txt"}, go_on) == (
        "Moved file.txt to new/place.txt"
    )
    writer.move_file({"path": "new", "new_path": "sub/new"}, go_on)
    assert (root / "sub" / "new" / "place.txt").read_text("utf-8") == "inside\n"
    (root / "taken.txt").write_text("mine", "utf-8")
    with pytest.raises(ToolProblem, match="exists already"):
        writer.move_file({"path": "sub/new/place.txt", "new_path": "taken.txt"}, go_on)
    with pytest.raises(ToolProblem, match="into itself"):
        writer.move_file({"path": "sub", "new_path": "sub/new/sub"}, go_on)
    with pytest.raises(ToolProblem, match="There is no gone"):
        writer.move_file({"path": "gone", "new_path": "x"}, go_on)


def test_a_call_that_was_cancelled_in_time_changes_nothing(writer: FileWriter, tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    before = everything(tmp_path)
    for tool, arguments in (
        ("write_file", {"path": "file.txt", "content": "x"}),
        ("create_file", {"path": "new.txt", "content": "x"}),
        ("edit_file", {"path": "file.txt", "old_text": "inside", "new_text": "x"}),
        ("delete_file", {"path": "file.txt"}),
        ("move_file", {"path": "file.txt", "new_path": "x"}),
    ):
        with pytest.raises(Stopped):
            getattr(writer, tool)(arguments, stop)
    assert everything(tmp_path) == before


def test_two_edits_at_once_both_take_place(writer: FileWriter, go_on: threading.Event) -> None:
    file = writer.workspace.root / "counts.txt"
    file.write_text("".join(f"item {n} old\n" for n in range(20)), "utf-8")
    threads = [
        threading.Thread(
            target=writer.edit_file,
            args=({"path": "counts.txt", "old_text": f"item {n} old", "new_text": f"item {n} new"}, go_on),
        )
        for n in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert file.read_text("utf-8") == "".join(f"item {n} new\n" for n in range(20))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not bind root")
def test_a_read_only_folder_takes_nothing(writer: FileWriter, go_on: threading.Event) -> None:
    folder = writer.workspace.root / "sub"
    (folder / "old.txt").write_text("old", "utf-8")
    folder.chmod(0o555)
    try:
        for tool in ("write_file", "create_file"):
            with pytest.raises(PermissionError):
                getattr(writer, tool)({"path": "sub/new.txt", "content": "x"}, go_on)
        with pytest.raises(PermissionError):
            writer.delete_file({"path": "sub/old.txt"}, go_on)
    finally:
        folder.chmod(0o755)
    assert writer.store.last() is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a folder that takes nothing even from root")
def test_a_folder_that_takes_nothing_even_from_root_is_reported(tmp_path: Path, go_on: threading.Event) -> None:
    place = Confinement(Path("/proc/sys/kernel"))
    writer = FileWriter(place, UndoStore(tmp_path, place.root))
    for tool in ("write_file", "create_file", "create_directory"):
        with pytest.raises(OSError):  # which one differs between kernels
            getattr(writer, tool)({"path": "callgate-test", "content": "x"}, go_on)
    assert writer.store.last() is None


def test_a_read_only_file_is_neither_written_nor_deleted(writer: FileWriter, go_on: threading.Event) -> None:
    (writer.workspace.root / "file.txt").chmod(0o444)
    for tool, more in (
        ("write_file", {"content": "x"}),
        ("edit_file", {"old_text": "inside", "new_text": "x"}),
        ("delete_file", {}),
    ):
        with pytest.raises(ToolProblem, match="read-only"):
            getattr(writer, tool)({"path": "file.txt", **more}, go_on)
    assert (writer.workspace.root / "file.txt").read_text("utf-8") == "inside\n"
    assert writer.store.last() is None
