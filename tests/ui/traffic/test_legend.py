"""The colours of the duration bars are told in words, in both themes."""

from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.delegate import BARS, bar_color
from callgate.ui.traffic.panel import DurationLegend


def colours(image: QImage) -> set[int]:
    return {image.pixel(x, image.height() // 2) for x in range(image.width())}


def test_every_colour_of_the_bars_is_there(qtbot: QtBot, theme: Theme) -> None:
    legend = DurationLegend(theme)
    qtbot.addWidget(legend)
    legend.resize(legend.sizeHint())
    legend.show()
    for mode in ("dark", "light"):
        theme.set_mode(mode)
        painted = colours(legend.grab().toImage())
        for name, _, words in BARS:
            assert QColor(bar_color(theme, name)).rgb() in painted, f"{name} in {mode}"
            assert words in legend.accessibleName()
