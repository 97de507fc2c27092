import threading

import pytest

from callgate.core.preview import CommandPreview, DiffPreview, UrlPreview
from callgate.tools.builtin.files import file_tools
from callgate.tools.builtin.previews import (
    MOST_SHOWN,
    preview_command,
    preview_create,
    preview_delete,
    preview_edit,
    preview_url,
    preview_write,
)
from callgate.tools.builtin.source import BuiltinSource, ToolProblem
from callgate.tools.builtin.write_files import FileWriter
from callgate.tools.confinement import Confinement, OutsideWorkspace


def test_changes_of_a_file_are_shown_before_and_after(workspace: Confinement) -> None:
    path = "./sub/../inside-link"
    assert preview_write(workspace, {"path": path, "content": "new\n"}) == DiffPreview("file.txt", "inside\n", "new\n")
    edit = {"path": path, "old_text": "inside", "new_text": "changed"}
    assert preview_edit(workspace, edit) == DiffPreview("file.txt", "inside\n", "changed\n")
    assert preview_delete(workspace, {"path": path}) == DiffPreview("file.txt", "inside\n", "")
    assert preview_create(workspace, {"path": "new.txt", "content": "x"}) == DiffPreview("new.txt", "", "x")
    assert preview_write(workspace, {"path": "new.txt", "content": "x"}) == DiffPreview("new.txt", "", "x")


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
    assert source.preview(tools["delete_file"], {"path": "file.txt"}) == DiffPreview("file.txt", "inside\n", "")
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
