"""The parameters of a tool as a tree of rows. Knows what `schema_rows` says, no widgets."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from callgate.ui.tools.schema_rows import SchemaRow

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_BRANCH = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_LEAF = _BRANCH | Qt.ItemFlag.ItemNeverHasChildren


class SchemaRole(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1
    """The `SchemaRow`."""
    PATH = Qt.ItemDataRole.UserRole + 2
    """Its name with those above it: `filter.since`."""


@dataclass(slots=True)
class _Node:
    row: SchemaRow
    path: str
    parent: int
    """Its number in the list of all; -1 = it stands at the top."""
    place: int
    """Among its siblings."""
    children: list[int] = field(default_factory=list[int])


class SchemaModel(QAbstractItemModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._nodes: list[_Node] = []
        self._top: list[int] = []

    def show_rows(self, rows: Sequence[SchemaRow]) -> None:
        """Rows with their depth, nested ones after their parent."""
        self.beginResetModel()
        self._nodes, self._top = [], []
        above: list[int] = []
        for number, row in enumerate(rows):
            del above[row.depth :]
            parent = above[-1] if above else -1
            siblings = self._nodes[parent].children if parent >= 0 else self._top
            path = f"{self._nodes[parent].path}.{row.name}" if parent >= 0 else row.name
            self._nodes.append(_Node(row, path, parent, len(siblings)))
            siblings.append(number)
            above.append(number)
        self.endResetModel()

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        siblings = self._nodes[parent.internalId()].children if parent.isValid() else self._top
        if column or not 0 <= row < len(siblings):
            return QModelIndex()
        return self.createIndex(row, 0, siblings[row])

    def parent(self, index: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        above = self._nodes[index.internalId()].parent if index.isValid() else -1
        return self.createIndex(self._nodes[above].place, 0, above) if above >= 0 else QModelIndex()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return len(self._nodes[parent.internalId()].children) if parent.isValid() else len(self._top)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 1

    def hasChildren(self, parent: Index = _NOWHERE) -> bool:
        return self.rowCount(parent) > 0

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return _BRANCH if self._nodes[index.internalId()].children else _LEAF

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        node = self._nodes[index.internalId()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return node.row.name
            case Qt.ItemDataRole.AccessibleTextRole:
                needed = "required" if node.row.required else "optional"
                return ", ".join((node.path, node.row.type, needed, *node.row.notes))
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return node.row.description
            case SchemaRole.ROW:
                return node.row
            case SchemaRole.PATH:
                return node.path
            case _:
                return None
