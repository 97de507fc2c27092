"""The tree of tools: keeps what is open, selected and scrolled to while its rows come and go. Knows no console."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QMenu, QTreeView, QWidget

from callgate.core.tool import Tool
from callgate.ui.tools.delegate import ToolDelegate
from callgate.ui.tools.grouping import Group
from callgate.ui.tools.model import Section, ToolModel, ToolRole
from callgate.ui.tools.row_menu import fill_row_menu

OPEN_AT_ONCE: Final = 300
"""Rows that are opened unasked: with more, groups stay closed until the person opens them."""
FOUND_AT_ONCE: Final = 100
"""The same while a filter lasts: the best come first, and a keystroke must not be felt."""


class ToolTree(QTreeView):
    tool_chosen = Signal(object)
    """The tool that is current now, or was clicked again: Tool | None."""
    filter_wanted = Signal(str)
    """The person wants to see only what is like this: a filter."""
    source_wanted = Signal(str)
    """The person wants to see how a source is doing: its name."""

    def __init__(self, model: ToolModel, delegate: ToolDelegate, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tools = model
        self._said: dict[str, bool] = {}
        """Groups that the person has opened or closed; a filter opens what it finds for as long as it lasts."""
        self._filtered = False
        self._restoring = False
        self._drawn = delegate
        self._pressed_box = QPersistentModelIndex()
        self.setObjectName("toolTree")
        self.setAccessibleName("Tools")
        self.setModel(model)
        self.setItemDelegate(delegate)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.menu = QMenu(self)
        self.menu.setObjectName("toolMenu")
        self.selectionModel().currentChanged.connect(self._moved)
        model.refreshed.connect(self.viewport().update)
        self.clicked.connect(self._clicked)
        self.expanded.connect(lambda index: self._remember(index, is_open=True))
        self.collapsed.connect(lambda index: self._remember(index, is_open=False))

    @property
    def tool(self) -> Tool | None:
        tool = self.currentIndex().data(ToolRole.TOOL)
        return tool if isinstance(tool, Tool) else None

    def show_sections(self, tools: Sequence[Tool], sections: list[Section], *, filtered: bool) -> None:
        """Shows these, with what was open, current and on screen as it was."""
        place = self._place()
        height = self.verticalScrollBar().value()
        self._restoring = True
        reset = self._tools.show(tools, sections)
        if reset or filtered != self._filtered:
            self._filtered = filtered
            self._open(sections, all_closed=reset)
        if reset:
            self._return_to(place)
            if height:
                self.executeDelayedItemsLayout()
                self.verticalScrollBar().setValue(height)
        self._restoring = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """J and K go down and up, as in every list here; Return shows the tool, or opens and closes the group."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._clicked(self.currentIndex())
            return
        step = {Qt.Key.Key_J: Qt.Key.Key_Down, Qt.Key.Key_K: Qt.Key.Key_Up}.get(Qt.Key(event.key()))
        if step is not None and not event.modifiers():
            event = QKeyEvent(event.type(), step, Qt.KeyboardModifier.NoModifier)
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """On a box it will switch, and chooses nothing: whoever switches tools does not want to read of each."""
        self._pressed_box = self._box_at(event)
        if not self._pressed_box.isValid():
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed_box = self._pressed_box, QPersistentModelIndex()
        if not pressed.isValid():
            super().mouseReleaseEvent(event)
        elif self._box_at(event) == pressed:
            self._tools.toggle(pressed)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        self.menu.clear()
        fill_row_menu(self.menu, self, index, self.filter_wanted.emit, self.source_wanted.emit)
        self.menu.popup(event.globalPos())

    def choose_first(self) -> None:
        """The first tool on show becomes the current one."""
        for row in range(self._tools.rowCount()):
            parent = self._tools.index(row, 0)
            if self._tools.rowCount(parent):
                self.expand(parent)
                self.setCurrentIndex(self._tools.index(0, 0, parent))
                self.setFocus()
                return

    # ---- keeping place ---------------------------------------------------------------------------------------------

    def _place(self) -> tuple[str, str, str] | None:
        """Group, tool and source of the current row."""
        index = self.currentIndex()
        group, tool = index.data(ToolRole.GROUP), index.data(ToolRole.TOOL)
        if not isinstance(group, Group):
            return None
        return (group.key, tool.name, tool.source) if isinstance(tool, Tool) else (group.key, "", "")

    def _return_to(self, place: tuple[str, str, str] | None) -> None:
        if place is None:
            return
        group, name, source = place
        index = self._tools.index_of(name, group, source) if name else self._tools.group_index(group)
        if index.isValid():
            self.setAutoScroll(False)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.setAutoScroll(True)

    def _open(self, sections: list[Section], all_closed: bool) -> None:
        """While a filter lasts, what it finds is open, as far as that is not too much; else as the person left it."""
        few = sum(len(section.shown) for section in sections) <= OPEN_AT_ONCE
        shown = 0
        for row, section in enumerate(sections):
            shown += len(section.shown)
            if self._filtered:
                wanted = shown <= FOUND_AT_ONCE or row == 0
            else:
                wanted = self._said.get(section.group.key, few)
            if all_closed and not wanted:
                continue
            index = self._tools.index(row, 0)
            if all_closed or wanted != self.isExpanded(index):
                self.setExpanded(index, wanted)

    def _remember(self, index: QModelIndex, is_open: bool) -> None:
        group = index.data(ToolRole.GROUP)
        if not self._restoring and not self._filtered and isinstance(group, Group):
            self._said[group.key] = is_open

    def _box_at(self, event: QMouseEvent) -> QPersistentModelIndex:
        """The row whose box is under the mouse."""
        place: QPoint = event.position().toPoint()
        index = self.indexAt(place)
        hit = event.button() == Qt.MouseButton.LeftButton and self._drawn.box_at(self.visualRect(index), place)
        has_box = index.data(Qt.ItemDataRole.CheckStateRole) is not None
        return QPersistentModelIndex(index) if hit and has_box else QPersistentModelIndex()

    def _clicked(self, index: QModelIndex) -> None:
        """A group opens or closes; a tool that is current already is shown again."""
        if index.data(ToolRole.TOOL) is None:
            self.setExpanded(index, not self.isExpanded(index))
        else:
            self.tool_chosen.emit(self.tool)

    def _moved(self) -> None:
        """Coming back to a place is no choice."""
        if not self._restoring:
            self.tool_chosen.emit(self.tool)
