"""Names that are claimed and names that are proven never stand for each other."""

import pytest

from callgate.core.agent import (
    NAME,
    OWN_NAME,
    Agent,
    identity,
    may_continue,
    name_problem,
    proof_words,
    shown_agent,
    stored_identity,
)


def test_a_claimed_name_has_another_identity_than_the_same_name_proven() -> None:
    assert Agent("a").identity != Agent("a", proven=True).identity
    assert not NAME.fullmatch(identity("a", proven=True)), "nobody can claim what a proven identity looks like"


def test_what_a_proven_agent_said_is_continued_by_itself_alone() -> None:
    claimed, proven, other = identity("a", False), identity("a", True), identity("b", True)
    assert may_continue(proven, proven)
    assert not may_continue(proven, claimed)
    assert not may_continue(proven, other)
    assert may_continue(claimed, proven)
    assert may_continue("", claimed), "kept by an earlier version"


def test_the_persons_own_messages_in_an_older_journal_are_hers() -> None:
    assert stored_identity(OWN_NAME, False) == identity(OWN_NAME, True)
    assert stored_identity("codex", False) == "codex"


@pytest.mark.parametrize("name", ["", "1st", "a b", "a" * 41, "сodex", "callgate", "unknown", "a/b", "*", "a\n"])
def test_names_that_could_be_taken_for_others_get_no_token(name: str) -> None:
    assert name_problem(name)


@pytest.mark.parametrize("name", ["claude-code", "ci.bot_2", "A+"])
def test_plain_names_get_one(name: str) -> None:
    assert not name_problem(name)


def test_a_claim_of_a_registered_name_is_marked() -> None:
    assert shown_agent("codex", proven=False, registered=True) == "codex (claimed)"
    assert shown_agent("codex", proven=True, registered=True) == "codex"
    assert shown_agent("codex", proven=False, registered=False) == "codex"
    assert len({proof_words(True), proof_words(False), proof_words(False, registered=True)}) == 3
