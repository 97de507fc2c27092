"""Everything a toolset can be made of, as a tree of two levels: groups and what is in them. Quick for ten thousand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt

from callgate.core.tool import Tool
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_tip
from callgate.ui.theme.theme import Theme

MIME: Final = "application/x-callgate-members"
ROW_HEIGHT: Final = 24
_ROOT: Final = QModelIndex()
_TOP: Final = 0
"""The internal id of groups; that of what is in one is the number of the group and one more."""

Index = QModelIndex | QPersistentModelIndex


class PartRole(IntEnum):
    MEMBER = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True, slots=True)
class Part:
    words: str
    member: str
    """What goes into the set; empty = nothing can be taken from this line."""
    tip: str


@dataclass(frozen=True, slots=True)
class Group:
    head: Part
    parts: tuple[Part, ...]


def groups_of(tools: Iterable[Tool], sets: Iterable[str], wanted: str) -> tuple[Group, ...]:
    """Those that hold the text; a source as a whole stands for all its tools, also those to come."""
    text = wanted.strip().casefold()
    groups: list[Group] = []
    if found := tuple(Part(name, name, f"The set {name}") for name in sets if text in name.casefold()):
        groups.append(Group(Part("Toolsets", "", "Other sets"), found))
    by_source: dict[str, list[Part]] = {}
    for tool in tools:
        if not text or text in f"{tool.source} {tool.name} {tool.reference} {tool.title}".casefold():
            by_source.setdefault(tool.source, []).append(Part(tool.name, tool.name, tool.description or tool.name))
    for source, parts in by_source.items():
        groups.append(Group(Part(source, f"{source}/*", f"All tools of {source}"), tuple(parts)))
    return tuple(groups)


def packed(members: Iterable[str]) -> QMimeData:
    data = QMimeData()
    names = "\n".join(members)
    data.setData(MIME, names.encode("utf-8"))
    data.setText(names)
    return data


def unpacked(data: QMimeData) -> tuple[str, ...]:
    raw = bytes(data.data(MIME).data()).decode("utf-8") if data.hasFormat(MIME) else ""
    return tuple(name for name in raw.split("\n") if name)


class PartModel(QAbstractItemModel):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._groups: tuple[Group, ...] = ()

    @property
    def groups(self) -> tuple[Group, ...]:
        return self._groups

    def set_groups(self, groups: tuple[Group, ...]) -> bool:
        """Whether anything is different now."""
        if groups == self._groups:
            return False
        self.beginResetModel()
        self._groups = groups
        self.endResetModel()
        return True

    def index_of(self, member: str) -> QModelIndex:
        for row, group in enumerate(self._groups):
            if group.head.member == member:
                return self.index(row, 0)
            for inner, part in enumerate(group.parts):
                if part.member == member:
                    return self.index(inner, 0, self.index(row, 0))
        return QModelIndex()

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else _TOP)

    def parent(self, index: Index = _ROOT) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or index.internalId() == _TOP:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, _TOP)

    def rowCount(self, parent: Index = _ROOT) -> int:
        if not parent.isValid():
            return len(self._groups)
        return len(self._groups[parent.row()].parts) if parent.internalId() == _TOP else 0

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        part = self._part(index)
        if part is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return reveal(part.words)
            case PartRole.MEMBER:
                return part.member
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(part.tip)
            case Qt.ItemDataRole.FontRole:
                return self._theme.ui(bold=index.internalId() == _TOP)
            case Qt.ItemDataRole.SizeHintRole:
                return QSize(0, ROW_HEIGHT)
            case _:
                return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        part = self._part(index)
        if part is None:
            return Qt.ItemFlag.NoItemFlags
        if not part.member:
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        return packed(members_of(indexes))

    def _part(self, index: Index) -> Part | None:
        if not index.isValid():
            return None
        if index.internalId() == _TOP:
            return self._groups[index.row()].head if index.row() < len(self._groups) else None
        return self._groups[index.internalId() - 1].parts[index.row()]


def members_of(indexes: Iterable[Index]) -> tuple[str, ...]:
    return tuple(member for index in indexes if (member := str(index.data(PartRole.MEMBER) or "")))
