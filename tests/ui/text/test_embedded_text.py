"""Text in the column leaves to the view what is the view's."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit
from pytestqt.qtbot import QtBot

from callgate.ui.conversation.mono_text import MonoText
from callgate.ui.text.embedded_text import wrapped_height
from callgate.ui.text.prose import Prose
from callgate.ui.theme.theme import Theme


@pytest.fixture(params=["mono", "prose"])
def text(request: pytest.FixtureRequest, qtbot: QtBot, theme: Theme) -> QTextEdit | QPlainTextEdit:
    if request.param == "mono":
        widget: MonoText | Prose = MonoText(theme, wrap=True)
        widget.show_text("some words")
    else:
        widget = Prose(theme)
        widget.show_markdown("some words")
    qtbot.addWidget(widget)
    widget.show()
    return widget


def wheel() -> QWheelEvent:
    where, turn = QPointF(5, 5), QPoint(0, -120)
    none = Qt.KeyboardModifier.NoModifier
    return QWheelEvent(where, where, turn, turn, Qt.MouseButton.NoButton, none, Qt.ScrollPhase.NoScrollPhase, False)


def test_wheel_menu_and_plain_keys_go_to_the_view(text: QTextEdit | QPlainTextEdit) -> None:
    turn = wheel()
    turn.accept()
    text.wheelEvent(turn)
    key = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_J, Qt.KeyboardModifier.NoModifier, "j")
    text.keyPressEvent(key)
    assert not turn.isAccepted()
    assert not key.isAccepted()
    assert text.contextMenuPolicy() == Qt.ContextMenuPolicy.NoContextMenu


def test_selecting_and_copying_work(text: QTextEdit | QPlainTextEdit, qtbot: QtBot) -> None:
    text.setFocus()
    QTest.keyClick(text, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert text.textCursor().selectedText() == "some words"
    QTest.keyClick(text, Qt.Key.Key_X)
    assert text.toPlainText() == "some words"


def test_counting_rows_stops_when_it_is_enough(qtbot: QtBot, theme: Theme) -> None:
    text = MonoText(theme, wrap=True)
    qtbot.addWidget(text)
    text.show_text("line\n" * 10_000)
    line = text.fontMetrics().lineSpacing()
    assert wrapped_height(text, 400, 100) <= 100 + 2 * line


def test_a_line_that_just_does_not_fit_counts_as_two(qtbot: QtBot, theme: Theme) -> None:
    text = MonoText(theme, wrap=True)
    qtbot.addWidget(text)
    text.show_text("x" * 54)
    text.show()
    for width in range(360, 420):
        text.resize(width, 200)
        rows = text.document().begin().layout().lineCount()
        assert wrapped_height(text, text.viewport().width(), 1000) == rows * text.fontMetrics().lineSpacing()
