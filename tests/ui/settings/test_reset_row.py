"""Forgetting everything is asked twice, in its place."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from callgate.ui.settings.reset_row import ResetRow
from callgate.ui.theme.theme import Theme


@pytest.fixture
def row(qtbot: QtBot, theme: Theme) -> ResetRow:
    row = ResetRow(theme, arm_ms=0)
    qtbot.addWidget(row)
    return row


def _press(row: ResetRow, name: str) -> None:
    QTest.mouseClick(row.findChild(QPushButton, name), Qt.MouseButton.LeftButton)


def test_it_says_what_goes_and_happens_only_when_confirmed(row: ResetRow) -> None:
    confirmed: list[int] = []
    row.confirmed.connect(lambda: confirmed.append(1))
    row.ask(3)
    words = " ".join(label.text() for label in row.findChildren(QLabel))
    assert "the 3 grants that hold here" in words and "configuration file stay" in words
    _press(row, "cancelReset")
    assert row.isHidden() and confirmed == []
    row.ask(1)
    QTest.keyClick(row, Qt.Key.Key_Escape)
    assert row.isHidden() and confirmed == []
    row.ask(1)
    _press(row, "confirmReset")
    assert row.isHidden() and confirmed == [1]
