"""How a row of the tool tree is drawn, and the click on its check box. Reads roles only; fetches nothing."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from callgate.core.tool import Tool
from callgate.ui.reveal import reveal
from callgate.ui.theme import ICON, SMALL_SIZE, XS, M, S, Theme, mix
from callgate.ui.tools.model import ToolRole
from callgate.ui.tools.query import Query, finds_tag, highlights

Index = QModelIndex | QPersistentModelIndex

GROUP_HEIGHT: Final = 30
TOOL_HEIGHT: Final = 42
_BOX: Final = 14
_TEXT_LEFT: Final = S + ICON + XS + _BOX + S
_CHIP_HEIGHT: Final = 18
_NAME_SHARE: Final = 0.55
"""Chips may not push a name below this share of the row."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One row being drawn."""

    painter: QPainter
    rect: QRect
    selected: bool


class ToolDelegate(QStyledItemDelegate):
    source_clicked = Signal(QModelIndex)
    """A source's row was clicked beside its check box: open or close it."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._query = Query()

    def set_query(self, query: Query) -> None:
        self._query = query

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        is_tool = isinstance(index.data(ToolRole.TOOL), Tool)
        return QSize(_TEXT_LEFT + 120, TOOL_HEIGHT if is_tool else GROUP_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = _Row(painter, option.rect, bool(option.state & QStyle.StateFlag.State_Selected))
        self._ground(row, bool(option.state & QStyle.StateFlag.State_MouseOver))
        self._check_box(row, Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)))
        tool = index.data(ToolRole.TOOL)
        if isinstance(tool, Tool):
            self._tool(row, tool)
        else:
            self._source(row, index, bool(option.state & QStyle.StateFlag.State_Open))
        painter.restore()

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        """A click on the box switches; anywhere else it selects. Keys are as Qt has them (space switches)."""
        if event.type() == QEvent.Type.MouseButtonDblClick and isinstance(event, QMouseEvent):
            return self._hits_box(event, option)
        if event.type() not in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
            return super().editorEvent(event, model, option, index)
        if not isinstance(event, QMouseEvent):
            return False
        if not self._hits_box(event, option):
            if event.type() == QEvent.Type.MouseButtonRelease and index.data(ToolRole.TOOL) is None:
                self.source_clicked.emit(index)
            return False
        if event.type() == QEvent.Type.MouseButtonRelease and event.button() == Qt.MouseButton.LeftButton:
            on = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked
            state = Qt.CheckState.Unchecked if on else Qt.CheckState.Checked
            return model.setData(index, state, Qt.ItemDataRole.CheckStateRole)
        return True

    def box_rect(self, row: QRect) -> QRect:
        """Where the check box of a row is."""
        top = row.top() + (GROUP_HEIGHT - _BOX) // 2 if row.height() == GROUP_HEIGHT else row.top() + XS + 2
        return QRect(row.left() + S + ICON + XS, top, _BOX, _BOX)

    def _hits_box(self, event: QMouseEvent, option: QStyleOptionViewItem) -> bool:
        return self.box_rect(option.rect).adjusted(-XS, -XS, XS, XS).contains(event.position().toPoint())

    # ---- drawing ------------------------------------------------------------------------------------------------

    def _ground(self, row: _Row, hovered: bool) -> None:
        surface = self._theme.color("surface")
        ground = surface
        if row.selected:
            ground = mix(self._theme.color("accent"), surface, 0.18)
        elif hovered:
            ground = mix(self._theme.color("text"), surface, 0.05)
        row.painter.fillRect(row.rect, ground)

    def _check_box(self, row: _Row, state: Qt.CheckState) -> None:
        painter, box = row.painter, self.box_rect(row.rect)
        off = state == Qt.CheckState.Unchecked
        accent, ground = self._theme.color("accent"), self._theme.color("surface")
        painter.setPen(QPen(self._theme.color("text3") if off else accent, 1))
        painter.setBrush(ground if off else accent)
        painter.drawRoundedRect(box.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        if off:
            return
        pen = QPen(ground, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        left, top = float(box.left()), float(box.top())
        points = [QPointF(left + 4, top + 7), QPointF(left + 10, top + 7)]
        if state == Qt.CheckState.Checked:
            points = [QPointF(left + 3.5, top + 7.2), QPointF(left + 6, top + 9.8), QPointF(left + 10.5, top + 4.6)]
        painter.drawPolyline(QPolygonF(points))

    def _source(self, row: _Row, index: Index, is_open: bool) -> None:
        painter, rect = row.painter, row.rect
        caret = QRect(rect.left() + S, rect.top() + (rect.height() - ICON) // 2, ICON, ICON)
        self._theme.icon("expanded" if is_open else "collapsed", "text3").paint(painter, caret)
        count = str(index.model().rowCount(index))
        painter.setFont(self._theme.ui(SMALL_SIZE))
        painter.setPen(self._theme.color("text3"))
        place = rect.adjusted(_TEXT_LEFT, 0, -M, 0)
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, count)
        font = self._theme.ui(bold=True)
        painter.setFont(font)
        painter.setPen(self._theme.color("text2"))
        room = place.width() - QFontMetrics(font).horizontalAdvance(count) - S
        name = QFontMetrics(font).elidedText(str(index.data()), Qt.TextElideMode.ElideRight, room)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)

    def _tool(self, row: _Row, tool: Tool) -> None:
        line = QRect(row.rect.left() + _TEXT_LEFT, row.rect.top() + XS, row.rect.width() - _TEXT_LEFT - M, _CHIP_HEIGHT)
        free = self._chips(row, tool, line)
        self._name(row, tool, line.adjusted(0, 0, free - line.right(), 0))
        about = _first_line(tool)
        font = self._theme.ui(SMALL_SIZE)
        row.painter.setFont(font)
        row.painter.setPen(self._theme.color("text3"))
        below = line.translated(0, _CHIP_HEIGHT)
        text = QFontMetrics(font).elidedText(about, Qt.TextElideMode.ElideRight, below.width())
        row.painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    def _name(self, row: _Row, tool: Tool, place: QRect) -> None:
        font = self._theme.ui()
        metrics = QFontMetrics(font)
        name = metrics.elidedText(tool.name, Qt.TextElideMode.ElideRight, place.width())
        tint = mix(self._theme.color("accent"), self._theme.color("surface"), 0.38)
        for start, length in highlights(name, self._query):
            left = place.left() + metrics.horizontalAdvance(name[:start])
            width = metrics.horizontalAdvance(name[: start + length]) + place.left() - left
            row.painter.setPen(Qt.PenStyle.NoPen)
            row.painter.setBrush(tint)
            row.painter.drawRoundedRect(QRect(left - 1, place.top() + 1, width + 2, place.height() - 2), 3, 3)
        row.painter.setFont(font)
        row.painter.setPen(self._theme.color("text" if tool.enabled else "text3"))
        row.painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)

    def _chips(self, row: _Row, tool: Tool, line: QRect) -> int:
        """Draws as many tags as fit, from the right; returns where the room for the name ends."""
        font = self._theme.ui(SMALL_SIZE)
        metrics = QFontMetrics(font)
        name_width = self._name_width(tool)
        limit = line.left() + max(min(name_width, line.width()), int(line.width() * _NAME_SHARE)) + S
        right = line.right()
        row.painter.setFont(font)
        for tag in reversed(tool.tags):
            width = metrics.horizontalAdvance(tag) + 2 * S - XS
            if right - width < limit:
                break
            chip = QRect(right - width, line.top(), width, _CHIP_HEIGHT)
            row.painter.setPen(QPen(self._theme.color("accent" if finds_tag(tag, self._query) else "border"), 1))
            row.painter.setBrush(self._theme.color("raised"))
            row.painter.drawRoundedRect(chip.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            row.painter.setPen(self._theme.color("text2"))
            row.painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, tag)
            right -= width + XS
        return right

    def _name_width(self, tool: Tool) -> int:
        return QFontMetrics(self._theme.ui()).horizontalAdvance(tool.name)


def _first_line(tool: Tool) -> str:
    about = tool.title or tool.user_description or tool.description
    return reveal(about.strip().partition("\n")[0])
