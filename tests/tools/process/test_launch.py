"""What a start leaves to clean up."""

import os
from pathlib import Path

from callgate.tools.process.launch import Launch


def plain(tmp_path: Path) -> Launch:
    return Launch(("true",), tmp_path, {})


def test_without_a_wall_what_was_approved_is_executed(tmp_path: Path) -> None:
    launch = plain(tmp_path)
    assert launch.executed == ("true",)
    launch.wrapped = ("bwrap", "true")
    assert launch.executed == ("bwrap", "true")


def test_descriptors_are_closed_and_temporary_files_removed(tmp_path: Path) -> None:
    launch = plain(tmp_path)
    launch.private = tmp_path / "private"
    launch.private.mkdir()
    (launch.private / "file").touch()
    held = os.open(tmp_path, os.O_RDONLY)
    launch.descriptors.append(held)
    launch.leftovers, launch.stdin = os.pipe()
    before = sum(1 for _ in Path("/proc/self/fd").iterdir())
    launch.abandon()
    launch.abandon()
    assert sum(1 for _ in Path("/proc/self/fd").iterdir()) == before - 3 and not launch.private.exists()


def test_what_was_left_running_is_read_from_the_pipe(tmp_path: Path) -> None:
    for written in (b"", b"\n"):
        launch = plain(tmp_path)
        launch.compare = lambda: ("a note",)
        launch.leftovers, launch.stdin = os.pipe()
        os.write(launch.stdin, written)
        launch.started()
        assert launch.ended() is bool(written) and launch.notes == ("a note",)


def test_a_pipe_that_somebody_holds_open_blocks_nobody(tmp_path: Path) -> None:
    launch = plain(tmp_path)
    launch.leftovers, write = os.pipe()
    try:
        assert not launch.ended()
    finally:
        os.close(write)
