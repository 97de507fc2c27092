from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.fact_grid import FactGrid


def test_only_what_is_known_is_there_and_nothing_hides_in_it(theme: Theme, qtbot: QtBot) -> None:
    grid = FactGrid(theme, ("Address", "Kind", "From"), frozenset({"Address"}))
    qtbot.addWidget(grid)
    grid.show()
    grid.show_facts({"Address": "http://x.test/\u202egnp", "From": "the configuration"})
    seen = {label.accessibleName(): label.text() for label in grid.findChildren(QLabel) if label.isVisible()}
    assert seen["From: the configuration"] == "the configuration"
    assert not any(name.startswith("Kind") for name in seen)
    address = next(text for name, text in seen.items() if name.startswith("Address"))
    assert "\u202e" not in address and "202E" in address
    grid.show_facts({"Kind": "command"})
    assert [label.text() for label in grid.findChildren(QLabel) if label.isVisible()] == ["Kind", "command"]
