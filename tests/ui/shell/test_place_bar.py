import pytest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from callgate.ui.shell.place_bar import Place, PlaceBar
from callgate.ui.theme.theme import Theme


@pytest.fixture
def bar(theme: Theme, qtbot: QtBot) -> PlaceBar:
    bar = PlaceBar(theme, (Place("traffic", "Traffic", "traffic", "Ctrl+Shift+T"), Place("rules", "Rules", "rule")))
    qtbot.addWidget(bar)
    return bar


def _button(bar: PlaceBar, name: str) -> QToolButton:
    return bar.findChild(QToolButton, name)


def test_every_button_says_where_it_leads_and_with_which_key(bar: PlaceBar) -> None:
    assert _button(bar, "placeTraffic").toolTip() == "Traffic (Ctrl+Shift+T)"
    assert _button(bar, "placeRules").toolTip() == _button(bar, "placeRules").accessibleName() == "Rules"


def test_a_click_asks_and_only_the_window_says_what_is_shown(bar: PlaceBar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bar.asked, timeout=1000) as asked:
        _button(bar, "placeTraffic").click()
    assert asked.args == ["traffic"]
    assert not _button(bar, "placeTraffic").isChecked()
    bar.set_shown("traffic", True)
    assert _button(bar, "placeTraffic").isChecked() and not _button(bar, "placeRules").isChecked()
    bar.set_shown("elsewhere", True)
    bar.set_shown("traffic", False)
    assert not _button(bar, "placeTraffic").isChecked()


def test_it_can_be_drawn_in_both_modes(bar: PlaceBar, theme: Theme) -> None:
    dark = bar.grab().toImage()
    theme.set_mode("light")
    assert bar.grab().toImage() != dark
