"""The person's file: changed where asked, otherwise letter for letter as it was."""

import os
from pathlib import Path

import pytest

from callgate.core.errors import UserFault
from callgate.core.rules.policy import Rule
from callgate.store.files.rules_file import RulesFile

BY_HAND = """\
# my rules
colour = "red"      # unknown, and kept

[[rules]]   # first
verdict = "allow"   # yes
tool = "read_file"
uses = 3

# about the second
[[rules]]
id = "second"
tool = 'write_file'
verdict = "ask"

# about the third
[[rules]]
id = "third"
verdict = "deny"
tool = "rm"
# the end of the third

[other]
thing = 1
"""


@pytest.fixture
def file(tmp_path: Path) -> RulesFile:
    return RulesFile(tmp_path / "data" / "rules.toml")


@pytest.fixture
def by_hand(file: RulesFile) -> RulesFile:
    file.path.parent.mkdir()
    file.path.write_text(BY_HAND, encoding="utf-8")
    return file


def text(file: RulesFile) -> str:
    return file.path.read_text(encoding="utf-8")


def tools(file: RulesFile) -> list[str]:
    return [entry.rule.tool for entry in file.read().entries]


def test_a_missing_file_is_an_empty_one(file: RulesFile) -> None:
    assert file.read().entries == ()
    assert not file.path.exists()


def test_appended_rules_are_read_back(file: RulesFile) -> None:
    first = Rule("allow", "a", when="args.x:'\"q\"\\*'", note="it's\nfine", id="1", origin="always")
    second = Rule("deny", "b", expires=1.5, uses=2, id="2", origin="workspace", fingerprint="f")
    file.append(first)
    file.append(second, "/w s/ö")
    assert [(entry.rule, entry.workspace) for entry in file.read().entries] == [(first, ""), (second, "/w s/ö")]


def test_appending_keeps_every_letter_that_was_there(by_hand: RulesFile) -> None:
    by_hand.append(Rule("allow", "new", id="new"))
    assert tools(by_hand) == ["read_file", "write_file", "rm", "new"]
    lines = iter(text(by_hand).splitlines())
    assert all(line in lines for line in BY_HAND.splitlines())


def test_removing_takes_exactly_one_table_and_leaves_all_comments_about_others(by_hand: RulesFile) -> None:
    first, _, _ = by_hand.read().entries
    by_hand.remove(frozenset({first.rule.id}))
    gone = '[[rules]]   # first\nverdict = "allow"   # yes\ntool = "read_file"\nuses = 3\n\n'
    assert text(by_hand) == BY_HAND.replace(gone, "")


def test_removing_one_in_the_middle_keeps_the_comment_of_the_next(by_hand: RulesFile) -> None:
    by_hand.remove(frozenset({"second"}))
    assert tools(by_hand) == ["read_file", "rm"]
    assert "# about the third\n[[rules]]" in text(by_hand)


def test_removing_the_last_or_all_keeps_comments_and_other_tables(by_hand: RulesFile) -> None:
    by_hand.remove(frozenset({"third"}))
    assert "# the end of the third" in text(by_hand)
    by_hand.remove(frozenset(entry.rule.id for entry in by_hand.read().entries))
    assert tools(by_hand) == []
    for kept in ("# my rules", 'colour = "red"      # unknown, and kept', "[other]\nthing = 1"):
        assert kept in text(by_hand)
    by_hand.append(Rule("allow", "again", id="again"))
    assert tools(by_hand) == ["again"]


def test_counting_down_changes_one_number(by_hand: RulesFile) -> None:
    by_hand.set_uses(by_hand.read().entries[0].rule.id, 2)
    assert text(by_hand) == BY_HAND.replace("uses = 3", "uses = 2")


def test_uses_of_configured_rules_are_counted_in_a_table_of_their_own(by_hand: RulesFile) -> None:
    by_hand.set_spent("config_1", 1)
    by_hand.set_spent("config_2", 1)
    by_hand.set_spent("config_1", 2)
    assert by_hand.read().spent == (("config_1", 2), ("config_2", 1))
    assert tools(by_hand) == ["read_file", "write_file", "rm"]


def test_when_a_setting_was_switched_on_is_kept_in_a_table_of_its_own(by_hand: RulesFile) -> None:
    by_hand.set_switched_on("chat.tools.x", 12.5)
    assert by_hand.read().switched_on == (("chat.tools.x", 12.5),)
    by_hand.set_switched_on("chat.tools.x", None)
    by_hand.set_switched_on("chat.tools.y", None)
    assert by_hand.read().switched_on == ()
    assert tools(by_hand) == ["read_file", "write_file", "rm"]


def test_rules_in_a_list_of_inline_tables_can_be_changed_too(file: RulesFile) -> None:
    file.path.parent.mkdir()
    file.path.write_text(
        "rules = [\n  { verdict = 'allow', tool = 'a', uses = 2 }, # one\n  { verdict = 'ask', tool = 'b' },\n]\n",
        encoding="utf-8",
    )
    file.append(Rule("deny", "c", id="c"))
    file.set_uses(file.read().entries[0].rule.id, 1)
    file.remove(frozenset({file.read().entries[1].rule.id}))
    assert [(entry.rule.tool, entry.rule.uses) for entry in file.read().entries] == [("a", 1), ("c", None)]


def test_windows_line_ends_stay(file: RulesFile) -> None:
    file.path.parent.mkdir()
    file.path.write_bytes(b"# mine\r\n[[rules]]\r\nverdict = 'ask'\r\ntool = 'a'\r\n")
    file.append(Rule("deny", "b", id="b"))
    assert file.path.read_bytes().startswith(b"# mine\r\n[[rules]]\r\nverdict = 'ask'\r\ntool = 'a'\r\n")
    assert tools(file) == ["a", "b"]


@pytest.mark.parametrize(
    "bad", [b"[[rules]\n", b"\xff\xfe", b"rules = 3\n", b"[rules]\na = 1\n", b"spent = 1\n", b"switched_on = 1\n"]
)
def test_a_file_that_cannot_be_read_is_never_written(file: RulesFile, bad: bytes) -> None:
    file.path.parent.mkdir()
    file.path.write_bytes(bad)
    with pytest.raises(UserFault, match=r"rules\.toml cannot be read"):
        file.read()
    with pytest.raises(UserFault, match=r"rules\.toml cannot be read"):
        file.append(Rule("allow", "a", id="a"))
    assert file.path.read_bytes() == bad


def test_a_failed_replacement_leaves_the_old_file_and_nothing_else(
    by_hand: RulesFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserFault, match="cannot be written: No space left"):
        by_hand.append(Rule("allow", "a", id="a"))
    assert [path.name for path in by_hand.path.parent.iterdir()] == ["rules.toml"]
    assert text(by_hand) == BY_HAND


def test_a_link_stays_a_link(by_hand: RulesFile, tmp_path: Path) -> None:
    link = tmp_path / "link.toml"
    link.symlink_to(by_hand.path)
    RulesFile(link).append(Rule("allow", "a", id="a"))
    assert link.is_symlink()
    assert "a" in tools(by_hand)
