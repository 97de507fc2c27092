import logging
import stat
from pathlib import Path

import pytest

from callgate.tools.builtin.undo_store import Change, UndoStore


def keep(store: UndoStore, path: str, before: bytes = b"") -> None:
    with store.keep(Change("content", path, existed=True), before):
        pass


def test_the_latest_change_is_found_in_all_and_by_path(tmp_path: Path) -> None:
    store = UndoStore(tmp_path, Path("/w"))
    assert store.last() is None
    keep(store, "a", b"1")
    keep(store, "b", b"2")
    newest, of_a = store.last(), store.last("a")
    assert newest is not None and newest.path == "b" and store.before(newest.number) == b"2"
    assert of_a is not None and store.before(of_a.number) == b"1"
    assert store.last("c") is None


def test_changes_outlive_the_program_and_stay_with_their_workspace(tmp_path: Path) -> None:
    keep(UndoStore(tmp_path, Path("/w")), "a", b"1")
    assert UndoStore(tmp_path, Path("/w")).last() is not None
    assert UndoStore(tmp_path, Path("/other")).last() is None


def test_a_change_that_failed_is_not_remembered(tmp_path: Path) -> None:
    store = UndoStore(tmp_path, Path("/w"))
    with pytest.raises(OSError, match="disk"), store.keep(Change("content", "a"), b"1"):
        raise OSError("disk")
    assert store.last() is None
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]


def test_the_oldest_changes_give_way_to_new_ones(tmp_path: Path) -> None:
    store = UndoStore(tmp_path, Path("/w"), most_bytes=100)
    for name in "abc":
        keep(store, name, b"x" * 40)
    assert store.last("a") is None and store.last("b") is not None and store.last("c") is not None
    keep(store, "huge", b"x" * 1000)
    assert store.last("c") is None and store.last("huge") is not None


def test_what_is_kept_is_for_the_person_only(tmp_path: Path) -> None:
    keep(UndoStore(tmp_path, Path("/w")), "a", b"secret")
    modes = {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.rglob("*") if file.is_file()}
    assert modes == {0o600}


def test_a_damaged_record_is_left_out_and_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = UndoStore(tmp_path, Path("/w"))
    keep(store, "a", b"1")
    keep(store, "b", b"2")
    newest = max(tmp_path.rglob("*.json"))
    newest.write_text("{", "utf-8")
    change = store.last()
    assert change is not None and change.path == "a"
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    caplog.clear()
