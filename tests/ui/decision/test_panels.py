"""The texts that a person writes beside a decision."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from callgate.ui.decision.panels import AnswerPanel, ReasonPanel
from callgate.ui.theme.theme import Theme


def test_escape_dismisses(qtbot: QtBot, theme: Theme) -> None:
    panel = ReasonPanel(theme)
    qtbot.addWidget(panel)
    panel.show()
    panel.open("Why?", ("One", "Two"))
    with qtbot.waitSignal(panel.dismissed, timeout=2000):
        QTest.keyClick(panel.field, Qt.Key.Key_Escape)


def test_reasons_are_offered_once_however_often_it_opens(qtbot: QtBot, theme: Theme) -> None:
    panel = ReasonPanel(theme)
    qtbot.addWidget(panel)
    panel.show()
    for _ in range(3):
        panel.open("Why?", ("One", "Two"))
    qtbot.waitUntil(lambda: len([b for b in panel.findChildren(QPushButton) if b.text() == "One"]) == 1, timeout=2000)
    panel.field.setText("  because  ")
    assert panel.reason == "because"


def test_an_answer_starts_empty_each_time(qtbot: QtBot, theme: Theme) -> None:
    panel = AnswerPanel(theme)
    qtbot.addWidget(panel)
    panel.open()
    panel.field.setPlainText("old")
    panel.open()
    assert panel.text == ""
