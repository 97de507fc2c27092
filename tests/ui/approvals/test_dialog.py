"""The dialog asks without getting in the way, and closing it decides nothing."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, waiting

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.events import Event
from callgate.ui.approvals.dialog import ApprovalDialog
from callgate.ui.decision.chords import DecisionChords
from callgate.ui.decision.click_guard import ARM_MS
from callgate.ui.theme.theme import Theme

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def make(qtbot: QtBot, console: FakeConsole, theme: Theme) -> Callable[..., ApprovalDialog]:
    def build(*calls: Invocation, arm_ms: int = 0) -> ApprovalDialog:
        dialog = ApprovalDialog(console, theme, arm_ms=arm_ms, now=lambda: NOON + 10)
        qtbot.addWidget(dialog)
        DecisionChords(lambda: dialog.bar, lambda _: None, lambda: None, dialog).add_window(dialog)
        for call in calls:
            console.change(call)
        dialog.set_calls(calls)
        dialog.come_up()
        return dialog

    return build


def three() -> tuple[Invocation, ...]:
    return waiting(id="a"), waiting("read_file", id="b", at=NOON + 1), waiting("get_weather", id="c", at=NOON + 2)


def text(dialog: ApprovalDialog, name: str) -> str:
    found = dialog.findChild(QLabel, name)
    assert found is not None
    return found.text() if not found.isHidden() else ""


def press(dialog: ApprovalDialog, name: str) -> None:
    found = dialog.findChild(QPushButton, name) or dialog.findChild(QToolButton, name)
    assert found is not None
    QTest.mouseClick(found, LEFT)


def seen(qtbot: QtBot, dialog: ApprovalDialog) -> None:
    qtbot.waitUntil(lambda: dialog.sheet.is_seen, timeout=2000)


def test_it_is_never_modal_and_does_not_take_the_focus(qtbot: QtBot, make: Callable[..., ApprovalDialog]) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    field = QLineEdit(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=2000)
    field.setFocus()
    dialog = make(waiting())
    assert dialog.isVisible()
    assert not dialog.isModal()
    assert dialog.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    QTest.keyClicks(field, "still typing")
    assert field.text() == "still typing"
    assert field.hasFocus()


def test_closing_it_decides_nothing(qtbot: QtBot, console: FakeConsole, make: Callable[..., ApprovalDialog]) -> None:
    dialog = make(waiting())
    with qtbot.waitSignal(dialog.dismissed, timeout=2000):
        dialog.close()
    dialog.come_up()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert console.decisions == []


def test_enter_anywhere_in_it_decides_nothing(console: FakeConsole, make: Callable[..., ApprovalDialog]) -> None:
    dialog = make(waiting())
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
        QTest.keyClick(dialog, key)
        QTest.keyClick(dialog.sheet.arguments.text, key)
    assert console.decisions == []
    assert dialog.isVisible()


def test_ctrl_enter_approves_from_wherever_the_focus_is_in_it(
    qtbot: QtBot, console: FakeConsole, make: Callable[..., ApprovalDialog]
) -> None:
    dialog = make(waiting())
    seen(qtbot, dialog)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow, timeout=2000)
    dialog.sheet.arguments.text.setFocus()
    QTest.keyClick(dialog.sheet.arguments.text, Qt.Key.Key_Return, CTRL)
    assert [(id, decision.verb, who) for id, decision, who in console.decisions] == [("inv_1", "approve", "dialog")]


def test_it_is_unarmed_when_it_comes_up(
    qtbot: QtBot, console: FakeConsole, make: Callable[..., ApprovalDialog]
) -> None:
    dialog = make(waiting(), arm_ms=ARM_MS)
    press(dialog, "approveButton")
    QTest.keyClick(dialog, Qt.Key.Key_Return, CTRL)
    assert console.decisions == []
    button = dialog.findChild(QPushButton, "approveButton")
    assert button is not None
    assert not button.isEnabled()
    qtbot.waitUntil(button.isEnabled, timeout=3000)


def test_it_shows_the_oldest_and_walks_through_the_others(make: Callable[..., ApprovalDialog]) -> None:
    dialog = make(*three())
    assert (dialog.current_id, text(dialog, "approvalPosition")) == ("a", "1 of 3")
    press(dialog, "nextCall")
    press(dialog, "nextCall")
    press(dialog, "nextCall")
    assert (dialog.current_id, text(dialog, "approvalPosition")) == ("c", "3 of 3")
    press(dialog, "previousCall")
    assert "read_file" in text(dialog, "approvalHeadline")


def test_one_call_needs_no_counting(make: Callable[..., ApprovalDialog]) -> None:
    assert text(make(waiting()), "approvalPosition") == ""


def test_a_new_call_does_not_turn_the_page(make: Callable[..., ApprovalDialog]) -> None:
    a, b, c = three()
    dialog = make(b, c)
    press(dialog, "nextCall")
    dialog.set_calls((a, b, c))
    assert (dialog.current_id, text(dialog, "approvalPosition")) == ("c", "3 of 3")


def test_a_call_decided_elsewhere_gives_way_to_the_next_with_a_note(make: Callable[..., ApprovalDialog]) -> None:
    a, b, c = three()
    dialog = make(a, b, c)
    dialog.set_calls((b, c), "run_command was denied in the conversation.")
    assert dialog.current_id == "b"
    assert text(dialog, "approvalNote") == "run_command was denied in the conversation."


def test_with_nothing_left_it_goes_at_once_or_after_its_note(
    make: Callable[..., ApprovalDialog], console: FakeConsole
) -> None:
    dialog = make(waiting())
    dialog.set_calls((), "run_command was cancelled.")
    assert dialog.isVisible()
    press(dialog, "approveButton")
    assert console.decisions == []
    dialog._note_over()
    assert not dialog.isVisible()
    dialog = make(waiting())
    dialog.set_calls(())
    assert not dialog.isVisible()


def test_a_note_keeps_it_up_only_for_so_long_where_another_place_has_the_call(
    make: Callable[..., ApprovalDialog],
) -> None:
    first, second, _ = three()
    dialog = make(first, second)
    dialog.set_calls((second,), "run_command was denied in the conversation.")
    dialog.set_live("", "queue")
    assert dialog.isVisible()
    dialog._note_over()
    assert not dialog.isVisible()


def test_the_verbs_stay_where_they_are_when_the_call_has_been_seen(
    qtbot: QtBot, make: Callable[..., ApprovalDialog]
) -> None:
    dialog = make(waiting("write_file", {"content": "line\n" * 3000}))
    button = dialog.findChild(QPushButton, "approveButton")
    assert button is not None
    qtbot.waitUntil(lambda: "Show the rest" in button.text(), timeout=2000)
    before = button.width()
    press(dialog, "approveButton")
    qtbot.waitUntil(lambda: "Approve" in button.text(), timeout=2000)
    assert button.width() == before


def test_a_long_call_must_be_brought_to_its_end_before_it_can_be_approved(
    qtbot: QtBot, console: FakeConsole, make: Callable[..., ApprovalDialog]
) -> None:
    dialog = make(waiting("write_file", {"content": "line\n" * 3000}))
    qtbot.wait(50)
    press(dialog, "approveButton")
    assert console.decisions == []
    seen(qtbot, dialog)
    press(dialog, "approveButton")
    assert [decision.verb for _, decision, _ in console.decisions] == ["approve"]


def test_it_points_to_the_conversation_and_hands_on_not_now(qtbot: QtBot, make: Callable[..., ApprovalDialog]) -> None:
    dialog = make(waiting())
    with qtbot.waitSignal(dialog.reveal_requested, timeout=2000) as revealed:
        press(dialog, "revealCall")
    assert revealed.args == ["conv_1"]
    with qtbot.waitSignal(dialog.snoozed, timeout=2000) as snoozed:
        dialog.bar._snooze()
    assert snoozed.args == ["inv_1"]


def test_it_grows_for_the_editor_and_gives_it_the_room_of_the_text(make: Callable[..., ApprovalDialog]) -> None:
    dialog = make(waiting())
    press(dialog, "editButton")
    assert dialog.sheet.arguments.isHidden()
    QTest.keyClick(dialog.bar._edit_panel.field, Qt.Key.Key_Escape)
    assert dialog.sheet.arguments.isVisible()


def test_words_that_come_leave_the_buttons_where_they_are(qtbot: QtBot, make: Callable[..., ApprovalDialog]) -> None:
    dialog = make(waiting())
    seen(qtbot, dialog)
    approve = dialog.findChild(QPushButton, "approveButton")
    before = approve.mapTo(dialog, QPoint(0, 0))
    dialog.bar.guard.absorbed.emit("Click again to confirm.")
    QApplication.processEvents()
    assert dialog.bar.status.isVisible()
    assert approve.mapTo(dialog, QPoint(0, 0)) == before


def test_no_button_in_it_is_a_default_button(make: Callable[..., ApprovalDialog]) -> None:
    dialog = make(waiting())
    assert not [b.objectName() for b in dialog.findChildren(QPushButton) if b.autoDefault() or b.isDefault()]


def test_a_letter_typed_into_the_dialog_was_meant_for_another_window(
    qtbot: QtBot, console: FakeConsole, make: Callable[..., ApprovalDialog]
) -> None:
    dialog = make(waiting(), arm_ms=60)
    approve = dialog.findChild(QPushButton, "approveButton")
    assert approve is not None
    qtbot.waitUntil(approve.isEnabled, timeout=2000)
    QTest.keyClicks(dialog.sheet.arguments.text, "git commit")
    assert not approve.isEnabled(), "what comes with the letters decides nothing"
    QTest.keyClick(dialog.sheet.arguments.text, Qt.Key.Key_Return, CTRL)
    assert console.decisions == []
    qtbot.waitUntil(approve.isEnabled, timeout=2000)


class SmallScreen:
    def availableGeometry(self) -> QRect:
        return QRect(0, 0, 1024, 560)


def test_the_verbs_stay_on_a_small_screen(make: Callable[..., ApprovalDialog], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ApprovalDialog, "_pointer_screen", lambda _dialog: SmallScreen())
    dialog = make(waiting("write_file", {"content": "line\n" * 900}))
    assert dialog.height() <= 560
    assert dialog.bar.mapTo(dialog, dialog.bar.rect().bottomLeft()).y() < dialog.height()


def test_what_opens_under_the_verbs_does_not_push_them_off_a_small_screen(
    qtbot: QtBot, make: Callable[..., ApprovalDialog], theme: Theme, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that wrap ask for a tall column until they have their width; the window must not keep that height."""
    monkeypatch.setattr(ApprovalDialog, "_pointer_screen", lambda _dialog: SmallScreen())
    theme.apply(qapp)
    dialog = make(waiting("write_file", {"content": "line\n" * 900}))
    heights: list[int] = []
    for act in (
        lambda: dialog.bar._scope.setCurrentIndex(3),
        dialog.bar._edit_pressed,
        dialog.bar._dismiss,
        dialog.bar._open_denial,
    ):
        act()
        for _ in range(20):
            QApplication.processEvents()
            heights.append(dialog.height())
    assert max(heights) <= 560
    assert dialog.bar.mapTo(dialog, dialog.bar.rect().bottomLeft()).y() < dialog.height()


