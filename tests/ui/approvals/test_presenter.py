"""Dialog, queue and count always say what the events say."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, cancelled, denied, reviewing, waiting

from callgate.core.calls.invocation import Decision
from callgate.ui.approvals.presenter import ApprovalPresenter
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def make(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme) -> Callable[[], ApprovalPresenter]:
    def build() -> ApprovalPresenter:
        presenter = ApprovalPresenter(console, bridge, theme, arm_ms=0, now=lambda: NOON + 10)
        qtbot.addWidget(presenter.dialog)
        qtbot.addWidget(presenter.queue)
        return presenter

    return build


@pytest.fixture
def presenter(make: Callable[[], ApprovalPresenter]) -> ApprovalPresenter:
    return make()


def note(presenter: ApprovalPresenter) -> str:
    label = presenter.dialog.findChild(QLabel, "approvalNote")
    assert label is not None
    return label.text() if not label.isHidden() else ""


def test_a_call_that_begins_to_wait_opens_the_dialog_and_is_counted(
    presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge
) -> None:
    counts: list[int] = []
    presenter.waiting_changed.connect(counts.append)
    assert not presenter.dialog.isVisible()
    console.change(waiting(id="a"))
    console.change(waiting(id="b", at=NOON + 1))
    bridge.flush()
    assert presenter.dialog.isVisible()
    assert presenter.dialog.current_id == "a"
    assert presenter.queue.model.rowCount() == 2
    assert counts == [2]


def test_new_calls_are_announced_once_with_how_many_wait(
    presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("callgate.ui.approvals.presenter.announce", lambda _widget, words: said.append(words))
    console.change(waiting(id="a"))
    bridge.flush()
    console.change(waiting(id="b", at=NOON + 1))
    console.change(waiting(id="c", at=NOON + 2))
    bridge.flush()
    console.decide("a", Decision("deny"), "dialog")
    bridge.flush()
    assert said == ["claude-code wants to run run_command", "claude-code wants to run run_command. 3 waiting"]


def test_what_waited_before_the_window_came_is_shown_too(
    make: Callable[[], ApprovalPresenter], console: FakeConsole
) -> None:
    console.change(waiting(id="a"))
    presenter = make()
    assert presenter.count == 1
    assert presenter.dialog.isVisible()


def test_approving_in_the_dialog_moves_on_to_the_next_without_a_note(
    qtbot: QtBot, presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge
) -> None:
    console.change(waiting(id="a"))
    console.change(waiting("read_file", id="b", at=NOON + 1))
    bridge.flush()
    qtbot.waitUntil(lambda: presenter.dialog.sheet.is_seen, timeout=2000)
    button = presenter.dialog.findChild(QPushButton, "approveButton")
    assert button is not None
    QTest.mouseClick(button, LEFT)
    bridge.flush()
    assert presenter.dialog.current_id == "b"
    assert note(presenter) == ""
    assert presenter.queue.model.rowCount() == 1


def test_a_decision_in_the_queue_or_a_card_reaches_the_dialog(
    presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge
) -> None:
    console.change(waiting(id="a"))
    console.change(waiting(id="b", at=NOON + 1))
    bridge.flush()
    console.decide("a", Decision("deny"), "card")
    bridge.flush()
    assert presenter.dialog.current_id == "b"
    assert note(presenter) == "run_command was denied in the conversation."


def test_a_cancelled_call_leaves_a_note_and_nothing_to_press(
    presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge
) -> None:
    console.change(waiting())
    bridge.flush()
    console.change(cancelled())
    bridge.flush()
    assert "cancelled" in note(presenter)
    button = presenter.dialog.findChild(QPushButton, "approveButton")
    assert button is not None
    assert not button.isEnabled()


def test_a_closed_dialog_stays_closed_until_another_call_waits(
    presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge
) -> None:
    console.change(waiting(id="a"))
    bridge.flush()
    presenter.dialog.close()
    console.change(waiting(id="a"))
    bridge.flush()
    assert not presenter.dialog.isVisible()
    console.change(waiting(id="b", at=NOON + 1))
    bridge.flush()
    assert presenter.dialog.isVisible()
    assert presenter.dialog.current_id == "a"
    assert console.decisions == []


def test_not_now_closes_the_dialog_for_it_and_moves_it_to_the_end(
    presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge
) -> None:
    console.change(waiting(id="a"))
    console.change(waiting(id="b", at=NOON + 1))
    bridge.flush()
    presenter.dialog.snoozed.emit("a")
    assert presenter.dialog.current_id == "b"
    last = presenter.queue.model.call_at(1)
    assert last is not None
    assert (last.id, last.snoozed) == ("a", True)
    presenter.queue.snoozed.emit("b")
    assert not presenter.dialog.isVisible()
    assert presenter.count == 2
    assert console.decisions == []


@pytest.mark.qt_log_ignore("does not support raise")  # said by Qt's offscreen platform
def test_a_call_that_was_put_off_can_be_opened_again(
    presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge
) -> None:
    console.change(waiting(id="a"))
    bridge.flush()
    presenter.dialog.snoozed.emit("a")
    presenter.open()
    assert presenter.dialog.isVisible()
    presenter.dialog.snoozed.emit("a")
    presenter.queue.open_requested.emit("a")
    assert presenter.dialog.current_id == "a"
    assert presenter.dialog.isVisible()


def test_opening_with_nothing_waiting_shows_nothing(presenter: ApprovalPresenter) -> None:
    presenter.open()
    presenter.open("gone")
    assert not presenter.dialog.isVisible()


def test_a_result_to_review_is_asked_about_as_well(
    presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge
) -> None:
    console.change(waiting("read_file"))
    bridge.flush()
    presenter.dialog.close()
    console.change(reviewing("read_file"))
    bridge.flush()
    assert presenter.dialog.isVisible()
    assert presenter.dialog.sheet.result.isVisible()


def test_a_call_that_never_waited_disturbs_nobody(
    presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge
) -> None:
    heard: list[int] = []
    presenter.waiting_changed.connect(heard.append)
    console.change(denied())
    bridge.flush()
    assert heard == []
    assert not presenter.dialog.isVisible()


def test_the_dialog_can_be_given_its_window_later(
    qtbot: QtBot, presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    presenter.set_window(window)
    assert presenter.dialog.parentWidget() is window
    assert presenter.dialog.isWindow()
    console.change(waiting())
    bridge.flush()
    assert presenter.dialog.isVisible()
    assert presenter.dialog.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    presenter.dialog.setParent(None)


def test_the_way_to_the_conversation_is_handed_on(
    qtbot: QtBot, presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge
) -> None:
    console.change(waiting())
    bridge.flush()
    with qtbot.waitSignal(presenter.reveal_requested, timeout=2000) as revealed:
        presenter.dialog.reveal_requested.emit("conv_1")
    assert revealed.args == ["conv_1"]


def test_while_it_is_quiet_no_dialog_comes_up_and_afterwards_it_does(
    presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge
) -> None:
    presenter.set_quiet(True)
    console.change(waiting(id="a"))
    bridge.flush()
    assert not presenter.dialog.isVisible() and presenter.count == 1
    presenter.set_quiet(False)
    assert presenter.dialog.isVisible() and presenter.dialog.current_id == "a"


def test_a_grant_made_in_the_dialog_can_be_undone_there(
    presenter: ApprovalPresenter, console: FakeConsole, bridge: Bridge, qtbot: QtBot
) -> None:
    console.change(waiting(id="a"))
    console.change(waiting(id="b", at=NOON + 1))
    bridge.flush()
    console.decide("a", Decision("approve", scope="session"), "dialog")
    bridge.flush()
    notice = presenter.dialog.notice
    qtbot.waitUntil(notice.isVisible)
    assert notice.words.startswith("Saved: allow run_command")
    notice.findChild(QPushButton, "undoButton").click()
    assert console.rules() == ()
