from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from callgate.ui.text.plain_text import plain_label, set_plain_tip


def test_a_label_never_reads_markup(qtbot: QtBot) -> None:
    label = plain_label("<img src='http://example.invalid/x.png'>", "secondary", selectable=True, wrap=True)
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse


def test_markup_in_a_tool_tip_is_shown_as_text_and_nothing_is_hidden(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    set_plain_tip(widget, "<b>bold</b>")
    assert "&lt;b&gt;" in widget.toolTip()
    set_plain_tip(widget, "plain \u202e text")
    assert "U+202E" in widget.toolTip()
