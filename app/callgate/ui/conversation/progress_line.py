"""How far a running tool is: a thin line."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from callgate.ui.theme import XS, Theme


class ProgressLine(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._share = 0.0
        self.setFixedHeight(XS)

    def set_share(self, share: float) -> None:
        self._share = min(1.0, max(0.0, share))
        self.setAccessibleName(f"{self._share:.0%} done")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("border"))
        painter.setBrush(self._theme.color("border"))
        box = QRectF(self.rect()).adjusted(0.5, 1, -0.5, -1)
        painter.drawRoundedRect(box, 1, 1)
        painter.setPen(self._theme.color("executing"))
        painter.setBrush(self._theme.color("executing"))
        box.setWidth(box.width() * self._share)
        painter.drawRoundedRect(box, 1, 1)
