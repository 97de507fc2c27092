"""A timeline as a picture that can be kept: PNG or SVG, all of it, whatever part was on screen."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from callgate.core.timeline.bars import Timeline
from callgate.ui.theme.theme import M, Theme
from callgate.ui.timeline.geometry import Geometry, fitting_zoom
from callgate.ui.timeline.legend import LegendPainter
from callgate.ui.timeline.painting import TimelinePainter
from callgate.ui.timeline.scale import TimeScale

WIDTH: Final = 1400
_BELOW: Final = 6
"""Free room under the legend."""
_SHARPNESS: Final = 2
"""Pixels for each of the picture's: it will be looked at on good screens."""


def image_of(timeline: Timeline, theme: Theme, width: int = WIDTH) -> QImage:
    size = _size(timeline, theme, width)
    image = QImage(size * _SHARPNESS, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(_SHARPNESS)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    _draw(painter, timeline, theme, size)
    painter.end()
    return image


def save_png(timeline: Timeline, theme: Theme, path: Path, width: int = WIDTH) -> None:
    """Raises `OSError` where it can't be written."""
    if not image_of(timeline, theme, width).save(str(path), "PNG"):  # pyright: ignore[reportCallIssue, reportArgumentType]
        raise OSError(f"{path} can't be written")


def save_svg(timeline: Timeline, theme: Theme, path: Path, title: str, width: int = WIDTH) -> None:
    """Raises `OSError` where it can't be written."""
    size = _size(timeline, theme, width)
    path.write_bytes(b"")  # the generator says nothing of a place that it can't write to
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setSize(size)
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    painter = QPainter(generator)
    _draw(painter, timeline, theme, size)
    painter.end()


def _size(timeline: Timeline, theme: Theme, width: int) -> QSize:
    height = Geometry(timeline, TimeScale(), width).height
    return QSize(width, round(height) + LegendPainter(theme).height(timeline, width - 2 * M) + _BELOW)


def _draw(painter: QPainter, timeline: Timeline, theme: Theme, size: QSize) -> None:
    scale = TimeScale.of((span.start, span.end) for span in timeline.spans)
    where = Geometry(timeline, scale, size.width(), fitting_zoom(scale, size.width()))
    legend = LegendPainter(theme)
    below = legend.height(timeline, size.width() - 2 * M) + _BELOW
    TimelinePainter(theme).paint(painter, where, QRectF(0, 0, size.width(), size.height() - below))
    box = QRectF(0, size.height() - below, size.width(), below)
    painter.fillRect(box, theme.color("surface"))
    legend.paint(painter, timeline, box.adjusted(M, 0, -M, 0))
