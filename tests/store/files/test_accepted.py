"""What was accepted survives, and nothing that another program wrote counts as accepted."""

import json
from pathlib import Path

import pytest

from callgate.core.errors import UserFault
from callgate.store.files.accepted import AcceptedStates, State
from callgate.store.files.trust_anchor import TrustAnchor

STATE = State({"setting:chat.tools.edits": {"autoApprove": {"b": False, "a": True}}, "rule:x": {"uses": 2**70}}, "text")


def opened(folder: Path) -> AcceptedStates:
    (folder / "data").mkdir(exist_ok=True)
    return AcceptedStates(folder / "data", TrustAnchor(folder / "trust"))


def test_what_was_accepted_is_read_again_with_its_order(tmp_path: Path) -> None:
    states = opened(tmp_path)
    assert states.is_first and not states.problem
    states.put({"rules.toml": STATE})
    again = opened(tmp_path)
    assert again.get("rules.toml") == STATE and not again.is_first and not again.problem
    assert json.dumps(again.get("rules.toml").items) == json.dumps(STATE.items)  # type: ignore[union-attr]


def test_two_processes_keep_what_the_other_accepted(tmp_path: Path) -> None:
    one, other = opened(tmp_path), opened(tmp_path)
    one.put({"a": STATE})
    other.put({"b": STATE})
    one.put({"c": STATE})
    again = opened(tmp_path)
    assert all(again.get(name) == STATE for name in "abc")
    assert other.load() and other.get("c") == STATE and not other.load()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"body": "{}", "mac": ""}', b'{"body": 1, "mac": 2}'])
def test_a_file_of_another_program_counts_as_nothing(tmp_path: Path, content: bytes) -> None:
    opened(tmp_path).put({"a": STATE})
    (tmp_path / "data" / "accepted.json").write_bytes(content)
    states = opened(tmp_path)
    assert states.get("a") is None and "was not written by Callgate" in states.problem


def test_an_older_file_counts_as_nothing_and_one_that_is_ahead_of_its_counter_counts(tmp_path: Path) -> None:
    file = tmp_path / "data" / "accepted.json"
    states = opened(tmp_path)
    states.put({"a": STATE})
    older = file.read_bytes()
    states.put({"a": State()})
    newer = file.read_bytes()
    file.write_bytes(older)
    assert "is not the one that Callgate wrote last" in opened(tmp_path).problem
    # the process died between the file and its counter
    anchor = tmp_path / "trust" / "anchor.json"
    content = json.loads(anchor.read_text("utf-8"))
    content["folders"] = {path: count - 1 for path, count in content["folders"].items()}
    anchor.write_text(json.dumps(content), "utf-8")
    file.write_bytes(newer)
    assert opened(tmp_path).get("a") == State()


def test_a_file_that_is_gone_or_came_along_with_its_folder_counts_as_nothing(tmp_path: Path) -> None:
    opened(tmp_path).put({"a": STATE})
    file = tmp_path / "data" / "accepted.json"
    kept = file.read_bytes()
    file.unlink()
    gone = opened(tmp_path)
    assert "missing" in gone.problem and gone.get("a") is None and not gone.is_first
    file.write_bytes(kept)
    (tmp_path / "trust" / "anchor.json").unlink()
    assert opened(tmp_path).problem and not opened(tmp_path).is_first


def test_what_cannot_be_kept_is_said_and_holds_for_this_run(tmp_path: Path) -> None:
    states = opened(tmp_path)
    (tmp_path / "data" / "accepted.json").mkdir()
    with pytest.raises(UserFault, match=r"accepted\.json"):
        states.put({"a": STATE})
