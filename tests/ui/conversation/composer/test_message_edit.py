"""The field for a message grows, sends by Ctrl+Enter and recalls by Alt+arrows."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from callgate.ui.conversation.composer.message_edit import MessageEdit
from callgate.ui.theme.theme import Theme


def made(qtbot: QtBot, theme: Theme) -> MessageEdit:
    edit = MessageEdit(theme)
    qtbot.addWidget(edit)
    edit.resize(300, edit.height())
    edit.show()
    return edit


def test_it_grows_to_eight_lines_and_no_further(qtbot: QtBot, theme: Theme) -> None:
    edit = made(qtbot, theme)
    heights = []
    for lines in (1, 4, 8, 20):
        edit.setPlainText("\n".join("x" * lines))
        heights.append(edit.height())
    assert heights[0] < heights[1] < heights[2] == heights[3]
    edit.clear()
    assert edit.height() == heights[0]


def test_a_long_line_counts_as_the_rows_it_takes(qtbot: QtBot, theme: Theme) -> None:
    edit = made(qtbot, theme)
    small = edit.height()
    edit.setPlainText("word " * 60)
    assert edit.height() > small


def test_enter_makes_a_line_and_ctrl_enter_sends(qtbot: QtBot, theme: Theme) -> None:
    edit = made(qtbot, theme)
    sent: list[bool] = []
    edit.send_pressed.connect(lambda: sent.append(True))
    edit.set_text("a")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert edit.toPlainText() == "a\n"
    assert not sent
    QTest.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert sent == [True]
    assert edit.toPlainText() == "a\n"


def test_alt_and_arrows_ask_for_earlier_and_later(qtbot: QtBot, theme: Theme) -> None:
    edit = made(qtbot, theme)
    asked: list[int] = []
    edit.recall_pressed.connect(asked.append)
    QTest.keyClick(edit, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(edit, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert asked == [-1, 1]
