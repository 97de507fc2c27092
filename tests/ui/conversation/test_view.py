"""The conversation can be read, walked through and copied from the keyboard."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTextEdit
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.samples import sample_conversation

from callgate.ui.conversation.blocks import CallBlock, SpeakerBlock, TextBlock, UsageBlock
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.conversation.view import ConversationView
from callgate.ui.text.prose import Prose
from callgate.ui.theme.theme import Theme


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> Iterator[ConversationView]:
    view = ConversationView(FakeConsole(), theme)
    qtbot.addWidget(view)
    view.resize(800, 500)
    transcript = Transcript()
    transcript.apply_all(sample_conversation())
    with qtbot.waitActive(view):
        view.show()
        view.activateWindow()
    view.set_transcript(transcript)
    view.setFocus()
    yield view


def press(view: ConversationView, key: Qt.Key) -> None:
    QTest.keyClick(view, key)


def test_it_has_a_name_for_tests_and_assistive_technology(view: ConversationView) -> None:
    assert (view.objectName(), view.accessibleName()) == ("conversationView", "Conversation")
    assert all(view.widget_of(block_id).accessibleName() for block_id in view.shown)  # type: ignore[union-attr]


def test_keys_scroll(view: ConversationView) -> None:
    bar = view.verticalScrollBar()
    end = bar.value()
    press(view, Qt.Key.Key_PageUp)
    assert bar.value() < end
    press(view, Qt.Key.Key_Home)
    assert bar.value() == 0
    press(view, Qt.Key.Key_PageDown)
    assert bar.value() > 0
    press(view, Qt.Key.Key_PageUp)
    press(view, Qt.Key.Key_End)
    assert view.following


def test_j_and_k_walk_through_what_was_said(view: ConversationView) -> None:
    press(view, Qt.Key.Key_Home)
    seen = []
    for _ in range(30):
        press(view, Qt.Key.Key_J)
        if not seen or seen[-1] != view.current:
            seen.append(view.current)
        assert view.current in view.shown
    spoken = [b.id for b in view.transcript.blocks if not isinstance(b, SpeakerBlock | UsageBlock)]
    assert seen == spoken
    press(view, Qt.Key.Key_K)
    assert view.current == spoken[-2]
    assert not view.grab().isNull()


def test_arrows_walk_from_block_to_block_and_through_tall_ones(view: ConversationView) -> None:
    view.resize(700, 120)
    press(view, Qt.Key.Key_Home)
    seen: list[str] = []
    for _ in range(400):
        press(view, Qt.Key.Key_Down)
        if view.current and (not seen or seen[-1] != view.current):
            seen.append(view.current)
    spoken = [b.id for b in view.transcript.blocks if not isinstance(b, SpeakerBlock | UsageBlock)]
    assert seen == spoken
    press(view, Qt.Key.Key_Up)
    assert view.current in spoken


def test_shift_and_arrows_select_whole_blocks_and_escape_ends_it(view: ConversationView) -> None:
    press(view, Qt.Key.Key_Home)
    press(view, Qt.Key.Key_J)
    QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert view.selecting.active and len(view.selecting.blocks) >= 3
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied == view.selecting.text and len(copied.split("\n\n")) >= 2
    press(view, Qt.Key.Key_Escape)
    assert not view.selecting.active


def test_everything_can_be_selected_also_what_is_off_screen(view: ConversationView) -> None:
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    text = view.selecting.text
    said = [block.text for block in view.transcript.blocks if isinstance(block, TextBlock)]
    assert said and all(words in text for words in said)


def test_a_drag_goes_on_from_one_block_into_another(view: ConversationView) -> None:
    press(view, Qt.Key.Key_Home)
    shown = [view.widget_of(block_id) for block_id in view.shown]
    texts = [text for widget in shown if widget for text in widget.findChildren(Prose) if text.isVisible()]
    first, last = texts[0], texts[1]
    start, end = QPoint(30, 6), QPoint(60, 6)
    QTest.mousePress(first.viewport(), Qt.MouseButton.LeftButton, pos=start)
    target = first.viewport().mapFromGlobal(last.viewport().mapToGlobal(end))
    move = QMouseEvent(
        QEvent.Type.MouseMove, target.toPointF(), last.viewport().mapToGlobal(end).toPointF(),
        Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(first.viewport(), move)
    QTest.mouseRelease(first.viewport(), Qt.MouseButton.LeftButton, pos=target)
    assert view.selecting.active
    text = view.selecting.text
    assert text.split("\n\n")[0] == first.toPlainText()[first.textCursor().selectionStart() :]
    assert text.endswith(last.toPlainText()[: last.textCursor().selectionEnd()])
    assert not view.grab().isNull()
    QTest.mousePress(last.viewport(), Qt.MouseButton.LeftButton, pos=end)
    assert not view.selecting.active, "a click ends it"
    QTest.mouseRelease(last.viewport(), Qt.MouseButton.LeftButton, pos=end)


def test_return_goes_into_a_waiting_card(view: ConversationView) -> None:
    (waiting,) = view.transcript.waiting
    view.reveal_block(waiting)
    press(view, Qt.Key.Key_Return)
    focused = QApplication.focusWidget()
    card = view.widget_of(waiting)
    assert card is not None
    assert focused is not None
    assert card.isAncestorOf(focused)


def test_a_selection_is_copied(view: ConversationView) -> None:
    block = next(b for b in view.transcript.blocks if isinstance(b, TextBlock) and "moved the line" in b.text)
    widget = view.widget_of(block.id)
    assert widget is not None
    text = widget.findChild(QTextEdit)
    text.setFocus()
    text.selectAll()
    QTest.keyClick(text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == block.text


def test_a_message_is_copied_from_speaker_to_speaker(view: ConversationView) -> None:
    call = next(block for block in view.transcript.blocks if isinstance(block, CallBlock))
    copied = view.message_text(call.id)
    assert copied.startswith("Let me look at the test")
    assert "read_file" in copied
    assert "search_text" in copied
    assert "tokens" not in copied


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_menu_offers_copies_of_what_was_clicked(view: ConversationView) -> None:
    widget = view.widget_of(view.shown[-2])
    assert widget is not None
    where = view.viewport().mapToGlobal(widget.geometry().center())
    view.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(), where))
    (menu,) = view.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    actions = {action.text(): action for action in menu.actions()}
    assert not actions["Copy\tCtrl+C"].isEnabled()
    actions["Copy block"].trigger()
    assert "run_command" in QGuiApplication.clipboard().text()
    actions["Copy message"].trigger()
    assert "moved the line" in QGuiApplication.clipboard().text()
    menu.close()


def test_a_click_beside_the_words_makes_a_block_current(view: ConversationView) -> None:
    widget = view.widget_of(view.shown[-2])
    assert widget is not None
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, widget.geometry().center().y()))
    assert view.current == view.shown[-2]
    assert view.hasFocus()


def test_what_was_asked_stands_on_a_card(view: ConversationView, theme: Theme) -> None:
    view.resize(800, 3000)
    question = next(b for b in view.transcript.blocks if isinstance(b, TextBlock) and b.role == "user")
    box = view.widget_of(question.id).geometry()  # type: ignore[union-attr]
    picture = view.viewport().grab().toImage()
    assert picture.pixelColor(box.left() - 6, box.center().y()) == theme.color("raised")
    assert picture.pixelColor(4, box.center().y()) == theme.color("surface")


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_right_click_on_words_opens_the_menu_of_the_view(view: ConversationView) -> None:
    block = next(b for b in view.transcript.blocks if isinstance(b, TextBlock) and "moved the line" in b.text)
    text = view.widget_of(block.id).findChild(QTextEdit)  # type: ignore[union-attr]
    text.setFocus()
    text.selectAll()
    inside = text.viewport().rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, inside, text.viewport().mapToGlobal(inside))
    QApplication.sendEvent(text.viewport(), event)
    (menu,) = view.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    actions = {action.text(): action for action in menu.actions()}
    actions["Copy\tCtrl+C"].trigger()
    assert QGuiApplication.clipboard().text() == block.text
    menu.close()
