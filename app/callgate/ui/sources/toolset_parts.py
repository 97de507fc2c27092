"""What toolsets are made of: tools by source and other sets, to drag, and the members of a set to drop them on."""

from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import QItemSelectionModel, QMimeData, QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListWidget, QListWidgetItem, QTreeView

from callgate.core.tool import Tool
from callgate.ui.sources.part_model import MIME, ROW_HEIGHT, PartModel, groups_of, members_of, packed, unpacked
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.theme.theme import Theme

_MEMBER: Final = Qt.ItemDataRole.UserRole + 1


class PartTree(QTreeView):
    add_wanted = Signal(tuple)
    """Members, by double click or Enter."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.parts = PartModel(theme, self)
        self.setObjectName("toolsetParts")
        self.setAccessibleName("Tools and sets to add")
        self.setModel(self.parts)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setExpandsOnDoubleClick(False)
        self.doubleClicked.connect(lambda index: self._add([index]))
        self.expandAll()

    def fill(self, tools: Sequence[Tool], sets: Sequence[str], wanted: str) -> None:
        """Those that hold the text; what is open stays open."""
        closed = {group.head.words for row, group in enumerate(self.parts.groups) if not self._is_open(row)}
        if not self.parts.set_groups(groups_of(tools, sets, wanted)):
            return
        for row, group in enumerate(self.parts.groups):
            self.setExpanded(self.parts.index(row, 0), bool(wanted.strip()) or group.head.words not in closed)

    def choose(self, member: str) -> bool:
        """False: it is not among them."""
        index = self.parts.index_of(member)
        if index.isValid():
            self.setCurrentIndex(index)
        return index.isValid()

    def chosen(self) -> tuple[str, ...]:
        return members_of(self.selectedIndexes())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._add(self.selectedIndexes())
        else:
            super().keyPressEvent(event)

    def _add(self, indexes: Sequence[QModelIndex]) -> None:
        if members := members_of(indexes):
            self.add_wanted.emit(members)

    def _is_open(self, row: int) -> bool:
        return self.isExpanded(self.parts.index(row, 0))


class MemberList(QListWidget):
    """The members of a set, in order: dropped here, moved by dragging or Alt and the arrows, removed by Delete."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._known: frozenset[str] = frozenset()
        self.setObjectName("toolsetMembers")
        self.setAccessibleName("Members of the set")
        self.setProperty("lines", "roomy")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)

    @property
    def members(self) -> tuple[str, ...]:
        items = (self.item(row) for row in range(self.count()))
        return tuple(str(item.data(_MEMBER)) for item in items)

    def show_members(self, members: Iterable[str], known: frozenset[str]) -> None:
        """`known`: what there is now; the others are shown as missing."""
        self._known = known
        self.clear()
        for member in members:
            self.addItem(self._item(member))

    def add(self, members: Iterable[str], row: int | None = None) -> None:
        """Each once; one that is there already is moved."""
        wanted = list(dict.fromkeys(members))
        held = list(self.members)
        at = len(held) if row is None else row
        before = [member for member in held[:at] if member not in wanted]
        after = [member for member in held[at:] if member not in wanted]
        if row is None:
            wanted = [member for member in wanted if member not in held]
            before = held
        self._put([*before, *wanted, *after], len(before), len(wanted))

    def remove_chosen(self) -> None:
        chosen = {self.row(item) for item in self.selectedItems()}
        if chosen:
            self._put([member for row, member in enumerate(self.members) if row not in chosen], min(chosen), 0)

    def move_chosen(self, step: int) -> None:
        row = self.currentRow()
        held = list(self.members)
        if 0 <= row + step < len(held) and row >= 0:
            held[row], held[row + step] = held[row + step], held[row]
            self._put(held, row + step, 1)

    def _put(self, members: list[str], first: int, count: int) -> None:
        self.show_members(members, self._known)
        if members:
            here = self.model().index(min(first, len(members) - 1), 0)
            self.selectionModel().setCurrentIndex(here, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        for row in range(first, first + count):
            self.item(row).setSelected(True)
        self.changed.emit()

    def _item(self, member: str) -> QListWidgetItem:
        missing = member not in self._known
        whole = member.endswith("/*")
        words = f"{member[:-2]}: all its tools" if whole else member
        item = QListWidgetItem(reveal(f"{words} (not there now)" if missing else words))
        item.setData(_MEMBER, member)
        item.setSizeHint(QSize(0, ROW_HEIGHT))
        item.setForeground(self._theme.color("text3" if missing else "text"))
        return item

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, items: Sequence[QListWidgetItem]) -> QMimeData:
        return packed(str(item.data(_MEMBER)) for item in items)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(MIME) and self.isEnabled():
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # draws where it would land
        if event.mimeData().hasFormat(MIME):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        members = unpacked(event.mimeData())
        if not members:
            return
        place = event.position().toPoint()
        index = self.indexAt(place)
        row = self.count()
        if index.isValid():
            below = place.y() > self.visualRect(index).center().y()
            row = index.row() + (1 if below else 0)
        # the view would take what was dragged out of itself away afterwards, but it is only moved
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.add(members, row)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.count() and self.isEnabled():
            painter = QPainter(self.viewport())
            painter.setPen(self._theme.color("text3"))
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, "Drop tools here")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove_chosen()
        elif alt and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.move_chosen(-1 if event.key() == Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)
