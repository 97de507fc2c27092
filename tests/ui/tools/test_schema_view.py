from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.ui.theme import Theme
from callgate.ui.tools.schema_rows import SchemaRow
from callgate.ui.tools.schema_view import SchemaView


def _texts(view: SchemaView) -> list[str]:
    return [label.text() for label in view.findChildren(QLabel)]


def test_every_row_is_shown_as_plain_text(theme: Theme, qtbot: QtBot) -> None:
    view = SchemaView(theme, "Takes nothing.")
    qtbot.addWidget(view)
    view.show_rows((SchemaRow("path", 0, "string", True, "<b>Where</b>", ("default 1", "at most 2")),))
    assert _texts(view) == ["path", "string", "required", "<b>Where</b>", "default 1 · at most 2"]
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in view.findChildren(QLabel))


def test_hidden_characters_in_a_description_are_shown(theme: Theme, qtbot: QtBot) -> None:
    view = SchemaView(theme, "Takes nothing.")
    qtbot.addWidget(view)
    view.show_rows((SchemaRow("a", 0, "string", False, "in\u200bvisible"),))
    assert "U+200B" in _texts(view)[-1]


def test_no_rows_say_so(theme: Theme, qtbot: QtBot) -> None:
    view = SchemaView(theme, "Takes nothing.")
    qtbot.addWidget(view)
    view.show_rows(())
    assert _texts(view) == ["Takes nothing."]
