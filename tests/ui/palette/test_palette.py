from collections.abc import Iterable

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.loop import BoundLoop

from callgate.ui.bridge import Bridge
from callgate.ui.palette.entry import Entry
from callgate.ui.palette.palette import CommandPalette
from callgate.ui.theme.theme import Theme

TITLES = ("Alpha", "Beta", "Gamma")


class Service:
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
def service(loop: BoundLoop, qtbot: QtBot, bridge: Bridge, theme: Theme, settings: QSettings) -> Service:
    return Service(qtbot, bridge, theme, settings)


def test_typing_and_enter_run_the_best_and_close_it(service: Service, loop: BoundLoop, qtbot: QtBot) -> None:
    service.palette.come_up()
    assert service.palette.field.hasFocus()
    loop.until(lambda: "Delta" in service.titles())
    qtbot.keyClicks(service.palette.field, "gam")
    assert service.titles() == ["Gamma"]
    qtbot.keyClick(service.palette.field, Qt.Key.Key_Return)
    assert service.ran == ["Gamma"] and service.palette.isHidden() and service.other.hasFocus()


def test_arrows_go_round_and_what_was_run_comes_first_the_next_time(
    service: Service, loop: BoundLoop, qtbot: QtBot
) -> None:
    service.palette.come_up()
    loop.until(lambda: len(service.titles()) == 4)
    qtbot.keyClick(service.palette.field, Qt.Key.Key_Up)
    qtbot.keyClick(service.palette.field, Qt.Key.Key_Return)
    assert service.ran == ["Delta"]
    service.palette.come_up()
    loop.until(lambda: len(service.titles()) == 4)
    assert service.titles()[0] == "Delta"


def test_escape_and_a_click_beside_it_close_it_and_nothing_runs(
    service: Service, loop: BoundLoop, qtbot: QtBot
) -> None:
    service.palette.come_up()
    qtbot.keyClick(service.palette.field, Qt.Key.Key_Escape)
    assert service.palette.isHidden()
    service.palette.come_up()
    loop.settle()
    qtbot.mouseClick(service.other, Qt.MouseButton.LeftButton)
    assert service.palette.isHidden() and service.ran == []


def test_the_same_key_closes_it_again(service: Service, loop: BoundLoop) -> None:
    service.palette.come_up()
    service.palette.come_up()
    assert service.palette.isHidden()
    loop.settle()


def test_a_click_on_a_row_runs_it(service: Service, loop: BoundLoop, qtbot: QtBot) -> None:
    service.palette.come_up()
    loop.until(lambda: len(service.titles()) == 4)
    place = service.palette.list.visualRect(service.palette.model.index(1)).center()
    qtbot.mouseClick(service.palette.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert service.ran == ["Beta"]


def test_nothing_that_fits_is_said(service: Service, loop: BoundLoop, qtbot: QtBot) -> None:
    service.palette.come_up("zzz")
    loop.settle()
    assert service.titles() == []
    qtbot.keyClick(service.palette.field, Qt.Key.Key_Return)
    assert service.ran == [] and service.palette.isVisible()
    said = service.palette.findChild(QLabel, "paletteNothing")
    assert said is not None and said.isVisible() and said.text() == "Nothing fits “zzz”"
    assert not service.palette.list.isVisible()


def test_it_is_as_high_as_what_it_shows(service: Service, loop: BoundLoop) -> None:
    service.palette.come_up()
    loop.settle()
    full, rows = service.palette.height(), len(service.titles())
    service.palette.field.setText(service.titles()[0])
    assert rows > 2 and len(service.titles()) < rows and service.palette.height() < full
