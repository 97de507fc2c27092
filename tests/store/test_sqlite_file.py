"""Whose file it is, whether it is whole, and that nothing of anybody's is lost."""

import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from callgate.core.errors import UserFault
from callgate.store.sqlite_file import OpenedFile, open_file
from callgate.store.tables.migrations import LATEST


def made(path: Path) -> Path:
    """A good file with something in it, several pages long."""
    connection = open_file(path).connection
    connection.executemany(
        "INSERT INTO events (conversation_id, exchange_id, kind, at, body) VALUES ('c', 'e', 'delta', 1, ?)",
        [("x" * 900,) for _ in range(200)],
    )
    connection.close()
    return path


def closed(opened: OpenedFile) -> OpenedFile:
    opened.connection.close()
    return opened


def test_a_new_file_and_its_folder_are_made(tmp_path: Path) -> None:
    opened = closed(open_file(tmp_path / "new" / "folder" / "callgate.db"))
    assert opened.moved_aside is None
    assert (tmp_path / "new" / "folder" / "callgate.db").exists()


def is_moved_aside(path: Path, because: str) -> Path:
    """Opens what cannot be used: a new file is begun, and what stood there is beside it."""
    opened = open_file(path)
    try:
        assert opened.moved_aside is not None
        assert opened.moved_aside.name.startswith("callgate.db.damaged-")
        assert because in opened.damage
        assert opened.connection.execute("SELECT count(*) FROM events").fetchone() == (0,)
        return opened.moved_aside
    finally:
        opened.connection.close()


def test_a_file_that_is_not_a_database_is_moved_aside(tmp_path: Path) -> None:
    path = tmp_path / "callgate.db"
    path.write_text("Dear diary, " * 100, encoding="utf-8")
    assert is_moved_aside(path, "not a database").read_text("utf-8") == "Dear diary, " * 100


def test_a_garbled_header_is_moved_aside_with_the_log(tmp_path: Path) -> None:
    path = made(tmp_path / "callgate.db")
    path.write_bytes(b"\xa5" * 100 + path.read_bytes()[100:])
    path.with_name("callgate.db-wal").write_bytes(b"the log")
    spoilt = path.read_bytes()
    aside = is_moved_aside(path, "not a database")
    assert aside.read_bytes() == spoilt
    assert aside.with_name(aside.name + "-wal").read_bytes() == b"the log"


@pytest.mark.parametrize("mark", ["PRAGMA application_id = 7", "PRAGMA application_id = 0"])
def test_another_programs_database_is_moved_aside_as_it_was(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "callgate.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE bookmarks (url)")
    other.execute(mark)
    other.execute(f"PRAGMA user_version = {LATEST + 1}")
    other.close()
    before = path.read_bytes()
    assert is_moved_aside(path, "of another program").read_bytes() == before


def test_an_empty_file_is_moved_aside(tmp_path: Path) -> None:
    (tmp_path / "callgate.db").touch()
    assert is_moved_aside(tmp_path / "callgate.db", "empty").read_bytes() == b""


def test_a_log_whose_file_is_gone_is_moved_aside(tmp_path: Path) -> None:
    (tmp_path / "callgate.db-wal").write_bytes(b"only what is left")
    aside = is_moved_aside(tmp_path / "callgate.db", "only its log is left")
    assert aside.with_name(aside.name + "-wal").read_bytes() == b"only what is left"


def test_a_folder_in_the_place_of_the_file_is_moved_aside(tmp_path: Path) -> None:
    (tmp_path / "callgate.db").mkdir()
    (tmp_path / "callgate.db" / "inside").touch()
    assert [path.name for path in is_moved_aside(tmp_path / "callgate.db", "a folder").iterdir()] == ["inside"]


def test_a_link_that_leads_nowhere_is_moved_aside(tmp_path: Path) -> None:
    (tmp_path / "callgate.db").symlink_to(tmp_path / "nowhere")
    assert is_moved_aside(tmp_path / "callgate.db", "leads nowhere").is_symlink()
    assert not (tmp_path / "nowhere").exists()


