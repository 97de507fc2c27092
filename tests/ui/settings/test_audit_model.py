"""Decisions as rows: how each ended, who decided, and a filter in the one language of filters."""

import pytest
from pytestqt.modeltest import ModelTester

from callgate.core.rules.audit import AuditEntry, gap
from callgate.core.rules.match import parse
from callgate.ui.settings.audit_model import AuditModel, look_of_entry, words_of
from callgate.ui.settings.two_line import Line

NOW = 1_760_000_000.0
APPROVED = AuditEntry(
    3, NOW - 120, stage="call", agent="claude-code", tool="run_command", source="built-in", reason="UserAction",
    decided_by="person", initiator="dialog", scope="session", waited_seconds=12.3, edited=True, state="Executing",
)  # fmt: skip
DENIED = AuditEntry(
    2, NOW - 600, stage="call", agent="script", tool="write_file", reason="Denied", decided_by="rule",
    rule="deny write_file", explanation="secrets", state="Completed", verdict="deny",
)  # fmt: skip
RESULT = AuditEntry(
    1, NOW, stage="result", tool="read_file", decided_by="person", result_changed=True, state="Completed"
)


def test_a_row_says_who_decided_what(qtmodeltester: ModelTester) -> None:
    model = AuditModel()
    model.set_entries([APPROVED, DENIED], NOW)
    qtmodeltester.check(model)
    first = model.index(0)
    assert (first.data(Line.TITLE), first.data(Line.DETAIL)) == ("run_command", "claude-code")
    assert first.data(Line.LOOK).word == "allowed" and first.data(Line.RIGHT) == "2 min ago"
    assert first.data(Line.FOOT) == "by you in the dialog  ·  for this session  ·  arguments edited  ·  waited 12 s"
    assert model.index(1).data(Line.FOOT) == "by a rule  ·  deny write_file  ·  secrets"
    assert words_of(RESULT) == "by you  ·  result changed"
    assert (model.total, model.oldest) == (2, 2)


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"reason": "Timeout", "state": "Cancelled"}, "timed out"),
        ({"state": "Cancelled"}, "cancelled"),
        ({"stage": "result", "state": "Completed"}, "review"),
        ({"reason": "Denied", "state": "Completed"}, "denied"),
        ({"reason": "Skipped", "state": "Completed"}, "skipped"),
        ({"reason": "UserAction", "state": "Completed"}, "answered"),
        ({"reason": "Setting", "state": "Released"}, "allowed"),
    ],
)
def test_every_way_to_end_has_its_word(given: dict, word: str) -> None:
    assert look_of_entry(AuditEntry(1, NOW, **given)).word == word


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("tool:run_*", [3]),
        ("decision=denied", [2]),
        ("decision=rule", [2]),
        ("agent:script or dur>10s", [3, 2]),
        ("secrets", [2]),
        ("not decision=denied", [3, 1]),
        ("cost>1", []),
    ],
)
def test_the_filter_knows_the_fields_of_an_entry(words: str, found: list[int]) -> None:
    model = AuditModel()
    model.set_entries([APPROVED, DENIED, RESULT], NOW)
    model.set_filter(parse(words))
    assert [model.index(row).data(Line.ITEM).sequence for row in range(model.rowCount())] == found
    model.set_filter(None)
    assert model.rowCount() == 3


def test_a_gap_is_shown_as_one_and_not_as_a_decision(qtmodeltester: ModelTester) -> None:
    model = AuditModel()
    model.set_entries([gap(NOW - 60, NOW, 3)], NOW)
    assert model.data(model.index(0), Line.TITLE) == "Decisions not recorded"
    assert look_of_entry(gap(NOW - 60, NOW, 3)).word == "gap"
    assert "3 decisions were not recorded" in str(model.data(model.index(0), Line.FOOT))
    qtmodeltester.check(model)
