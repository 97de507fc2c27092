"""A JSON value as a tree to look at and walk through: `key  value`, in the theme's colours. Knows no wire, no tool."""

from typing import Final

import orjson
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from callgate.core.messages import Json
from callgate.ui.text.json_tree import JsonRole, JsonTreeModel
from callgate.ui.theme.theme import SMALL_SIZE, XS, S, Theme, mix

ROW_HEIGHT: Final = 22
_OPENED: Final = 12
"""Branches with at most so many children are open from the start."""
_OPENED_ROWS: Final = 48
"""Rows of the top that are looked at for that."""
_INKS: Final = {
    "object": "text3",
    "array": "text3",
    "string": "completed",
    "number": "executing",
    "word": "executing",
    "line": "completed",
}

Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()


class JsonOutline(QTreeView):
    grown = Signal()
    """More or fewer rows are there to be seen."""

    def __init__(self, theme: Theme, title: str, *, guest: bool = False) -> None:
        """`guest`: it stands in a page that scrolls: wheel and keys are the page's until one clicks into the tree."""
        super().__init__()
        self._guest = guest
        self.setAccessibleName(title)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self._delegate = JsonDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setIndentation(14)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        if guest:
            self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            self.setStyleSheet("QTreeView { background: transparent; }")
        self.expanded.connect(lambda _: self.grown.emit())
        self.collapsed.connect(lambda _: self.grown.emit())
        theme.changed.connect(self.viewport().update)

    @property
    def json(self) -> JsonTreeModel:
        model = self.model()
        assert isinstance(model, JsonTreeModel)
        return model

    @property
    def needle(self) -> str:
        return self._delegate.needle

    def set_needle(self, needle: str) -> None:
        """Marks every line that has a text."""
        if needle != self._delegate.needle:
            self._delegate.needle = needle
            self.viewport().update()

    def open_small(self, index: Index = _ROOT) -> None:
        """Opens the branches that are small enough to be taken in at a glance."""
        model = self.json
        if model.canFetchMore(index) and not model.rowCount(index):
            model.fetchMore(index)
        if self._guest and not index.isValid():
            nested = any(model.node(model.index(row, 0)).size for row in range(min(model.rowCount(), _OPENED_ROWS)))
            self.setRootIsDecorated(nested)  # without branches there is nothing to indent for
        for row in range(min(model.rowCount(index), _OPENED_ROWS)):
            child = model.index(row, 0, index)
            if 0 < model.node(child).size <= _OPENED and not self.isExpanded(child):
                model.fetchMore(child)  # else the tree does so when it is painted, too late for its height
                self.expand(child)

    def visible_rows(self, most: int) -> int:
        """How many rows there are to be seen; counting stops past `most`."""
        model, count = self.json, 0
        pending = [(_ROOT, 0)]
        while pending and count <= most:
            parent, row = pending.pop()
            if row >= model.rowCount(parent):
                continue
            pending.append((parent, row + 1))
            count += 1
            index = model.index(row, 0, parent)
            if self.isExpanded(index):
                pending.append((index, 0))
        return count

    def is_cut(self, index: QModelIndex) -> bool:
        """Whether the line is too short for its value."""
        metrics = QFontMetrics(self._delegate.font)
        text = f"{index.data(JsonRole.KEY)}: {index.data(JsonRole.VALUE)}"
        return metrics.horizontalAdvance(text) > self.visualRect(index).width() - 2 * S

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.currentIndex().isValid():
            QGuiApplication.clipboard().setText(as_text(self.json.node(self.currentIndex()).value))
        elif self._guest and event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._guest and not (self.hasFocus() and self.verticalScrollBar().maximum()):
            event.ignore()
        else:
            super().wheelEvent(event)


def as_text(value: Json) -> str:
    """A value as one would paste it: strings bare, the rest as JSON."""
    return value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


class JsonDelegate(QStyledItemDelegate):
    """Draws `key  value  what is wrong with it`."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.font = theme.mono(SMALL_SIZE)
        self.needle = ""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        style = option.widget.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)
        painter.save()
        painter.setFont(self.font)
        metrics = QFontMetrics(self.font)
        # beside an arrow there is a gap; without any, values begin where the labels around them do
        gap = XS if isinstance(option.widget, QTreeView) and option.widget.rootIsDecorated() else 0
        box = option.rect.adjusted(gap, 0, -S, 0)
        key, value = str(index.data(JsonRole.KEY)), str(index.data(JsonRole.VALUE))
        if self.needle and self.needle in f"{key} {value}".casefold():
            tint = mix(self._theme.color("waiting"), self._theme.color("surface"), 0.3)
            painter.fillRect(option.rect.adjusted(0, 1, 0, -1), tint)
        place = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        used = 0
        if key:
            shown = metrics.elidedText(key, Qt.TextElideMode.ElideRight, box.width() * 2 // 3)
            painter.setPen(self._theme.color("accent"))
            painter.drawText(box, place, shown)
            used = metrics.horizontalAdvance(shown) + S
        wrong = str(index.data(JsonRole.COMPLAINT) or "")
        rest = QRect(box.left() + used, box.top(), max(0, box.width() - used), box.height())
        room = rest.width() * 2 // 3 if wrong else rest.width()
        shown = metrics.elidedText(value, Qt.TextElideMode.ElideRight, room)
        painter.setPen(self._theme.color(_INKS[str(index.data(JsonRole.KIND))]))
        painter.drawText(rest, place, shown)
        if wrong:
            rest.setLeft(rest.left() + metrics.horizontalAdvance(shown) + 2 * S)
            painter.setFont(self._theme.ui(SMALL_SIZE))
            painter.setPen(self._theme.color("denied"))
            told = painter.fontMetrics().elidedText(f"⚠ {wrong}", Qt.TextElideMode.ElideRight, rest.width())
            painter.drawText(rest, place, told)
        painter.restore()
