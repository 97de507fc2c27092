"""Any JSON value as a tree whose branches are made when they are opened: five megabytes cost no more than a page.

Knows values and Qt's models; nothing of what the JSON is about, and no widgets.
"""

from enum import IntEnum
from typing import Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from callgate.core.messages import Json
from callgate.ui.reveal import reveal

PAGE: Final = 500
"""Children made at a time: an array may have a hundred thousand."""
LINE: Final = 400
"""Letters of a string that one line of a tree can show; the whole of it is shown where it is selected."""
_NO_PARENT: Final = QModelIndex()

Index = QModelIndex | QPersistentModelIndex


class JsonRole(IntEnum):
    KEY = Qt.ItemDataRole.UserRole + 1
    VALUE = Qt.ItemDataRole.UserRole + 2
    """The value as one line."""
    KIND = Qt.ItemDataRole.UserRole + 3
    """object, array, string, number, word."""


class Node:
    """One value in the tree. Children are made as far as they were asked for."""

    __slots__ = ("_keys", "children", "key", "parent", "row", "value")

    def __init__(self, key: str | int | None, value: Json, parent: "Node | None", row: int) -> None:
        self.key, self.value, self.parent, self.row = key, value, parent, row
        self.children: list[Node] = []
        self._keys: list[str] | None = None

    @property
    def size(self) -> int:
        return len(self.value) if isinstance(self.value, dict | list) else 0

    def make(self, count: int) -> None:
        """Makes the next children."""
        start = len(self.children)
        match self.value:
            case dict():
                if self._keys is None:
                    self._keys = list(self.value)
                made = [(key, self.value[key]) for key in self._keys[start : start + count]]
            case list():
                made = list(enumerate(self.value[start : start + count], start))
            case _:
                made = []
        for offset, (key, value) in enumerate(made):
            self.children.append(Node(key, value, self, start + offset))

    @property
    def path(self) -> str:
        """Where it stands: `messages[2].content`; empty = the root."""
        steps: list[str] = []
        node: Node | None = self
        while node is not None and node.key is not None:
            steps.append(_step(node.key))
            node = node.parent
        return "".join(reversed(steps)).removeprefix(".")


class JsonTreeModel(QAbstractItemModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root = Node(None, None, None, 0)
        self._nodes: dict[int, Node] = {}
        """Keeps alive what indexes point to."""

    def set_value(self, value: Json) -> None:
        self.beginResetModel()
        self._root = Node(None, value, None, 0)
        self._nodes = {}
        self.endResetModel()

    def grow(self, value: list[Json]) -> None:
        """The same list with more at its end."""
        had_all = not self.canFetchMore(_NO_PARENT)
        self._root.value = value
        if had_all:
            self.fetchMore(_NO_PARENT)

    @property
    def value(self) -> Json:
        return self._root.value

    def node(self, index: Index) -> Node:
        return self._nodes.get(index.internalId(), self._root) if index.isValid() else self._root

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = _NO_PARENT) -> QModelIndex:
        children = self.node(parent).children
        if column != 0 or not 0 <= row < len(children):
            return QModelIndex()
        child = children[row]
        self._nodes[id(child)] = child
        return self.createIndex(row, 0, id(child))

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        if not index.isValid():
            return QModelIndex()
        above = self.node(index).parent
        if above is None or above is self._root:
            return QModelIndex()
        self._nodes[id(above)] = above
        return self.createIndex(above.row, 0, id(above))

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return len(self.node(parent).children) if parent.column() <= 0 else 0

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 1

    def hasChildren(self, parent: Index = _NO_PARENT) -> bool:
        return parent.column() <= 0 and self.node(parent).size > 0

    def canFetchMore(self, parent: Index) -> bool:
        node = self.node(parent)
        return len(node.children) < node.size

    def fetchMore(self, parent: Index) -> None:
        node = self.node(parent)
        start = len(node.children)
        count = min(PAGE, node.size - start)
        if count <= 0:
            return
        self.beginInsertRows(parent, start, start + count - 1)
        node.make(count)
        self.endInsertRows()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        node = self.node(index)
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return f"{_label(node.key)}: {one_line(node.value)}"
            case JsonRole.KEY:
                return _label(node.key)
            case JsonRole.VALUE:
                return one_line(node.value)
            case JsonRole.KIND:
                return kind_of(node.value)
            case _:
                return None


def kind_of(value: Json) -> str:
    match value:
        case dict():
            return "object"
        case list():
            return "array"
        case str():
            return "string"
        case bool() | None:
            return "word"
        case _:
            return "number"


def one_line(value: Json) -> str:
    """A value in one line: strings quoted and cut, containers by their size and what they are called."""
    match value:
        case dict():
            return f"{{ {_named(value)} }}" if value else "{}"
        case list():
            return f"[ {len(value)} ]" if value else "[]"
        case str():
            cut = value[:LINE]
            shown = reveal(cut.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace('"', '\\"'))
            return f'"{shown}…' if len(value) > LINE else f'"{shown}"'
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)


def _named(value: dict[str, Json]) -> str:
    """What tells an object from its neighbours, else how many fields it has."""
    holders = [value, *(inner for inner in value.values() if isinstance(inner, dict))]
    for field in ("name", "role", "type", "id"):
        for holder in holders:
            said = holder.get(field)
            if isinstance(said, str) and said:
                return f"{field}: {reveal(said[:40])}"
    return f"{len(value)}"


def _label(key: str | int | None) -> str:
    return "" if key is None else str(key) if isinstance(key, int) else reveal(key[:LINE])


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if key.replace("-", "_").isidentifier() else f"[{key!a}]"
