"""Many at once: only what was shown, and only on a second press."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, reviewing, sample_tools, waiting

from callgate.core.calls.invocation import shown_hash
from callgate.ui.approvals.bulk import BulkBar

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def bar(qtbot: QtBot, console: FakeConsole) -> BulkBar:
    bar = BulkBar(console, "queue", arm_ms=0)
    qtbot.addWidget(bar)
    bar.show()
    return bar


def test_nothing_shown_means_nothing_to_press(bar: BulkBar) -> None:
    bar.set_calls([])
    assert not bar.approve.isEnabled()
    assert not bar.deny.isEnabled()


def test_two_presses_approve_each_call_with_its_own_hash(bar: BulkBar, console: FakeConsole) -> None:
    calls = [waiting(id="a"), reviewing(id="b", at=NOON + 1)]
    for call in calls:
        console.change(call)
    bar.set_calls(calls)
    QTest.mouseClick(bar.approve, LEFT)
    assert console.decisions == []
    assert "click again" in bar.approve.text()
    QTest.mouseClick(bar.approve, LEFT)
    assert [(id, decision.verb) for id, decision, _ in console.decisions] == [("a", "approve"), ("b", "accept")]
    assert console.decisions[0][1].shown == shown_hash(calls[0])
    assert not bar.approve.isEnabled()


def test_deny_denies_and_withholds(bar: BulkBar, console: FakeConsole) -> None:
    calls = [waiting(id="a"), reviewing(id="b", at=NOON + 1)]
    for call in calls:
        console.change(call)
    bar.set_calls(calls)
    QTest.mouseClick(bar.deny, LEFT)
    QTest.mouseClick(bar.deny, LEFT)
    assert [decision.verb for _, decision, _ in console.decisions] == ["deny", "withhold"]


def test_a_first_press_does_not_count_for_another_question(bar: BulkBar, console: FakeConsole) -> None:
    bar.set_calls([waiting(id="a")])
    QTest.mouseClick(bar.approve, LEFT)
    bar.set_calls([waiting(id="a"), waiting(id="b", at=NOON + 1)])
    QTest.mouseClick(bar.approve, LEFT)
    assert console.decisions == []
    QTest.mouseClick(bar.deny, LEFT)
    assert console.decisions == []


def test_calls_that_were_decided_meanwhile_are_counted(qtbot: QtBot, bar: BulkBar, console: FakeConsole) -> None:
    bar.set_calls([waiting(id="gone")])
    QTest.mouseClick(bar.approve, LEFT)
    with qtbot.waitSignal(bar.failed, timeout=2000) as failed:
        QTest.mouseClick(bar.approve, LEFT)
    assert failed.args == [1]


def test_calls_that_may_do_harm_are_not_approved_in_bulk_but_can_be_denied(bar: BulkBar, console: FakeConsole) -> None:
    console.tool_list = list(sample_tools())
    calls = [waiting("read_file", id="a"), waiting("write_file", id="b", at=NOON + 1)]
    for call in calls:
        console.change(call)
    bar.set_calls(calls)
    assert bar.approve.text() == "Approve reviewed (1)" and bar.deny.text() == "Deny reviewed (2)"
    assert bar.approve.toolTip() == "1 risky or changed: approve each on its own"
    QTest.mouseClick(bar.approve, LEFT)
    QTest.mouseClick(bar.approve, LEFT)
    assert [id for id, _, _ in console.decisions] == ["a"]
