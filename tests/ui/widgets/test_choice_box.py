"""A choice among a few things."""

from pytestqt.qtbot import QtBot

from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.choice_box import ChoiceBox


def test_values_are_chosen_by_what_they_are(qtbot: QtBot, theme: Theme) -> None:
    box = ChoiceBox(theme, "How long", (("for ever", None), ("for a day", 86400.0)))
    qtbot.addWidget(box)
    assert box.accessibleName() == "How long"
    assert box.choose(86400.0) and box.currentText() == "for a day"
    assert not box.choose("something else") and box.currentData() == 86400.0
    box.reset()
    assert box.currentData() is None
