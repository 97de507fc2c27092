"""A widget that is dressed anew looks so at once."""

from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.restyle import set_kind, set_tone
from callgate.ui.theme.style_sheet import style_sheet
from callgate.ui.theme.theme import DARK


def test_tone_and_kind_show_at_once(qtbot: QtBot, qapp: QApplication) -> None:
    label, button = plain_label("words"), QPushButton("press")
    for widget in (label, button):
        qtbot.addWidget(widget)
        widget.setStyleSheet(style_sheet(DARK))
        widget.resize(120, 30)
        widget.ensurePolished()
    before = label.grab().toImage(), button.grab().toImage()
    set_tone(label, "danger")
    set_kind(button, "alarm")
    assert label.grab().toImage() != before[0] and button.grab().toImage() != before[1]
    assert (label.property("tone"), button.property("kind")) == ("danger", "alarm")
