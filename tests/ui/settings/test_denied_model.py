"""Refused calls as rows."""

from dataclasses import replace

from pytestqt.modeltest import ModelTester
from tests.fakes.console import NOON, completed, denied, skipped, timed_out

from callgate.ui.settings.denied_model import DeniedModel, who_refused
from callgate.ui.settings.two_line import Line


def test_only_what_was_refused_is_kept_with_who_and_why(qtmodeltester: ModelTester) -> None:
    model = DeniedModel()
    qtmodeltester.check(model)
    model.set_calls([denied(reason="private", id="d"), completed(id="c"), timed_out(id="t")], NOON + 120)
    assert model.rowCount() == 2
    index = model.index(0)
    assert index.data(Line.TITLE) == "run_command"
    assert index.data(Line.DETAIL) == "pytest -x tests/test_sync.py | tail -50"
    assert index.data(Line.FOOT) == "claude-code  ·  denied by you: private"
    assert index.data(Line.RIGHT) == "2 min ago"
    assert index.data(Line.LOOK).word == "denied" and index.data(Line.ITEM).id == "d"
    qtmodeltester.check(model)


def test_the_same_calls_are_not_built_anew() -> None:
    model = DeniedModel()
    calls = [denied(id="d")]
    model.set_calls(calls, NOON)
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    model.set_calls(calls, NOON + 3600)
    assert resets == [] and model.index(0).data(Line.RIGHT) == "1 h ago"
    assert model.row_of("d") == 0 and model.row_of("x") == -1


def test_whoever_refused_is_named() -> None:
    assert who_refused(timed_out()) == "nobody decided in time"
    assert who_refused(skipped()) == "skipped by you"
    by_rule = replace(denied(reason="never"), decided_by="rule")
    assert who_refused(by_rule) == "denied by a rule: never"
    assert who_refused(replace(by_rule, decided_by="setting", explanation="")) == "denied"