# ---- while its window is put away ----------------------------------------------------------------------------------


def saves(dialog: ApprovalDialog, console: FakeConsole) -> None:
    """A person decides for the session, in the dialog, and nothing else waits."""
    events: list[Event] = []
    heard = console.bus.subscribe(events.append)
    console.decide("inv_1", Decision("approve", scope="session"), "dialog")
    heard.close()
    dialog.set_calls([])
    dialog.notice.apply(tuple(events))


def test_a_rule_can_be_taken_back_though_the_window_is_closed(
    qtbot: QtBot, console: FakeConsole, make: Callable[..., ApprovalDialog]
) -> None:
    dialog = make(waiting("read_file"))
    saves(dialog, console)
    assert not dialog.isVisible(), "it is decided"
    qtbot.waitUntil(dialog.isVisible, timeout=2000)
    assert not dialog.bar.isVisible() and not dialog.sheet.isVisible(), "there is nothing to decide"
    press(dialog, "undoButton")
    assert console.rules() == () and not dialog.isVisible()
    console.change(waiting("read_file", id="inv_2"))
    dialog.set_calls([waiting("read_file", id="inv_2")])
    dialog.come_up()
    assert dialog.bar.isVisible() and dialog.sheet.isVisible()


def test_with_its_window_on_the_screen_the_window_says_what_was_saved(
    qtbot: QtBot, console: FakeConsole, make: Callable[..., ApprovalDialog]
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    dialog = make(waiting("read_file"))
    dialog.setParent(window, dialog.windowFlags() | Qt.WindowType.Dialog)
    saves(dialog, console)
    qtbot.wait(30)
    assert not dialog.isVisible()
    dialog.setParent(None)


@pytest.mark.qt_log_ignore("does not support raise")  # said by Qt's offscreen platform
def test_it_stands_alone_while_its_window_is_put_away_and_above_it_otherwise(
    qtbot: QtBot, make: Callable[..., ApprovalDialog]
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = make(waiting())
    dialog.setParent(window, dialog.windowFlags() | Qt.WindowType.Dialog)
    dialog.come_up()
    assert dialog.isVisible() and dialog.windowHandle().transientParent() is None
    dialog.hide()
    window.show()
    dialog.come_forward()
    assert dialog.windowHandle().transientParent() is window.windowHandle()
    qtbot.waitUntil(dialog.isActiveWindow, timeout=2000)
    dialog.setParent(None)
