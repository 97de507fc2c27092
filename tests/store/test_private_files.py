import logging
import os
import stat
from pathlib import Path

import pytest

from callgate.store.database import Database
from callgate.store.private_files import create_file, make_folder, tighten

posix = pytest.mark.skipif(os.name != "posix", reason="modes mean nothing on Windows")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.fixture
def wide_open():
    before = os.umask(0)
    yield
    os.umask(before)


@posix
def test_a_new_journal_and_its_folder_are_private_whatever_the_umask(tmp_path: Path, wide_open: None) -> None:
    folder = tmp_path / "new" / "data"
    database = Database(folder / "callgate.db")
    database.submit(lambda connection: connection.execute("CREATE TABLE x (y)")).result(10)
    assert mode(folder) == 0o700
    names = ("callgate.db", "callgate.db-wal", "callgate.db-shm")
    assert {path.name: mode(path) for path in folder.iterdir()} == dict.fromkeys(names, 0o600)
    assert database.close()


@posix
def test_a_folder_of_an_earlier_version_is_closed_to_others_once(
    tmp_path: Path, wide_open: None, caplog: pytest.LogCaptureFixture
) -> None:
    folder, outside = tmp_path / "data", tmp_path / "outside"
    (folder / "undo" / "deep").mkdir(parents=True)
    outside.write_text("somebody's", "utf-8")
    files = [folder / name for name in ("callgate.db", "callgate.db-wal", "rules.toml", "mine.txt", "undo/deep/1.json")]
    for file in files:
        file.write_text("", "utf-8")
    (folder / "link").symlink_to(outside)
    first = tighten(folder)
    assert first.exposed and first.changed == len(files) + 3
    assert "could be read by other users" in caplog.text
    caplog.clear()
    assert all(mode(file) == 0o600 for file in files)
    assert mode(folder) == mode(folder / "undo" / "deep") == 0o700
    assert mode(outside) == 0o666, "a link leads out: what it leads to is not touched"
    assert tighten(folder).changed == 0 and not caplog.records


@posix
def test_a_folder_that_is_more_than_ours_keeps_its_mode_and_its_other_files(tmp_path: Path, wide_open: None) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    for name in ("callgate.db", "main.py"):
        (project / name).write_text("", "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logging.getLogger("callgate.store.private_files"), "disabled", True)
        tighten(project)
    assert mode(project) == 0o777 and mode(project / "main.py") == 0o666
    assert mode(project / "callgate.db") == 0o600


@posix
def test_what_can_not_be_changed_is_said(tmp_path: Path, wide_open: None, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "callgate.db").write_text("", "utf-8")

    def refuse(self: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    found = tighten(folder)
    assert not found.changed and len(found.problems) == 2
    assert "can be read by other users of this machine: Operation not permitted" in found.problems[1]


def test_what_is_there_stays(tmp_path: Path) -> None:
    file = tmp_path / "callgate.db"
    file.write_text("kept", "utf-8")
    create_file(file)
    make_folder(tmp_path)
    assert file.read_text("utf-8") == "kept"
