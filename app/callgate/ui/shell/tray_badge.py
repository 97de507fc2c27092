"""The picture in the tray: the gate, with a round number on it while calls wait. Paints; knows no calls."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap

from callgate.ui.theme.theme import Theme

SIZES: Final = (22, 32, 64)
MOST: Final = 99


def tray_icon(theme: Theme, count: int, *, is_open: bool = False) -> QIcon:
    """`is_open`: the gate only observes; its ground then has the colour of danger."""
    icon = QIcon()
    for size in SIZES:
        icon.addPixmap(_picture(theme, count, is_open, size))
    return icon


def _picture(theme: Theme, count: int, is_open: bool, size: int) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    # a ground of its own: nobody knows whether the panel is dark or light
    painter.setBrush(theme.color("denied" if is_open else "accent"))
    painter.drawRoundedRect(QRectF(0, 0, size, size), size * 0.22, size * 0.22)
    ink = "canvas" if theme.is_dark else "surface"
    inset = size * 0.12
    theme.icon("gate", ink).paint(painter, QRectF(inset, inset, size - 2 * inset, size - 2 * inset).toRect())
    if count:
        _badge(painter, theme, count, size)
    painter.end()
    return pixmap


def _badge(painter: QPainter, theme: Theme, count: int, size: int) -> None:
    radius = size * 0.31
    centre = QPointF(size - radius, size - radius)
    painter.setBrush(theme.color("canvas"))
    painter.drawEllipse(centre, radius, radius)
    painter.setBrush(theme.color("waiting"))
    painter.drawEllipse(centre, radius * 0.9, radius * 0.9)
    words = str(count) if count <= MOST else "…"
    font = theme.ui(max(8, round(size * (0.42 if len(words) == 1 else 0.34))), bold=True)
    painter.setFont(font)
    painter.setPen(theme.color("canvas" if theme.is_dark else "surface"))
    box = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), words)
