"""The key and the counters that make `accepted.json` trustworthy, in a keyring or a file."""

import json
import stat
from pathlib import Path

import pytest
from keyring.errors import KeyringLocked
from tests.fakes.memory_keyring import MemoryKeyring, system_keyring

from callgate.core.errors import UserFault
from callgate.store.files.trust_anchor import TrustAnchor, usual_folder


class LockedRing(MemoryKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("locked")


def test_without_a_keyring_the_key_is_in_a_file_that_only_the_person_reads(tmp_path: Path) -> None:
    data = tmp_path / "data"
    mac = TrustAnchor(tmp_path / "trust").sign(data, "body")
    file = tmp_path / "trust" / "anchor.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    again = TrustAnchor(tmp_path / "trust")
    assert again.verifies(data, "body", mac)
    assert not again.verifies(data, "other", mac) and not again.verifies(tmp_path / "elsewhere", "body", mac)
    assert not again.verifies(data, "body", "ü") and not TrustAnchor(tmp_path / "x").verifies(data, "body", mac)


def test_with_a_keyring_no_file_has_the_key(tmp_path: Path) -> None:
    ring = MemoryKeyring()
    with system_keyring(ring):
        mac = TrustAnchor(tmp_path).sign(tmp_path, "body")
        (key,) = ring.kept.values()
        assert key not in (tmp_path / "anchor.json").read_text("utf-8")
        assert TrustAnchor(tmp_path).verifies(tmp_path, "body", mac)
    with system_keyring(LockedRing()), pytest.raises(UserFault, match="locked"):
        TrustAnchor(tmp_path).verifies(tmp_path, "body", mac)
    ring.kept.clear()
    with system_keyring(ring), pytest.raises(UserFault, match="no longer has the key"):
        TrustAnchor(tmp_path).sign(tmp_path, "body")


def test_a_keyring_that_cannot_be_used_is_passed_over(tmp_path: Path) -> None:
    with system_keyring(LockedRing()):
        TrustAnchor(tmp_path).sign(tmp_path, "body")
        assert json.loads((tmp_path / "anchor.json").read_text("utf-8"))["key_in"] == "file"


def test_a_counter_never_goes_back_and_folders_that_are_gone_are_forgotten(tmp_path: Path) -> None:
    anchor, here, gone = TrustAnchor(tmp_path / "trust"), tmp_path / "here", tmp_path / "gone"
    here.mkdir()
    gone.mkdir()
    assert anchor.counter(here) is None
    anchor.count(here, 5)
    anchor.count(here, 3)
    anchor.count(gone, 1)
    gone.rmdir()
    anchor.count(here, 6)
    assert (anchor.counter(here), anchor.counter(gone)) == (6, None)


def test_the_text_of_a_configuration_is_known_for_every_data_folder(tmp_path: Path) -> None:
    anchor = TrustAnchor(tmp_path)
    assert anchor.knows_text("/c.toml", "a") is None
    anchor.learn_text("/c.toml", "a")
    assert (anchor.knows_text("/c.toml", "a"), anchor.knows_text("/c.toml", "b")) == (True, False)


def test_the_usual_folder_is_not_the_data_folder() -> None:
    assert usual_folder().name == "callgate-trust"
