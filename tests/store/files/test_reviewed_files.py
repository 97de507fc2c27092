"""What counts of each file, what Callgate writes itself, and what is left when it dies in between."""

import json
from pathlib import Path
from typing import Any

import pytest

from callgate.core.config.items import Items, settings_items
from callgate.core.config.settings import Settings
from callgate.core.errors import UserFault
from callgate.core.rules.policy import Rule
from callgate.store.files.accepted import AcceptedStates
from callgate.store.files.reviewed_files import ReviewedFiles, ReviewedJson
from callgate.store.files.reviewed_rules import ReviewedRules
from callgate.store.rulebook import Rulebook

ALLOW = '# mine\n[[rules]]\nverdict = "allow"\ntool = "git"\n'
SWITCH = {"source": "s", "tool": "t", "agent": "", "enabled": False}


def book(files: ReviewedFiles) -> Rulebook:
    path = files.data / "rules.toml"
    return Rulebook(path, reviewed=ReviewedRules(path, files))


def switches(files: ReviewedFiles) -> ReviewedJson:
    return ReviewedJson(files.data / "switches.json", "switches", files)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def accept_all(files: ReviewedFiles) -> None:
    files.accept([one for change in files.changes() for one in change.widenings])


def test_dying_between_the_file_and_its_acceptance_loses_nothing_and_widens_nothing(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = ReviewedFiles(data)
    rules = book(files)
    with monkeypatch.context() as dying:
        dying.setattr(AcceptedStates, "put", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            rules.add(Rule("allow", "git"), "always")
    after = ReviewedFiles(data)
    assert book(after).rules() == () and [change.file for change in after.changes()] == ["rules.toml"]
    accept_all(after)
    assert [rule.tool for rule in book(after).rules()] == ["git"] and after.changes() == ()


def test_dying_while_a_restriction_is_removed_keeps_it(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = ReviewedFiles(data)
    rules = book(files)
    denied = rules.add(Rule("deny", "rm"), "always")
    with monkeypatch.context() as dying:
        dying.setattr(AcceptedStates, "put", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            rules.remove(denied.id)
    after = ReviewedFiles(data)
    assert [rule.verdict for rule in book(after).rules()] == ["deny"] and len(after.changes()) == 1


def test_uses_count_down_without_a_word_and_cannot_be_given_back(data: Path) -> None:
    files = ReviewedFiles(data)
    rules = book(files)
    limited = rules.add(Rule("allow", "git", uses=3), "always")
    rules.use(limited.id)
    rules.use(limited.id)
    assert files.changes() == ()
    path = data / "rules.toml"
    path.write_text(path.read_text("utf-8").replace("uses = 1", "uses = 9"), "utf-8")
    after = ReviewedFiles(data)
    again = book(after)
    assert [rule.uses for rule in again.rules()] == [1] and len(after.changes()) == 1
    again.use(again.rules()[0].id)
    assert [rule.uses for rule in again.rules()] == [0]


def test_a_removed_restriction_cannot_be_removed_in_the_window_instead(data: Path) -> None:
    files = ReviewedFiles(data)
    denied = book(files).add(Rule("deny", "rm"), "always")
    (data / "rules.toml").write_text("", "utf-8")
    rules = book(ReviewedFiles(data))
    with pytest.raises(UserFault, match="review that"):
        rules.remove(denied.id)


def test_an_entry_that_cannot_be_read_restricts_at_once_and_is_never_kept(data: Path) -> None:
    files = ReviewedFiles(data)
    (data / "rules.toml").write_text('[[rules]]\nverdict = "deny"\ntool = "rm"\nwehn = "x"\n', "utf-8")
    assert [rule.verdict for rule in book(files).rules()] == ["deny"] and files.changes() == ()
    files.settle()
    files.settle()
    (data / "rules.toml").write_text("", "utf-8")
    assert book(files).rules() == () and files.changes() == ()


def test_narrowing_is_taken_in_when_it_was_seen_twice_and_a_passing_state_is_not(data: Path) -> None:
    files = ReviewedFiles(data)
    rules = book(files)
    rules.add(Rule("allow", "git"), "always")
    whole = (data / "rules.toml").read_text("utf-8")
    (data / "rules.toml").write_text("", "utf-8")
    rules.reload()
    files.settle()
    assert rules.rules() == ()
    (data / "rules.toml").write_text(whole, "utf-8")
    rules.reload()
    files.settle()
    assert [rule.tool for rule in rules.rules()] == ["git"] and files.changes() == ()
    (data / "rules.toml").write_text("", "utf-8")
    rules.reload()
    files.settle()
    files.settle()
    (data / "rules.toml").write_text(whole, "utf-8")
    rules.reload()
    assert rules.rules() == () and len(files.changes()) == 1


def test_a_change_of_our_own_keeps_what_waits_in_a_json_file(data: Path) -> None:
    files = ReviewedFiles(data)
    file = switches(files)
    assert file.read() is None
    file.write([SWITCH])
    planted = {**SWITCH, "tool": "", "agent": "evil", "enabled": True}
    file.path.write_text(json.dumps([SWITCH, planted]), "utf-8")
    assert file.read_again() == [SWITCH] and len(files.changes()) == 1
    other = {**SWITCH, "tool": "u"}
    file.write([other])
    assert json.loads(file.path.read_text("utf-8")) == [planted, other]
    again = ReviewedFiles(data)
    assert switches(again).read() == [other] and len(again.changes()) == 1


def test_half_a_file_is_left_alone_while_the_program_runs(data: Path) -> None:
    file = switches(ReviewedFiles(data))
    file.path.write_text("[{", "utf-8")
    with pytest.raises(UserFault, match="stays in force"):
        file.read_again()
    assert file.path.read_text("utf-8") == "[{"


def test_putting_back_writes_what_was_accepted_and_keeps_every_rejected_file(data: Path) -> None:
    files = ReviewedFiles(data)
    rules, file = book(files), switches(files)
    (data / "rules.toml").write_text(ALLOW, "utf-8")
    rules.reload()
    accept_all(files)
    file.read()
    file.write([SWITCH])
    for _ in range(2):
        (data / "rules.toml").write_text('[[rules]]\nverdict = "allow"\n', "utf-8")
        file.path.write_text("[]", "utf-8")
        rules.reload()
        file.read_again()
        assert len(files.changes()) == 2
        files.put_back("rules.toml")
        files.put_back("switches.json")
        assert (data / "rules.toml").read_text("utf-8") == ALLOW
        assert json.loads(file.path.read_text("utf-8")) == [SWITCH] and files.changes() == ()
    assert sorted(path.name for path in data.glob("*.rejected*")) == [
        "rules.toml.rejected",
        "rules.toml.rejected-2",
        "switches.json.rejected",
        "switches.json.rejected-2",
    ]


def test_a_configuration_that_was_accepted_in_part_is_put_back_from_its_items(data: Path, tmp_path: Path) -> None:
    files, path = ReviewedFiles(data), tmp_path / "my.toml"
    said: dict[str, Any] = {
        "gate": {"client_tools": "observe", "block_tools": ["a"]},
        "chat": {"tools": {"edits": {"autoApprove": {"**": True}}}},
        "rules": [{"verdict": "allow", "tool": "git"}],
    }
    found: Items = settings_items(Settings.model_validate(said))
    path.write_text("…", "utf-8")
    files.look(path, "configuration", found, "…")
    (change,) = files.changes()
    files.accept([one for one in change.widenings if "setting" in one.what])
    files.put_back(str(path))
    text = path.read_text("utf-8")
    assert 'client_tools = "observe"' in text and "[[rules]]" not in text and "block_tools" in text


def test_where_nothing_can_be_kept_the_program_goes_on_and_says_so(data: Path) -> None:
    files = ReviewedFiles(data)
    rules = book(files)
    (data / "accepted.json").mkdir()
    rules.add(Rule("allow", "git"), "always")
    assert "cannot be kept" in files.problem
