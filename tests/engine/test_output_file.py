import os
import stat
import threading
from pathlib import Path

import pytest

from callgate.engine.output_file import output_file

posix = pytest.mark.skipif(os.name != "posix", reason="no pipes with names")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write(path: Path, text: str) -> None:
    with output_file(path) as file:
        file.write(text)


def test_a_new_file_is_private_and_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    write(path, "first")
    assert os.name != "posix" or stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    write(path, "second")
    assert path.read_text("utf-8") == "second"
    assert os.name != "posix" or stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(tmp_path) == ["out.txt"]


def test_what_failed_in_the_middle_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    write(path, "whole")
    with pytest.raises(RuntimeError), output_file(path) as file:
        file.write("half")
        raise RuntimeError
    assert path.read_text("utf-8") == "whole" and names(tmp_path) == ["out.txt"]


@posix
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real" / "file.txt")
    for text in ("made", "written again"):
        write(link, text)
        assert link.is_symlink() and (tmp_path / "real" / "file.txt").read_text("utf-8") == text


@posix
def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        read: list[str] = []
        reader = threading.Thread(target=lambda into=read: into.append(pipe.read_text("utf-8")))
        reader.start()
        write(path, "through")
        reader.join(10)
        assert read == ["through"] and stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(tmp_path) == ["link", "pipe"]


@posix
def test_a_device_is_written_to_and_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in its place, said to be a device: it must keep its identity."""
    path = tmp_path / "null"
    path.write_text("", "utf-8")
    before = path.stat().st_ino
    monkeypatch.setattr("callgate.engine.output_file._mode", lambda target: stat.S_IFCHR | 0o666)
    write(path, "swallowed")
    monkeypatch.undo()
    assert path.stat().st_ino == before and path.read_text("utf-8") == "swallowed"
    assert names(tmp_path) == ["null"]


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        write(tmp_path, "x")
