"""Signs of what a tool says of itself."""

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.hint_row import Hint, HintRow


def test_it_shows_the_hints_it_is_given_and_hides_without_any(qtbot: QtBot, theme: Theme) -> None:
    row = HintRow(theme)
    qtbot.addWidget(row)
    row.show_hints((Hint("May overwrite", "danger", "danger"), Hint("Only reads", "calm", "read_only")))
    assert [label.text() for label in row.findChildren(QLabel) if label.text()] == ["May overwrite", "Only reads"]
    assert not row.isHidden()
    theme.set_mode("light")
    row.show_hints(())
    assert row.isHidden()
