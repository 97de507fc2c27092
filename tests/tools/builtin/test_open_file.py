import os
import resource
import stat
from pathlib import Path

import pytest

from callgate.tools.builtin.open_file import create_held, read_held, write_held
from callgate.tools.builtin.source import ToolProblem
from callgate.tools.confinement import Confinement, OutsideWorkspace


def leftovers(workspace: Confinement) -> list[Path]:
    return list(workspace.root.rglob(".callgate-*"))


def test_a_file_is_replaced_at_once_with_its_mode_kept(workspace: Confinement) -> None:
    file = workspace.root / "file.txt"
    file.chmod(0o754)
    with workspace.hold(workspace.root) as folder:
        before = read_held(folder, "file.txt", "file.txt", 100)
        write_held(folder, "file.txt", b"new", before, "file.txt")
    assert file.read_bytes() == b"new" and stat.S_IMODE(file.stat().st_mode) == 0o754
    assert not leftovers(workspace)


def test_a_read_only_file_stays_as_it_is_also_for_an_administrator(workspace: Confinement) -> None:
    (workspace.root / "file.txt").chmod(0o444)
    with workspace.hold(workspace.root) as folder:
        before = read_held(folder, "file.txt", "file.txt", 100)
        with pytest.raises(ToolProblem, match="read-only"):
            write_held(folder, "file.txt", b"new", before, "file.txt")
    assert (workspace.root / "file.txt").read_bytes() == b"inside\n"


def test_a_disk_that_takes_no_more_leaves_the_old_file_whole(workspace: Confinement) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with workspace.hold(workspace.root) as folder:
        before = read_held(folder, "file.txt", "file.txt", 100)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, limits[1]))  # stands for a full disk, also for root
        try:
            with pytest.raises(OSError, match="too large"):
                write_held(folder, "file.txt", b"x" * 5000, before, "file.txt")
            with pytest.raises(OSError, match="too large"):
                create_held(folder, "new.txt", b"x" * 5000, "new.txt")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (workspace.root / "file.txt").read_bytes() == b"inside\n"
    assert not (workspace.root / "new.txt").exists() and not leftovers(workspace)


def test_a_change_by_another_program_is_not_overwritten(workspace: Confinement) -> None:
    with workspace.hold(workspace.root) as folder:
        before = read_held(folder, "file.txt", "file.txt", 100)
        (workspace.root / "file.txt").write_text("somebody else's work", "utf-8")
        with pytest.raises(ToolProblem, match="changed by another program"):
            write_held(folder, "file.txt", b"new", before, "file.txt")
    assert (workspace.root / "file.txt").read_text("utf-8") == "somebody else's work"
    assert not leftovers(workspace)


def test_a_hard_link_to_a_file_outside_is_not_written_through(workspace: Confinement) -> None:
    outside = workspace.root.parent / "secret.txt"
    os.link(outside, workspace.root / "hard")
    with workspace.hold(workspace.root) as folder:
        write_held(folder, "hard", b"new", read_held(folder, "hard", "hard", 100), "hard")
    assert outside.read_text("utf-8") == "outside\n" and (workspace.root / "hard").read_bytes() == b"new"


def test_a_name_that_is_taken_is_not_created(workspace: Confinement) -> None:
    with workspace.hold(workspace.root) as folder, pytest.raises(ToolProblem, match="exists already"):
        create_held(folder, "file.txt", b"new", "file.txt")
    assert (workspace.root / "file.txt").read_bytes() == b"inside\n"


def test_what_is_no_plain_file_is_not_read(workspace: Confinement) -> None:
    os.mkfifo(workspace.root / "pipe")
    with workspace.hold(workspace.root) as folder:
        assert read_held(folder, "nothing", "nothing", 100) is None
        with pytest.raises(ToolProblem, match="not a plain file"):
            read_held(folder, "pipe", "pipe", 100)
        with pytest.raises(ToolProblem, match="is a directory"):
            read_held(folder, "sub", "sub", 100)
        with pytest.raises(ToolProblem, match="too large"):
            read_held(folder, "file.txt", "file.txt", 3)
        with pytest.raises(OutsideWorkspace, match="has become a link"):
            read_held(folder, "leak", "leak", 100)


def test_a_link_put_in_place_of_the_file_is_replaced_and_not_followed(workspace: Confinement) -> None:
    outside = workspace.root.parent / "secret.txt"
    file = workspace.root / "file.txt"
    with workspace.hold(workspace.root) as folder:
        before = read_held(folder, "file.txt", "file.txt", 100)
        file.unlink()
        file.symlink_to(outside)
        with pytest.raises(ToolProblem, match="changed by another program"):
            write_held(folder, "file.txt", b"new", before, "file.txt")
    assert outside.read_text("utf-8") == "outside\n"


def test_a_creation_that_somebody_was_faster_at_leaves_their_work(
    workspace: Confinement, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = os.fsync

    def slow_disk(descriptor: int) -> None:
        (workspace.root / "new.txt").write_text("somebody else's work", "utf-8")
        honest(descriptor)

    monkeypatch.setattr(os, "fsync", slow_disk)
    with workspace.hold(workspace.root) as folder, pytest.raises(ToolProblem, match="changed by another program"):
        create_held(folder, "new.txt", b"new", "new.txt")
    assert (workspace.root / "new.txt").read_text("utf-8") == "somebody else's work"
    assert not leftovers(workspace)
