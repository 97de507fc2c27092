"""Rows with a box to tick that is seen in every theme: the platform's own is almost the colour of the ground."""

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from callgate.ui.theme import ICON, Theme

_ROUND: Final = 4.0
_DASH: Final = 8


class TickDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: QWidget) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view
        theme.changed.connect(view.update)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if state is None:
            return
        full = QStyleOptionViewItem(option)
        self.initStyleOption(full, index)
        part = QStyle.SubElement.SE_ItemViewItemCheckIndicator
        box = QRect(0, 0, ICON, ICON)
        box.moveCenter(self._view.style().subElementRect(part, full, self._view).center())
        self._draw(painter, box, Qt.CheckState(state))

    def _draw(self, painter: QPainter, box: QRect, state: Qt.CheckState) -> None:
        """Over the platform's own, which is a little smaller."""
        theme, on = self._theme, state != Qt.CheckState.Unchecked
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("accent" if on else "text3"), 1))
        painter.setBrush(theme.color("accent" if on else "canvas"))
        painter.drawRoundedRect(box.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), _ROUND, _ROUND)
        if state == Qt.CheckState.PartiallyChecked:
            dash = QRect(0, 0, _DASH, 2)
            dash.moveCenter(box.center())
            painter.fillRect(dash, theme.color("surface"))
        elif on:
            theme.icon("approve", "surface").paint(painter, box.adjusted(2, 2, -2, -2))
        painter.restore()
