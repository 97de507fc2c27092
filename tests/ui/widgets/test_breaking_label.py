"""Words without blanks are wrapped, and nobody's copy of them is changed."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from callgate.ui.widgets.breaking_label import BreakingLabel

NAME = "mcp__" + "x" * 200 + "__delete_everything"


def made(qtbot: QtBot, text: str) -> BreakingLabel:
    label = BreakingLabel(text)
    qtbot.addWidget(label)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label


def test_a_name_without_blanks_takes_the_rows_that_it_needs(qtbot: QtBot) -> None:
    label = made(qtbot, f"claude wants to run {NAME}")
    row = made(qtbot, "claude").heightForWidth(400)
    width = label.fontMetrics().horizontalAdvance(label.text())
    assert label.heightForWidth(400) >= row * (width // 400)
    assert label.minimumSizeHint().width() < 400, "it never makes its window wider"


def test_the_text_is_the_text_that_was_given(qtbot: QtBot) -> None:
    label = made(qtbot, NAME)
    assert label.text() == NAME
    label.setText("short words stay whole")
    assert label.text() == "short words stay whole"


def test_what_is_copied_has_no_breaks_in_it(qtbot: QtBot) -> None:
    label = made(qtbot, NAME)
    label.show()
    label.select_all()
    assert label.selectedText() == NAME
    QTest.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == NAME
