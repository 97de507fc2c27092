"""One of several choices, with a ring that is seen in every theme, as the platform's own is not."""

from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QRadioButton, QWidget

from callgate.ui.theme import ICON, S, Theme

_LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic)
_DOT: Final = 6


class PickButton(QRadioButton):
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
        theme, on = self._theme, self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = QRect(1, (self.height() - ICON) // 2, ICON, ICON).adjusted(1, 1, -1, -1)
        painter.setPen(QPen(theme.color("accent" if on or self.hasFocus() else "text3"), 1))
        painter.setBrush(theme.color("accent" if on else "canvas"))
        painter.drawEllipse(ring.toRectF().adjusted(0.5, 0.5, -0.5, -0.5))
        if on:
            dot = QRect(0, 0, _DOT, _DOT)
            dot.moveCenter(ring.center())
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("surface"))
            painter.drawEllipse(dot)
        painter.setPen(theme.color("text"))
        painter.setFont(self.font())
        painter.drawText(self.rect().adjusted(ICON + S, 0, 0, 0), _LEFT, self.text())
