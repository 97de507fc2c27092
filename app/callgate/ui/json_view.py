"""A JSON value to look around in: a tree, and the selected value in full below it. Knows no wire and no tool."""

from typing import Final

import orjson
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QMenu,
    QSplitter,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from callgate.core.messages import Json
from callgate.ui.json_tree import LINE, JsonRole, JsonTreeModel
from callgate.ui.long_text import LongText
from callgate.ui.theme import SMALL_SIZE, XS, S, Theme

ROW_HEIGHT: Final = 22
_OPENED: Final = 12
"""Branches of the root with at most so many children are open from the start."""
_LOWEST: Final = 60
_INKS: Final = {
    "object": "text3",
    "array": "text3",
    "string": "completed",
    "number": "executing",
    "word": "executing",
}

Index = QModelIndex | QPersistentModelIndex


class JsonView(QWidget):
    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        """`title` names it for assistive technology."""
        super().__init__(parent)
        self.model = JsonTreeModel(self)
        self.tree = _Tree(theme, title)
        self.tree.setModel(self.model)
        self.detail = LongText(theme, f"{title}: selected value")
        self.detail.setMinimumHeight(_LOWEST)
        self.detail.hide()
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.tree)
        split.addWidget(self.detail)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(split)
        self.setFocusProxy(self.tree)
        self.tree.selectionModel().currentChanged.connect(self._show_detail)
        self.tree.customContextMenuRequested.connect(self._menu)

    def set_value(self, value: Json) -> None:
        self.model.set_value(value)
        self.detail.hide()
        if self.model.canFetchMore(_ROOT):
            self.model.fetchMore(_ROOT)
        for row in range(min(self.model.rowCount(), _OPENED * 4)):
            index = self.model.index(row, 0)
            if 0 < self.model.node(index).size <= _OPENED:
                self.tree.expand(index)

    def grow_value(self, value: list[Json]) -> None:
        """A list that only became longer: what is open and selected stays so."""
        self.model.grow(value)

    def _show_detail(self, index: QModelIndex) -> None:
        """Only what the line itself can't show in full."""
        value = self.model.node(index).value if index.isValid() else None
        wants = isinstance(value, str) and (len(value) > LINE or "\n" in value or self.tree.is_cut(index))
        self.detail.setVisible(wants)
        if wants and isinstance(value, str):
            self.detail.show_text(value)

    def _menu(self, point: QPoint) -> None:
        index = self.tree.indexAt(point)
        if not index.isValid():
            return
        node = self.model.node(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy value", lambda: _copy(as_text(node.value)))
        menu.addAction("Copy path", lambda: _copy(node.path))
        menu.addSeparator()
        menu.addAction("Open all below", lambda: self.tree.expandRecursively(index, 4))
        menu.popup(self.tree.viewport().mapToGlobal(point))


_ROOT: Final = QModelIndex()


def as_text(value: Json) -> str:
    """A value as one would paste it: strings bare, the rest as JSON."""
    return value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


class _Tree(QTreeView):
    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__()
        self.setAccessibleName(title)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self._delegate = _Delegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setIndentation(14)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        theme.changed.connect(self.viewport().update)

    def is_cut(self, index: QModelIndex) -> bool:
        """Whether the line is too short for its value."""
        metrics = QFontMetrics(self._delegate.font)
        text = f"{index.data(JsonRole.KEY)}: {index.data(JsonRole.VALUE)}"
        return metrics.horizontalAdvance(text) > self.visualRect(index).width() - 2 * S

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.currentIndex().isValid():
            model = self.model()
            assert isinstance(model, JsonTreeModel)
            _copy(as_text(model.node(self.currentIndex()).value))
        else:
            super().keyPressEvent(event)


class _Delegate(QStyledItemDelegate):
    """Draws `key  value` in the colours of the theme."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.font = theme.mono(SMALL_SIZE)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        style = option.widget.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)
        painter.save()
        painter.setFont(self.font)
        metrics = QFontMetrics(self.font)
        box = option.rect.adjusted(XS, 0, -S, 0)
        key, value = str(index.data(JsonRole.KEY)), str(index.data(JsonRole.VALUE))
        place = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        shown = metrics.elidedText(key, Qt.TextElideMode.ElideRight, box.width() * 2 // 3)
        painter.setPen(self._theme.color("accent"))
        painter.drawText(box, place, shown)
        used = metrics.horizontalAdvance(shown) + S
        rest = QRect(box.left() + used, box.top(), max(0, box.width() - used), box.height())
        painter.setPen(self._theme.color(_INKS[str(index.data(JsonRole.KIND))]))
        painter.drawText(rest, place, metrics.elidedText(value, Qt.TextElideMode.ElideRight, rest.width()))
        painter.restore()
