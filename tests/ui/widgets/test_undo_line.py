"""A line about what was just done, with a way back."""

import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from callgate.core.errors import UserFault
from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.undo_line import UndoLine


@pytest.fixture
def line(qtbot: QtBot, theme: Theme) -> UndoLine:
    line = UndoLine(theme, shown_ms=60)
    qtbot.addWidget(line)
    line.move(200, 200)  # away from where the mouse of the offscreen platform rests
    return line


def _undo(line: UndoLine) -> QPushButton:
    return line.findChild(QPushButton, "undoButton")


def test_it_says_what_was_done_and_leaves_by_itself(line: UndoLine, qtbot: QtBot) -> None:
    assert line.isHidden()
    line.tell("Removed: <b>x</b>\u202e", lambda: None)
    assert line.isVisible() and line.words == "Removed: <b>x</b>⟨U+202E RLO⟩"
    qtbot.waitUntil(line.isHidden, timeout=2000)


def test_undo_goes_back_once(line: UndoLine) -> None:
    went: list[int] = []
    line.tell("Removed", lambda: went.append(1))
    _undo(line).click()
    assert went == [1] and line.isHidden()
    _undo(line).click()
    assert went == [1]


def test_an_undo_that_cannot_be_done_is_explained(line: UndoLine) -> None:
    def refuse() -> None:
        raise UserFault("The file is read-only.")

    line.tell("Removed", refuse)
    _undo(line).click()
    assert line.isVisible() and line.words == "The file is read-only." and not _undo(line).isVisible()


def test_it_stays_while_the_mouse_is_on_it(line: UndoLine, qtbot: QtBot) -> None:
    line.tell("Removed", lambda: None)
    place = QPointF(1, 1)
    line.enterEvent(QEnterEvent(place, place, place))
    assert not line._leaving.isActive()
    line.leaveEvent(QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(line.isHidden, timeout=2000)


def test_it_tells_when_it_speaks_and_when_it_is_silent_again(line: UndoLine) -> None:
    heard: list[str] = []
    line.told.connect(lambda: heard.append("told"))
    line.left.connect(lambda: heard.append("left"))
    line.tell("Removed", lambda: None)
    line.leave()
    assert heard == ["told", "left"]
