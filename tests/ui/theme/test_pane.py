from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.style_sheet import style_sheet
from callgate.ui.theme.tokens import LIGHT


class _Panel(QWidget):
    pass


def test_a_pane_is_drawn_on_the_surface(qtbot: QtBot) -> None:
    panel = _Panel()
    qtbot.addWidget(panel)
    as_pane(panel)
    panel.setStyleSheet(style_sheet(LIGHT))
    panel.resize(20, 20)
    assert panel.grab().toImage().pixelColor(10, 10) == QColor(LIGHT.surface)
