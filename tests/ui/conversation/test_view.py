"""The conversation can be read, walked through and copied from the keyboard."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTextEdit
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.samples import sample_conversation

from callgate.ui.conversation.blocks import CallBlock, SpeakerBlock, TextBlock, UsageBlock
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.conversation.view import ConversationView
from callgate.ui.theme import Theme


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
    press(view, Qt.Key.Key_Up)
    assert bar.value() < end
    press(view, Qt.Key.Key_Home)
    assert bar.value() == 0
    press(view, Qt.Key.Key_Down)
    step = bar.value()
    press(view, Qt.Key.Key_PageDown)
    assert bar.value() > 3 * step > 0
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
    assert not actions["Copy"].isEnabled()
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
    actions["Copy"].trigger()
    assert QGuiApplication.clipboard().text() == block.text
    menu.close()
