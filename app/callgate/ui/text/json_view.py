"""A JSON value to look around in: a tree, and the selected value in full below it. Knows no wire and no tool."""

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QMenu,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from callgate.core.messages import Json
from callgate.ui.text.json_outline import JsonOutline, as_text
from callgate.ui.text.json_tree import LINE, JsonTreeModel
from callgate.ui.text.long_text import LongText
from callgate.ui.theme.theme import Theme

_OPENED: Final = 12
"""Branches of the root with at most so many children are open from the start."""
_LOWEST: Final = 60
Index = QModelIndex | QPersistentModelIndex


class JsonView(QWidget):
    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        """`title` names it for assistive technology."""
        super().__init__(parent)
        self.model = JsonTreeModel(self)
        self.tree = JsonOutline(theme, title)
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


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
