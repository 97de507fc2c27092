import threading

import pytest

from callgate.tools.builtin import read_files
from callgate.tools.builtin.read_files import list_directory, read_file, read_tools
from callgate.tools.builtin.source import Stopped, ToolProblem
from callgate.tools.confinement import Confinement, OutsideWorkspace


@pytest.fixture(autouse=True)
def filled(workspace: Confinement) -> None:
    (workspace.root / "README.md").write_text("# Title\nsecond\nthird\n", "utf-8")
    (workspace.root / "image.bin").write_bytes(b"\x00\x01TODO")


def test_a_file_is_read_whole_or_by_lines(workspace: Confinement, go_on: threading.Event) -> None:
    assert read_file(workspace, {"path": "README.md"}, go_on) == "# Title\nsecond\nthird\n"
    assert read_file(workspace, {"path": "README.md", "start_line": 2, "end_line": 2}, go_on) == "second\n"
    assert read_file(workspace, {"path": "README.md", "start_line": 2}, go_on) == "second\nthird\n"


def test_an_empty_file_is_empty_and_no_mistake(workspace: Confinement, go_on: threading.Event) -> None:
    (workspace.root / "empty").touch()
    assert read_file(workspace, {"path": "empty"}, go_on) == ""
    assert read_file(workspace, {"path": "empty", "start_line": 1}, go_on) == ""


def test_line_endings_are_shown_as_they_are(workspace: Confinement, go_on: threading.Event) -> None:
    (workspace.root / "dos.txt").write_bytes(b"a\r\nb\x0cstill b\r\n")
    assert read_file(workspace, {"path": "dos.txt"}, go_on) == "a\r\nb\x0cstill b\r\n"
    assert read_file(workspace, {"path": "dos.txt", "start_line": 2}, go_on) == "b\x0cstill b\r\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"path": "missing.txt"}, "no file 'missing.txt'"),
        ({"path": "sub"}, "is a directory"),
        ({"path": "image.bin"}, "binary file"),
        ({"path": "README.md", "start_line": 9}, "only 3 lines"),
        ({"path": "README.md", "start_line": 3, "end_line": 2}, "comes before"),
    ],
)
def test_what_cannot_be_read_is_explained(
    workspace: Confinement, go_on: threading.Event, arguments: dict, says: str
) -> None:
    with pytest.raises(ToolProblem, match=says):
        read_file(workspace, arguments, go_on)


def test_a_long_file_is_cut_and_says_so(workspace: Confinement, go_on: threading.Event) -> None:
    (workspace.root / "long.txt").write_text("line\n" * 100_000, "utf-8")
    text = read_file(workspace, {"path": "long.txt"}, go_on)
    assert len(text) < read_files.MOST_BYTES + 200 and "read on with start_line" in text
    assert read_file(workspace, {"path": "long.txt", "start_line": 99_999}, go_on) == "line\nline\n"
    assert read_file(workspace, {"path": "long.txt", "start_line": 1}, go_on).endswith("[cut: ask for fewer lines]")


def test_reading_far_into_a_file_stops_when_it_is_asked_to(workspace: Confinement) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped):
        read_file(workspace, {"path": "README.md", "start_line": 2}, stop)


def test_a_directory_lists_folders_first(workspace: Confinement, go_on: threading.Event) -> None:
    (workspace.root / "up").unlink()
    assert list_directory(workspace, {}, go_on).splitlines() == [
        "sub/",
        "dangling",
        "file.txt",
        "image.bin",
        "inside-link",
        "leak",
        "README.md",
    ]
    assert list_directory(workspace, {"path": "sub"}, go_on) == "sub is empty"
    with pytest.raises(ToolProblem, match="is a file"):
        list_directory(workspace, {"path": "README.md"}, go_on)


def test_links_out_of_the_workspace_are_not_followed(workspace: Confinement, go_on: threading.Event) -> None:
    for path in ("up/secret.txt", "leak"):
        with pytest.raises(OutsideWorkspace):
            read_file(workspace, {"path": path}, go_on)


def test_every_reading_tool_says_that_it_only_reads(workspace: Confinement) -> None:
    assert all(entry.tool.annotations.read_only for entry in read_tools(workspace))
