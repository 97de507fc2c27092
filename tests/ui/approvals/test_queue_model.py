"""The queue's rows follow the list they are given, and touch no more than changed."""

from dataclasses import replace

from pytestqt.modeltest import ModelTester
from tests.fakes.console import NOON, reviewing, waiting

from callgate.ui.approvals.queue_model import QueueModel, Role
from callgate.ui.approvals.waiting import WaitingCall


def call(id: str, at: float = NOON, snoozed: bool = False) -> WaitingCall:
    return WaitingCall(waiting(id=id, at=at), snoozed)


def ids(model: QueueModel) -> list[str]:
    return [found.id for row in range(model.rowCount()) if (found := model.call_at(row)) is not None]


def test_it_is_a_sound_model_through_every_change(qtmodeltester: ModelTester) -> None:
    model = QueueModel(lambda: NOON + 60)
    qtmodeltester.check(model)
    a, b, c = call("a"), call("b", NOON + 1), call("c", NOON + 2)
    for calls in ([a], [a, b, c], [b, c], [b, c, replace(a, snoozed=True)], [c], [a, b, c], []):
        model.set_calls(calls)
        assert ids(model) == [found.id for found in calls]


def test_rows_tell_tool_agent_summary_and_age() -> None:
    model = QueueModel(lambda: NOON + 61)
    model.set_calls([call("a")])
    index = model.index(0)
    assert index.data(Role.TOOL) == "run_command"
    assert index.data(Role.AGENT) == "claude-code"
    assert index.data(Role.SUMMARY) == "pytest -x tests/test_sync.py | tail -50"
    assert index.data(Role.AGE) == "1:00"
    assert not index.data(Role.REVIEW)
    assert "run_command, claude-code" in index.data()


def test_a_review_is_summed_up_by_its_result() -> None:
    model = QueueModel()
    model.set_calls([WaitingCall(reviewing())])
    assert model.index(0).data(Role.SUMMARY) == "secret = 1"
    assert model.index(0).data(Role.REVIEW)


def test_an_unchanged_row_is_not_touched() -> None:
    model = QueueModel()
    model.set_calls([call("a"), call("b", NOON + 1)])
    changes: list[tuple[int, list[int]]] = []
    model.dataChanged.connect(lambda top, _bottom, roles: changes.append((top.row(), list(roles))))
    model.set_calls([call("a"), call("b", NOON + 1)])
    assert changes == []
    model.set_seen(frozenset({"b"}))
    assert changes == [(1, [Role.SEEN])]
    model.tick()
    assert changes[-1] == (0, [Role.AGE, Role.LEFT, Role.URGENT])


def test_a_call_that_is_not_there_has_no_row() -> None:
    model = QueueModel()
    model.tick()
    assert model.row_of("x") == -1
    assert model.call_at(0) is None
    assert model.index(0).data(Role.TOOL) is None
