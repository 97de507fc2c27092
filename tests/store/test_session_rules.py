"""Rules for one conversation or one turn of it: they end when it does, and can't be brought back."""

from dataclasses import replace
from pathlib import Path

import pytest

from callgate.core.errors import UserFault
from callgate.core.rules.policy import Rule, Within
from callgate.store.rulebook import Rulebook
from callgate.store.session_rules import SessionRules

IN_C = Within("c", "claude-code")
TURN = replace(IN_C, turn="e1")


@pytest.fixture
def book(tmp_path: Path) -> Rulebook:
    return Rulebook(tmp_path / "rules.toml")


def in_turn(within: Within = TURN) -> Rule:
    return Rule("allow", "read_file", within=within)


def test_a_turn_ends_with_the_next_user_message_and_takes_its_rules_along(book: Rulebook) -> None:
    changes: list[int] = []
    book.on_change(lambda: changes.append(len(book.rules())))
    assert book.enter_turn("c", "e1", begins=True) == "e1"
    rule = book.add(in_turn(), "turn")
    assert book.enter_turn("c", "e2", begins=False) == "e1"
    assert book.rules() == (rule,)
    assert book.enter_turn("d", "e3", begins=True) == "e3"
    assert book.rules() == (rule,), "another conversation ends nothing here"
    assert book.enter_turn("c", "e4", begins=True) == "e4"
    assert book.rules() == ()
    assert changes == [1, 0]


def test_a_rule_for_a_turn_that_is_over_is_refused(book: Rulebook) -> None:
    book.enter_turn("c", "e1", begins=True)
    book.enter_turn("c", "e2", begins=True)
    with pytest.raises(UserFault, match="turn has ended"):
        book.add(in_turn(), "turn")
    assert book.rules() == ()


@pytest.mark.parametrize(
    ("within", "scope"),
    [
        (None, "turn"),
        (None, "conversation"),
        (IN_C, "turn"),
        (TURN, "conversation"),
        (TURN, "session"),
        (IN_C, "always"),
        (IN_C, "workspace"),
        (Within("", "claude-code"), "conversation"),
        (Within("unknown", "claude-code"), "conversation"),
    ],
)
def test_a_rule_whose_limits_do_not_fit_its_scope_is_refused_and_never_widened(
    tmp_path: Path, within: Within | None, scope: str
) -> None:
    book = Rulebook(tmp_path / "rules.toml", workspace=tmp_path)
    book.enter_turn("c", "e1", begins=True)
    with pytest.raises(UserFault):
        book.add(replace(in_turn(), within=within), scope)  # type: ignore[arg-type]
    assert book.rules() == ()
    assert not (tmp_path / "rules.toml").exists()


def test_rules_of_a_conversation_are_never_written_down(book: Rulebook, tmp_path: Path) -> None:
    book.enter_turn("c", "e1", begins=True)
    book.add(in_turn(), "turn")
    kept = book.add(in_turn(IN_C), "conversation")
    book.reload()
    assert kept in book.rules() and len(book.rules()) == 2
    assert not (tmp_path / "rules.toml").exists()
    assert Rulebook(tmp_path / "rules.toml").rules() == ()


def test_forgetting_a_conversation_ends_its_rules_for_good(book: Rulebook) -> None:
    book.enter_turn("c", "e1", begins=True)
    book.add(in_turn(), "turn")
    book.add(in_turn(IN_C), "conversation")
    lasting = book.add(Rule("allow", "read_file"), "session")
    book.forget("c")
    assert book.rules() == (lasting,)
    for rule, scope in ((in_turn(), "turn"), (in_turn(IN_C), "conversation")):
        with pytest.raises(UserFault, match="not known"):
            book.add(rule, scope)  # type: ignore[arg-type]


def test_they_are_used_up_reset_and_accepted_again_like_others(book: Rulebook) -> None:
    book.enter_turn("c", "e1", begins=True)
    rule = book.add(replace(in_turn(), uses=2, fingerprint="old"), "turn")
    book.use(rule.id)
    assert book.rules()[0].uses == 1
    assert book.reaccept(rule.id, "new") == replace(rule, uses=1, fingerprint="new")
    session = book.add(Rule("deny", "x"), "session")
    book.reset(("turn",))
    assert book.rules() == (session,)
    book.reset()
    assert book.rules() == ()


def test_the_rules_of_conversations_that_are_not_remembered_any_more_end() -> None:
    rules = SessionRules(most=2)
    rules.enter_turn("c", "e1", begins=True)
    rules.add(replace(in_turn(IN_C), id="r"))
    rules.enter_turn("d", "e2", begins=True)
    assert rules.enter_turn("e", "e3", begins=True) == ("e3", True)
    assert rules.rules == ()
    assert rules.enter_turn("c", "e9", begins=False)[0] == "e9", "its old turn is not resumed"
