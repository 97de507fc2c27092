import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from callgate.core.calls.binding import Outdated
from callgate.core.calls.preview import CommandPreview, DiffPreview, Preview, UrlPreview
from callgate.core.messages import Json
from callgate.tools.builtin.files import file_tools
from callgate.tools.builtin.previews import (
    MOST_SHOWN,
    file_previews,
    preview_command,
    preview_create,
    preview_delete,
    preview_edit,
    preview_url,
    preview_write,
)
from callgate.tools.builtin.source import BuiltinSource, ToolProblem
from callgate.tools.builtin.undo import Undo
from callgate.tools.builtin.write_files import FileWriter
from callgate.tools.confinement import Confinement, OutsideWorkspace


def bare(preview: Preview | None) -> DiffPreview:
    """Without the digest of the state that it was made of."""
    assert isinstance(preview, DiffPreview) and preview.state
    return replace(preview, state="")


def test_changes_of_a_file_are_shown_before_and_after(workspace: Confinement) -> None:
    path = "./sub/../inside-link"
    assert bare(preview_write(workspace, {"path": path, "content": "new\n"})) == DiffPreview(
        "file.txt", "inside\n", "new\n"
    )
    edit = {"path": path, "old_text": "inside", "new_text": "changed"}
    assert bare(preview_edit(workspace, edit)) == DiffPreview("file.txt", "inside\n", "changed\n")
    assert bare(preview_delete(workspace, {"path": path})) == DiffPreview("file.txt", "inside\n", "", deletes=True)
    assert bare(preview_create(workspace, {"path": "new.txt", "content": "x"})) == DiffPreview("new.txt", "", "x")
    assert bare(preview_write(workspace, {"path": "new.txt", "content": "x"})) == DiffPreview("new.txt", "", "x")


def test_what_is_shown_is_what_is_written(writer: FileWriter, go_on: threading.Event) -> None:
    file = writer.workspace.root / "dos.txt"
    file.write_bytes(b"one\r\ntwo\r\n")
    for tool, preview, arguments in (
        ("edit_file", preview_edit, {"path": "dos.txt", "old_text": "one\ntwo", "new_text": "1\n2"}),
        ("write_file", preview_write, {"path": "dos.txt", "content": "a\nb\n"}),
    ):
        promised = preview(writer.workspace, arguments)
        getattr(writer, tool)(arguments, go_on)
        assert file.read_bytes().decode() == promised.after


def _empty(file: Path) -> None:
    file.unlink()


def _linked(file: Path) -> None:
    file.unlink()
    file.symlink_to("other.txt")


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


