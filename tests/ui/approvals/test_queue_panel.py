"""The queue shows everything that waits and lets one decide what was looked at."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView, QPushButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, waiting

from callgate.core.calls.invocation import Invocation
from callgate.ui.approvals.queue_panel import QueuePanel
from callgate.ui.approvals.waiting import WaitingCall
from callgate.ui.theme.theme import Theme

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot: QtBot, console: FakeConsole, theme: Theme) -> QueuePanel:
    panel = QueuePanel(console, theme, arm_ms=0, now=lambda: NOON + 30)
    qtbot.addWidget(panel)
    panel.resize(1000, 300)
    panel.show()
    return panel


def fill(panel: QueuePanel, console: FakeConsole, *calls: Invocation) -> None:
    for call in calls:
        console.change(call)
    panel.set_calls([WaitingCall(call) for call in calls])


def three() -> tuple[Invocation, ...]:
    return waiting(id="a"), waiting("read_file", id="b", at=NOON + 1), waiting("get_weather", id="c", at=NOON + 2)


def chosen(panel: QueuePanel) -> str:
    return panel.bar.invocation.id if panel.bar.invocation is not None else ""


def test_an_empty_queue_says_so(panel: QueuePanel) -> None:
    panel.set_calls([])
    assert panel._stack.currentIndex() == 0
    assert panel.findChild(QListView, "approvalQueue") is panel.list


def test_the_oldest_is_chosen_and_can_be_decided(qtbot: QtBot, panel: QueuePanel, console: FakeConsole) -> None:
    fill(panel, console, *three())
    assert (panel._stack.currentIndex(), chosen(panel)) == (1, "a")
    qtbot.waitUntil(lambda: panel.sheet.is_seen, timeout=2000)
    button = panel.bar.findChild(QPushButton, "approveButton")
    assert button is not None
    QTest.mouseClick(button, LEFT)
    assert [(id, who) for id, _, who in console.decisions] == [("a", "queue")]


def test_j_and_k_walk_through_the_list(panel: QueuePanel, console: FakeConsole) -> None:
    fill(panel, console, *three())
    QTest.keyClick(panel.list, Qt.Key.Key_J)
    assert chosen(panel) == "b"
    QTest.keyClick(panel.list, Qt.Key.Key_K)
    QTest.keyClick(panel.list, Qt.Key.Key_K)
    assert chosen(panel) == "a"


def test_enter_opens_the_dialog_and_decides_nothing(qtbot: QtBot, panel: QueuePanel, console: FakeConsole) -> None:
    fill(panel, console, *three())
    with qtbot.waitSignal(panel.open_requested, timeout=2000) as opened:
        QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert opened.args == ["a"]
    assert console.decisions == []


def test_the_choice_stays_when_others_come_and_go(panel: QueuePanel, console: FakeConsole) -> None:
    a, b, c = three()
    fill(panel, console, a, b)
    panel.choose("b")
    panel.set_calls([WaitingCall(b), WaitingCall(c)])
    assert chosen(panel) == "b"
    panel.set_calls([WaitingCall(c)])
    assert chosen(panel) == "c"
    panel.set_calls([])
    assert chosen(panel) == ""


def test_bulk_takes_only_what_has_been_shown(qtbot: QtBot, panel: QueuePanel, console: FakeConsole) -> None:
    fill(panel, console, *three())
    qtbot.waitUntil(lambda: "(1)" in panel.bulk.approve.text(), timeout=2000)
    panel.choose("c")
    qtbot.waitUntil(lambda: "(2)" in panel.bulk.approve.text(), timeout=2000)
    QTest.mouseClick(panel.bulk.approve, LEFT)
    QTest.mouseClick(panel.bulk.approve, LEFT)
    assert [id for id, _, _ in console.decisions] == ["a", "c"]


def test_a_call_whose_text_changed_was_not_shown(qtbot: QtBot, panel: QueuePanel, console: FakeConsole) -> None:
    a, b, _ = three()
    fill(panel, console, a, b)
    qtbot.waitUntil(lambda: "(1)" in panel.bulk.approve.text(), timeout=2000)
    panel.choose("b")
    qtbot.waitUntil(lambda: "(2)" in panel.bulk.approve.text(), timeout=2000)
    panel.set_calls([WaitingCall(waiting(id="a", arguments={"command": "rm"})), WaitingCall(b)])
    assert "(1)" in panel.bulk.approve.text()


def test_nothing_counts_as_shown_while_the_panel_is_hidden(
    qtbot: QtBot, panel: QueuePanel, console: FakeConsole
) -> None:
    panel.hide()
    fill(panel, console, *three())
    qtbot.wait(30)
    assert "(0)" in panel.bulk.approve.text()


def test_a_narrow_tall_panel_puts_the_call_under_the_list(panel: QueuePanel, console: FakeConsole) -> None:
    fill(panel, console, *three())
    assert panel._split.orientation() == Qt.Orientation.Horizontal
    panel.resize(560, 700)
    assert panel._split.orientation() == Qt.Orientation.Vertical


def test_calls_decided_meanwhile_are_told(panel: QueuePanel, console: FakeConsole) -> None:
    fill(panel, console, *three())
    panel.bulk.failed.emit(2)
    assert panel._note.text() == "2 of them had been decided already."


def test_the_filter_shows_fewer_rows_and_keeps_the_chosen_one_if_it_fits(
    panel: QueuePanel, console: FakeConsole
) -> None:
    fill(panel, console, *three())
    panel.choose("b")
    panel.filter.field.setText("tool:read_*")
    assert panel.model.rowCount() == 1
    assert chosen(panel) == "b"
    panel.filter.field.setText("nothing like it")
    assert panel.model.rowCount() == 0 and chosen(panel) == ""
    panel.filter.field.clear()
    assert panel.model.rowCount() == 3


def test_slash_goes_to_the_filter(panel: QueuePanel, console: FakeConsole) -> None:
    fill(panel, console, *three())
    panel.activateWindow()
    QTest.keyClick(panel.list, Qt.Key.Key_Slash)
    assert panel.filter.field.hasFocus()


def test_identical_calls_are_seen_together_and_decided_in_bulk(
    qtbot: QtBot, panel: QueuePanel, console: FakeConsole
) -> None:
    fill(panel, console, waiting("read_file", id="a"), waiting("read_file", id="b", at=NOON + 1))
    panel.filter.orders.choose("identical")
    assert panel.model.rowCount() == 1
    qtbot.waitUntil(lambda: panel.sheet.is_seen, timeout=2000)
    qtbot.waitUntil(lambda: "(2)" in panel.bulk.approve.text(), timeout=2000)
