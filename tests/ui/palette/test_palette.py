from collections.abc import Iterable

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.loop import BoundLoop

from callgate.ui.bridge import Bridge
from callgate.ui.palette.entry import Entry
from callgate.ui.palette.palette import CommandPalette
from callgate.ui.theme import Theme

TITLES = ("Alpha", "Beta", "Gamma")


class Desk:
    """A window with a field, and a palette over it that notes what was run."""

    def __init__(self, qtbot: QtBot, bridge: Bridge, theme: Theme, settings: QSettings) -> None:
        self.ran: list[str] = []
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.other = QLineEdit()
        QVBoxLayout(self.window).addWidget(self.other, 0, Qt.AlignmentFlag.AlignBottom)
        self.window.resize(900, 700)
        self.palette = CommandPalette(self.window, bridge, theme, settings, [self._ready], [self._fetch])
        self.window.show()
        self.other.setFocus()

    def _entry(self, title: str) -> Entry:
        return Entry(f"action {title}", "action", title, lambda: self.ran.append(title))

    def _ready(self) -> Iterable[Entry]:
        return [self._entry(title) for title in TITLES]

    async def _fetch(self) -> Iterable[Entry]:
        return [self._entry("Delta")]

    def titles(self) -> list[str]:
        hits = (self.palette.model.hit(row) for row in range(self.palette.model.rowCount()))
        return [hit.entry.title for hit in hits if hit is not None]


@pytest.fixture
def desk(loop: BoundLoop, qtbot: QtBot, bridge: Bridge, theme: Theme, settings: QSettings) -> Desk:
    return Desk(qtbot, bridge, theme, settings)


def test_typing_and_enter_run_the_best_and_close_it(desk: Desk, loop: BoundLoop, qtbot: QtBot) -> None:
    desk.palette.come_up()
    assert desk.palette.field.hasFocus()
    loop.until(lambda: "Delta" in desk.titles())
    qtbot.keyClicks(desk.palette.field, "gam")
    assert desk.titles() == ["Gamma"]
    qtbot.keyClick(desk.palette.field, Qt.Key.Key_Return)
    assert desk.ran == ["Gamma"] and desk.palette.isHidden() and desk.other.hasFocus()


def test_arrows_go_round_and_what_was_run_comes_first_the_next_time(desk: Desk, loop: BoundLoop, qtbot: QtBot) -> None:
    desk.palette.come_up()
    loop.until(lambda: len(desk.titles()) == 4)
    qtbot.keyClick(desk.palette.field, Qt.Key.Key_Up)
    qtbot.keyClick(desk.palette.field, Qt.Key.Key_Return)
    assert desk.ran == ["Delta"]
    desk.palette.come_up()
    loop.until(lambda: len(desk.titles()) == 4)
    assert desk.titles()[0] == "Delta"


def test_escape_and_a_click_beside_it_close_it_and_nothing_runs(desk: Desk, loop: BoundLoop, qtbot: QtBot) -> None:
    desk.palette.come_up()
    qtbot.keyClick(desk.palette.field, Qt.Key.Key_Escape)
    assert desk.palette.isHidden()
    desk.palette.come_up()
    loop.settle()
    qtbot.mouseClick(desk.other, Qt.MouseButton.LeftButton)
    assert desk.palette.isHidden() and desk.ran == []


def test_the_same_key_closes_it_again(desk: Desk, loop: BoundLoop) -> None:
    desk.palette.come_up()
    desk.palette.come_up()
    assert desk.palette.isHidden()
    loop.settle()


def test_a_click_on_a_row_runs_it(desk: Desk, loop: BoundLoop, qtbot: QtBot) -> None:
    desk.palette.come_up()
    loop.until(lambda: len(desk.titles()) == 4)
    place = desk.palette.list.visualRect(desk.palette.model.index(1)).center()
    qtbot.mouseClick(desk.palette.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert desk.ran == ["Beta"]


def test_nothing_that_fits_is_said(desk: Desk, loop: BoundLoop, qtbot: QtBot) -> None:
    desk.palette.come_up("zzz")
    loop.settle()
    assert desk.titles() == []
    qtbot.keyClick(desk.palette.field, Qt.Key.Key_Return)
    assert desk.ran == [] and desk.palette.isVisible()
    said = desk.palette.findChild(QLabel, "paletteNothing")
    assert said is not None and said.isVisible() and said.text() == "Nothing fits “zzz”"
    assert not desk.palette.list.isVisible()


def test_it_is_as_high_as_what_it_shows(desk: Desk, loop: BoundLoop) -> None:
    desk.palette.come_up()
    loop.settle()
    full, rows = desk.palette.height(), len(desk.titles())
    desk.palette.field.setText(desk.titles()[0])
    assert rows > 2 and len(desk.titles()) < rows and desk.palette.height() < full