CHANGES = (
    _empty,
    _linked,
    _folder,
    lambda file: file.write_text("somebody else's\n", "utf-8"),
    lambda file: file.write_text(file.read_text("utf-8") + "one line more\n", "utf-8"),
)
CALLS: dict[str, Mapping[str, Json]] = {
    "write_file": {"path": "here.txt", "content": "new\n"},
    "edit_file": {"path": "here.txt", "old_text": "first", "new_text": "changed"},
    "delete_file": {"path": "here.txt"},
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("tool", CALLS)
def test_a_file_that_is_not_as_it_was_previewed_is_left_alone(
    writer: FileWriter, go_on: threading.Event, tool: str, change: Callable[[Path], None]
) -> None:
    root = writer.workspace.root
    file = root / "here.txt"
    file.write_text("first\n", "utf-8")
    (root / "other.txt").write_text("first\n", "utf-8")
    preview = file_previews(writer.workspace)[tool](CALLS[tool])
    assert isinstance(preview, DiffPreview)
    change(file)
    before = sorted((path.name, path.read_bytes()) for path in root.iterdir() if path.is_file())
    refused = ToolProblem if (tool, change) == ("delete_file", _linked) else Outdated  # links are never deleted
    with pytest.raises(refused):
        getattr(writer, tool)(CALLS[tool], go_on, preview.state)
    assert sorted((path.name, path.read_bytes()) for path in root.iterdir() if path.is_file()) == before
    assert writer.store.last() is None, "what was not changed can't be undone"


@pytest.mark.parametrize("tool", CALLS)
def test_a_file_that_is_still_as_it_was_previewed_is_changed(
    writer: FileWriter, go_on: threading.Event, tool: str
) -> None:
    file = writer.workspace.root / "here.txt"
    file.write_text("first\n", "utf-8")
    preview = file_previews(writer.workspace)[tool](CALLS[tool])
    assert isinstance(preview, DiffPreview)
    getattr(writer, tool)(CALLS[tool], go_on, preview.state)
    assert (file.read_text("utf-8") if file.exists() else "") == preview.after


def test_a_file_that_appears_or_loses_its_folder_after_the_preview_is_left_alone(
    writer: FileWriter, go_on: threading.Event
) -> None:
    root = writer.workspace.root
    for tool in ("write_file", "create_file"):
        preview = file_previews(writer.workspace)[tool]({"path": f"{tool}.txt", "content": "x"})
        assert isinstance(preview, DiffPreview)
        (root / f"{tool}.txt").write_text("faster", "utf-8")
        with pytest.raises(Outdated):
            getattr(writer, tool)({"path": f"{tool}.txt", "content": "x"}, go_on, preview.state)
        assert (root / f"{tool}.txt").read_text("utf-8") == "faster"
    (root / "gone").mkdir()
    (root / "gone" / "x.txt").write_text("x", "utf-8")
    preview = preview_write(writer.workspace, {"path": "gone/x.txt", "content": "y"})
    (root / "gone" / "x.txt").unlink()
    (root / "gone").rmdir()
    with pytest.raises(Outdated):
        writer.write_file({"path": "gone/x.txt", "content": "y"}, go_on, preview.state)
    assert not (root / "gone").exists()


def test_undoing_shows_what_it_puts_back_and_undoes_nothing_else(writer: FileWriter, go_on: threading.Event) -> None:
    undo = Undo(writer)
    file = writer.workspace.root / "file.txt"
    writer.write_file({"path": "file.txt", "content": "two\n"}, go_on)
    preview = undo.preview({})
    assert bare(preview) == DiffPreview("file.txt", "two\n", "inside\n")
    writer.write_file({"path": "file.txt", "content": "three\n"}, go_on)
    assert preview is not None
    with pytest.raises(Outdated):
        undo.undo_file_change({}, go_on, preview.state)
    assert file.read_text("utf-8") == "three\n"
    latest = undo.preview({})
    assert latest is not None
    undo.undo_file_change({}, go_on, latest.state)
    assert file.read_text("utf-8") == "two\n"


def test_a_call_that_would_fail_has_no_preview(workspace: Confinement) -> None:
    (workspace.root / "image").write_bytes(b"\x00")
    (workspace.root / "large").write_text("x" * (MOST_SHOWN + 1), "utf-8")
    for preview, arguments in (
        (preview_edit, {"path": "file.txt", "old_text": "absent", "new_text": ""}),
        (preview_edit, {"path": "absent", "old_text": "a", "new_text": ""}),
        (preview_create, {"path": "file.txt", "content": ""}),
        (preview_delete, {"path": "image"}),
        (preview_delete, {"path": "sub"}),
        (preview_write, {"path": "large", "content": ""}),
        (preview_write, {"path": ".git/config", "content": ""}),
    ):
        with pytest.raises(ToolProblem):
            preview(workspace, arguments)
    with pytest.raises(OutsideWorkspace):
        preview_write(workspace, {"path": "leak", "content": ""})


def test_the_source_answers_with_a_preview_or_nothing(writer: FileWriter) -> None:
    source = BuiltinSource(file_tools(writer.workspace, writer.store))
    tools = {tool.name: tool for tool in source.tools()}
    deleted = DiffPreview("file.txt", "inside\n", "", deletes=True)
    assert bare(source.preview(tools["delete_file"], {"path": "file.txt"})) == deleted
    assert source.preview(tools["delete_file"], {"path": "../secret.txt"}) is None
    assert source.preview(tools["read_file"], {"path": "file.txt"}) is None


def test_a_command_is_shown_as_the_shell_gets_it() -> None:
    assert preview_command({"command": "ls \u202e -l"}) == CommandPreview("ls \u202e -l")


def test_a_request_is_shown_with_the_host_as_it_is_looked_up() -> None:
    assert preview_url({"url": "https://example.com:8443/x?q=1"}) == UrlPreview(
        "GET", "https://example.com:8443/x?q=1", "example.com"
    )
    assert preview_url({"url": "https://ex\u0430mple.com/"}).host == "xn--exmple-4nf.com"
    with pytest.raises(ToolProblem, match="not a URL"):
        preview_url({"url": "http://[::1"})
