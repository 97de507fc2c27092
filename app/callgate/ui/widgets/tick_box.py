"""A check box whose box is seen in every theme: the platform's own is drawn almost in the colour of the ground."""

from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QWidget

from callgate.ui.theme.theme import ICON, S, Theme

_ROUND: Final = 4.0
_LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic)


class TickBox(QCheckBox):
    def __init__(self, theme: Theme, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._theme = theme
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        words = self.fontMetrics().horizontalAdvance(self.text()) + S if self.text() else 0
        return QSize(ICON + 2 + words, max(ICON + 4, self.fontMetrics().height() + 2))

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRect(1, (self.height() - ICON) // 2, ICON, ICON)
        on = self.isChecked()
        edge = "accent" if on or self.hasFocus() else "text3"
        painter.setPen(QPen(theme.color(edge if self.isEnabled() else "border"), 1))
        painter.setBrush(theme.color("accent" if on and self.isEnabled() else "canvas"))
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), _ROUND, _ROUND)
        if on:
            theme.icon("approve", "surface").paint(painter, box.adjusted(2, 2, -2, -2))
        painter.setPen(theme.color("text" if self.isEnabled() else "text3"))
        painter.setFont(self.font())
        painter.drawText(self.rect().adjusted(ICON + S, 0, 0, 0), _LEFT, self.text())
