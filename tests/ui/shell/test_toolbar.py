import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole

from callgate.core.events import GateChanged
from callgate.core.gate_mode import GateMode
from callgate.ui.shell.place_bar import Place, PlaceBar
from callgate.ui.shell.toolbar import Toolbar
from callgate.ui.theme.theme import Theme


@pytest.fixture
def opening() -> QAction:
    action = QAction("Command palette")
    action.setShortcut("Ctrl+K")
    return action


@pytest.fixture
def bar(console: FakeConsole, theme: Theme, opening: QAction, qtbot: QtBot) -> Toolbar:
    places = PlaceBar(theme, (Place("traffic", "Traffic", "traffic"),))
    bar = Toolbar(console, theme, opening, QAction("Switch theme"), places)
    qtbot.addWidget(bar)
    bar.resize(900, 40)
    bar.show()
    return bar


def _button(bar: Toolbar, name: str) -> QPushButton:
    return bar.findChild(QPushButton, name)


def test_a_click_on_the_address_copies_it_and_says_so(bar: Toolbar, qapp: QApplication, qtbot: QtBot) -> None:
    bar.address.set_address("http://127.0.0.1:8080")
    button = _button(bar, "proxyAddress")
    assert button.text() == "http://127.0.0.1:8080"
    button.click()
    assert qapp.clipboard().text() == "http://127.0.0.1:8080"
    assert button.text() == "Copied"
    qtbot.waitUntil(lambda: button.text() == "http://127.0.0.1:8080", timeout=5000)


def test_without_an_address_it_says_so_and_copies_nothing(bar: Toolbar, qapp: QApplication) -> None:
    qapp.clipboard().setText("mine")
    bar.address.set_address("", "port 8080 is taken")
    button = _button(bar, "proxyAddress")
    button.click()
    assert button.text() == "Not listening" and button.toolTip() == "port 8080 is taken"
    assert qapp.clipboard().text() == "mine"


def test_what_waits_is_counted_only_while_something_does(bar: Toolbar, qtbot: QtBot) -> None:
    button = _button(bar, "waitingCount")
    assert not button.isVisible()
    bar.set_waiting(3)
    qtbot.waitUntil(button.isVisible, timeout=5000)
    assert button.text() == "3 waiting"
    with qtbot.waitSignal(bar.waiting_clicked, timeout=1000):
        button.click()
    bar.set_waiting(0)
    qtbot.waitUntil(lambda: not button.isVisible(), timeout=5000)


def test_a_click_beside_the_address_opens_the_palette(bar: Toolbar, opening: QAction, qtbot: QtBot) -> None:
    with qtbot.waitSignal(opening.triggered, timeout=1000):
        _button(bar, "commandButton").click()


def test_a_stripe_is_under_the_bar_while_the_gate_is_open(bar: Toolbar, console: FakeConsole) -> None:
    assert _button(bar, "gateMode").text() == "Gate: By rules"
    assert bar.property("stripe") is False
    bar.gate.apply((GateChanged(GateMode("observe"), console.now),))
    assert bar.property("stripe") is True
    bar.gate.apply((GateChanged(GateMode("ask"), console.now),))
    assert bar.property("stripe") is False


def test_the_bar_can_be_drawn_in_both_modes(bar: Toolbar, theme: Theme) -> None:
    bar.address.set_address("http://127.0.0.1:8080")
    dark = bar.grab().toImage()
    theme.set_mode("light")
    assert bar.grab().toImage() != dark
