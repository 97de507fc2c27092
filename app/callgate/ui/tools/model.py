"""The catalog as a tree: sources, and under each its tools. Knows tools, no widgets and no engine.

A change of the catalog is applied in place, row by row, so that views keep what is open and selected.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from callgate.core.tool import Tool

Index = QModelIndex | QPersistentModelIndex
R = TypeVar("R")
_NOWHERE = QModelIndex()


class ToolRole(IntEnum):
    TOOL = Qt.ItemDataRole.UserRole + 1
    """The `Tool` itself; None for a source."""
    SOURCE = Qt.ItemDataRole.UserRole + 2
    """The name of the source, for both kinds of row."""
    ENABLED_COUNT = Qt.ItemDataRole.UserRole + 3
    """Of a source: how many of its tools are switched on."""


@dataclass(slots=True)
class _Group:
    key: int
    """Never reused: what the indexes of its tools carry."""
    source: str
    tools: list[Tool] = field(default_factory=list[Tool])


class ToolModel(QAbstractItemModel):
    enable_requested = Signal(str, bool)
    """The person wants a tool on or off: name, enabled. The change itself comes back as a new catalog."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups: list[_Group] = []
        self._by_key: dict[int, _Group] = {}
        self._last_key = 0

    def apply(self, tools: tuple[Tool, ...]) -> None:
        """Becomes this catalog: sources in the order in which they first come, tools in theirs."""
        wanted: dict[str, list[Tool]] = {}
        for tool in tools:
            wanted.setdefault(tool.source, []).append(tool)
        _Sync[_Group](
            self, _NOWHERE, self._groups, lambda group: group.source, self._drop, lambda name: self._new_group(name)
        ).to(list(wanted))
        for row, group in enumerate(self._groups):
            self._fill(self.index(row, 0), group, wanted[group.source])

    @property
    def total(self) -> int:
        return sum(len(group.tools) for group in self._groups)

    def index_of(self, name: str) -> QModelIndex:
        """Where a tool stands; invalid if there is none of that name."""
        for group in self._groups:
            for row, tool in enumerate(group.tools):
                if tool.name == name:
                    return self.createIndex(row, 0, group.key)
        return QModelIndex()

    # ---- QAbstractItemModel ------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, self._groups[parent.row()].key if parent.isValid() else 0)

    def parent(self, index: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        group = self._by_key.get(index.internalId()) if index.isValid() else None
        return QModelIndex() if group is None else self.createIndex(self._groups.index(group), 0, 0)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self._groups)
        if parent.internalId() != 0 or parent.column() != 0:
            return 0
        return len(self._groups[parent.row()].tools)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        group = self._by_key.get(index.internalId())
        if group is None:
            return _source_data(self._groups[index.row()], role)
        return _tool_data(group.tools[index.row()], role)

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or role != Qt.ItemDataRole.CheckStateRole:
            return False
        enabled = Qt.CheckState(value) == Qt.CheckState.Checked
        group = self._by_key.get(index.internalId())
        tools = self._groups[index.row()].tools if group is None else [group.tools[index.row()]]
        for name in [tool.name for tool in tools if tool.enabled != enabled]:
            self.enable_requested.emit(name, enabled)
        return True

    # ---- keeping up ---------------------------------------------------------------------------------------------

    def _new_group(self, source: str) -> _Group:
        self._last_key += 1
        group = _Group(self._last_key, source)
        self._by_key[group.key] = group
        return group

    def _drop(self, group: _Group) -> None:
        del self._by_key[group.key]

    def _fill(self, parent: QModelIndex, group: _Group, wanted: list[Tool]) -> None:
        fresh = {tool.name: tool for tool in wanted}
        before = (len(group.tools), sum(tool.enabled for tool in group.tools))
        _Sync[Tool](self, parent, group.tools, lambda tool: tool.name, lambda _: None, lambda name: fresh[name]).to(
            list(fresh)
        )
        for row, tool in enumerate(group.tools):
            if tool != fresh[tool.name]:
                group.tools[row] = fresh[tool.name]
                index = self.index(row, 0, parent)
                self.dataChanged.emit(index, index)
        if before != (len(group.tools), sum(tool.enabled for tool in group.tools)):
            self.dataChanged.emit(parent, parent)


class _Sync(Generic[R]):
    """Turns a list of rows into another by removals, moves and insertions, so that views keep their place."""

    def __init__(
        self,
        model: ToolModel,
        parent: QModelIndex,
        rows: list[R],
        key: Callable[[R], str],
        drop: Callable[[R], None],
        make: Callable[[str], R],
    ) -> None:
        self.model, self.parent, self.rows, self.key, self.drop, self.make = model, parent, rows, key, drop, make

    def to(self, wanted: list[str]) -> None:
        kept = set(wanted)
        for row in reversed(range(len(self.rows))):
            if self.key(self.rows[row]) not in kept:
                self.model.beginRemoveRows(self.parent, row, row)
                self.drop(self.rows.pop(row))
                self.model.endRemoveRows()
        for row, name in enumerate(wanted):
            self._place(row, name)

    def _place(self, row: int, name: str) -> None:
        held = next((at for at in range(row, len(self.rows)) if self.key(self.rows[at]) == name), None)
        if held is None:
            self.model.beginInsertRows(self.parent, row, row)
            self.rows.insert(row, self.make(name))
            self.model.endInsertRows()
        elif held != row:
            self.model.beginMoveRows(self.parent, held, held, self.parent, row)
            self.rows.insert(row, self.rows.pop(held))
            self.model.endMoveRows()


def _source_data(group: _Group, role: int) -> object:
    on = sum(tool.enabled for tool in group.tools)
    match role:
        case Qt.ItemDataRole.DisplayRole | ToolRole.SOURCE:
            return group.source
        case Qt.ItemDataRole.AccessibleTextRole:
            return f"{group.source}: {len(group.tools)} tools, {on} enabled"
        case Qt.ItemDataRole.CheckStateRole:
            if on == 0:
                return Qt.CheckState.Unchecked
            return Qt.CheckState.Checked if on == len(group.tools) else Qt.CheckState.PartiallyChecked
        case ToolRole.ENABLED_COUNT:
            return on
        case _:
            return None


def _tool_data(tool: Tool, role: int) -> object:
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return tool.name
        case Qt.ItemDataRole.AccessibleTextRole:
            return f"{tool.name}, {'enabled' if tool.enabled else 'disabled'}"
        case Qt.ItemDataRole.AccessibleDescriptionRole:
            return tool.user_description or tool.description
        case Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if tool.enabled else Qt.CheckState.Unchecked
        case ToolRole.TOOL:
            return tool
        case ToolRole.SOURCE:
            return tool.source
        case _:
            return None
