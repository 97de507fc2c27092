"""Which tools a conversation is offered: all that are enabled, none, or some, by set and by source."""

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from callgate.core.tool import Tool
from callgate.core.toolset import Toolset
from callgate.engine.console.console import Console
from callgate.ui.conversation.composer.references import score
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, plain_tip
from callgate.ui.theme.theme import ICON, M, S, Theme
from callgate.ui.widgets.clear_button import add_clear_button

_ROUND: Final = 4.0
_DASH: Final = 8


class TickDelegate(QStyledItemDelegate):
    """Rows with a box to tick that is seen in every theme: the platform's own is almost the colour of the ground."""

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


_NAME: Final = Qt.ItemDataRole.UserRole
_HEIGHT: Final = 196
_ABOUT: Final = 160
"""Letters of a description that stand beside a name."""
_OPENED: Final = 40
"""Groups with more tools start folded."""
_ON, _OFF, _SOME = Qt.CheckState.Checked, Qt.CheckState.Unchecked, Qt.CheckState.PartiallyChecked


class ToolChooser(QWidget):
    changed = Signal()

    def __init__(self, console: Console, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolChooser")
        self.setAccessibleName("Tools for this conversation")
        self._console, self._theme = console, theme
        self._use = True
        self._names: tuple[str, ...] = ()
        self._filling = False
        self.filter = QLineEdit()
        self.filter.setObjectName("toolChooserFilter")
        self.filter.setPlaceholderText("Find a tool…")
        self.filter.setAccessibleName("Find a tool")
        add_clear_button(self.filter, theme)
        self.filter.textChanged.connect(self._filter)
        self.all_button, self.none_button = QPushButton("All"), QPushButton("None")
        self.all_button.setAccessibleName("Offer all enabled tools")
        self.none_button.setAccessibleName("Offer no tools")
        self.all_button.clicked.connect(lambda: self._pick(True, ()))
        self.none_button.clicked.connect(lambda: self._pick(False, ()))
        self.tree = QTreeWidget()
        self.tree.setObjectName("toolChooserTree")
        self.tree.setAccessibleName("Tools to offer")
        self.tree.setColumnCount(2)
        self.tree.setHeaderHidden(True)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setStretchLastSection(True)
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        self.tree.setFixedHeight(_HEIGHT)
        self.tree.setStyleSheet("QTreeWidget { background: transparent; } QTreeWidget::item { height: 24px; }")
        self.tree.setUniformRowHeights(True)
        self.tree.setItemDelegate(TickDelegate(theme, self.tree))
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.itemChanged.connect(self._ticked)
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(plain_label("Tools for this conversation", "strong"))
        head.addStretch(1)
        head.addWidget(self.filter)
        head.addWidget(self.all_button)
        head.addWidget(self.none_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, M, M, S)
        column.setSpacing(S)
        column.addLayout(head)
        column.addWidget(self.tree)
        theme.changed.connect(self._draw)

    @property
    def use_tools(self) -> bool:
        return self._use

    @property
    def names(self) -> tuple[str, ...]:
        """The chosen tools and sets; empty = all, where tools are used."""
        return self._names

    @property
    def words(self) -> str:
        if not self._use:
            return "No tools"
        return f"Tools: {len(self._names)} chosen" if self._names else "Tools: all"

    def set_choice(self, use_tools: bool, names: tuple[str, ...]) -> None:
        self._use, self._names = use_tools, names
        if self.isVisible():
            self.fill()

    def fill(self) -> None:
        """Asks for the tools again."""
        self._filling = True
        self.tree.clear()
        tools = [tool for tool in self._console.tools() if tool.enabled and not tool.private]
        sets = self._console.toolsets()
        if sets:
            self._group("Toolsets", [self._set_item(one) for one in sets])
        for source in dict.fromkeys(tool.source for tool in tools):
            self._group(source, [self._tool_item(tool) for tool in tools if tool.source == source])
        self._filling = False
        self._filter(self.filter.text())

    def _group(self, title: str, items: list[QTreeWidgetItem]) -> None:
        group = QTreeWidgetItem([reveal(title)])
        group.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
        self.tree.addTopLevelItem(group)
        group.addChildren(items)
        group.setFirstColumnSpanned(True)
        self._sum_up(group)
        group.setExpanded(len(items) <= _OPENED)

    def _sum_up(self, group: QTreeWidgetItem) -> None:
        states = {child.checkState(0) for child in _children(group)}
        group.setCheckState(0, states.pop() if len(states) == 1 else _SOME)

    def _set_item(self, one: Toolset) -> QTreeWidgetItem:
        return self._item(
            one.name, f"{one.name}  ({len(one.tools)} {'tool' if len(one.tools) == 1 else 'tools'})", one.description
        )

    def _tool_item(self, tool: Tool) -> QTreeWidgetItem:
        return self._item(tool.name, tool.name, tool.user_description or tool.description)

    def _item(self, name: str, title: str, about: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem([reveal(title), reveal(" ".join(about.split())[:_ABOUT])])
        item.setData(0, _NAME, name)
        item.setToolTip(1, plain_tip(about))
        item.setToolTip(0, plain_tip(about))
        item.setCheckState(0, _ON if self._use and (not self._names or name in self._names) else _OFF)
        self._dress(item)
        return item

    def _dress(self, item: QTreeWidgetItem) -> None:
        item.setForeground(1, self._theme.color("text3"))
        item.setIcon(0, self._theme.icon("tool", "text3"))

    def _draw(self) -> None:
        """The colours are others, while it stands open perhaps; nothing was ticked."""
        was, self._filling = self._filling, True
        for item in self._items():
            self._dress(item)
        self._filling = was

    def _items(self) -> list[QTreeWidgetItem]:
        return [child for group in self._groups() for child in _children(group)]

    def _groups(self) -> list[QTreeWidgetItem]:
        groups = (self.tree.topLevelItem(row) for row in range(self.tree.topLevelItemCount()))
        return [group for group in groups if group is not None]

    def _ticked(self, item: QTreeWidgetItem) -> None:
        if self._filling:
            return
        self._filling = True
        for child in _children(item):
            if not child.isHidden():
                child.setCheckState(0, item.checkState(0))
        above = item.parent()
        if above is not None:
            self._sum_up(above)
        self._filling = False
        items = self._items()
        chosen = tuple(str(one.data(0, _NAME)) for one in items if one.checkState(0) == _ON)
        if len(chosen) == len(items):
            self._keep(True, ())
        else:
            self._keep(bool(chosen), chosen)

    def _pick(self, use_tools: bool, names: tuple[str, ...]) -> None:
        self._keep(use_tools, names)
        self.fill()

    def _keep(self, use_tools: bool, names: tuple[str, ...]) -> None:
        self._use, self._names = use_tools, names
        self.changed.emit()

    def _filter(self, text: str) -> None:
        for item in self._items():
            item.setHidden(bool(text) and score(str(item.data(0, _NAME)), text) is None)
        for group in self._groups():
            group.setHidden(all(child.isHidden() for child in _children(group)))
            if text:
                group.setExpanded(True)


def _children(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    children = (item.child(row) for row in range(item.childCount()))
    return [child for child in children if child is not None]