# root may read everything, so what a person without rights sees is asked of a process that has none
_OPENED = """
import os, sys
from pathlib import Path
from callgate.core.errors import UserFault
from callgate.store.sqlite_file import open_file
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
try:
    open_file(Path(sys.argv[1]))
except UserFault as fault:
    print(fault)
"""


@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_file_that_may_not_be_used_is_refused_with_what_to_do(mode: int) -> None:
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are closed to everyone else
        path = made(Path(folder) / "callgate.db")
        path.chmod(mode)
        Path(folder).chmod(0o555)
        said = subprocess.run([sys.executable, "-c", _OPENED, str(path)], capture_output=True, text=True, timeout=60)
        Path(folder).chmod(0o700)
        assert "cannot use" in said.stdout and "chmod u+rwX" in said.stdout, said
        assert [each.name for each in Path(folder).iterdir()] == ["callgate.db"]


def test_a_file_of_a_newer_callgate_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = made(tmp_path / "callgate.db")
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {LATEST + 1}")
    connection.close()
    with pytest.raises(UserFault, match=r"newer Callgate.*Update Callgate"):
        open_file(path)


def test_a_folder_that_cannot_be_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(UserFault, match=r"cannot use .*callgate\.db.*--data DIR"):
        open_file(tmp_path / "file" / "callgate.db")


def test_a_file_that_another_program_keeps_locked_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callgate.store.sqlite_file.BUSY_SECONDS", 0.01)
    path = made(tmp_path / "callgate.db")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(UserFault, match="locked"):
        open_file(path)
    other.close()


def damage_the_middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for page in range(4096, len(data), 4096):
        data[page : page + 200] = b"\xff" * 200
    path.write_bytes(data)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def cut_within_the_header(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:40])


def wipe(path: Path) -> None:
    path.write_bytes(bytes(8192))


@pytest.mark.parametrize("damage", [damage_the_middle, cut_short, cut_within_the_header, wipe])
def test_a_damaged_file_is_moved_aside_whole_and_a_new_one_is_begun(tmp_path: Path, damage) -> None:
    path = made(tmp_path / "callgate.db")
    damage(path)
    spoilt = path.read_bytes()
    opened = open_file(path)
    assert opened.moved_aside is not None
    assert opened.moved_aside.name.startswith("callgate.db.damaged-")
    assert opened.moved_aside.read_bytes() == spoilt
    assert opened.connection.execute("SELECT count(*) FROM events").fetchone() == (0,)
    opened.connection.close()


def test_the_log_of_a_damaged_file_is_moved_aside_with_it(tmp_path: Path) -> None:
    path = made(tmp_path / "callgate.db")
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("UPDATE events SET body = 'in the log'")
    log = path.with_name("callgate.db-wal").read_bytes()
    files = {suffix: path.with_name(path.name + suffix).read_bytes() for suffix in ("", "-wal")}
    writer.close()
    for suffix, data in files.items():
        path.with_name(path.name + suffix).write_bytes(data[:100] + b"\xff" * (len(data) - 100) if not suffix else data)
    aside = is_moved_aside(path, "")
    assert aside.with_name(aside.name + "-wal").read_bytes() == log


def test_two_damaged_files_in_one_second_are_both_kept(tmp_path: Path) -> None:
    path = tmp_path / "callgate.db"
    for _ in range(3):
        wipe(made(path))
        closed(open_file(path))
    assert len(list(tmp_path.glob("callgate.db.damaged-*"))) == 3


def test_a_check_that_takes_too_long_is_broken_off_and_the_file_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(tmp_path / "callgate.db")
    monkeypatch.setattr("callgate.store.sqlite_file.CHECK_SECONDS", -1)
    monkeypatch.setattr("callgate.store.sqlite_file._STEPS_BETWEEN_LOOKS", 1)
    opened = open_file(path)
    assert opened.moved_aside is None
    assert opened.connection.execute("SELECT count(*) FROM events").fetchone() == (200,)
    opened.connection.close()
