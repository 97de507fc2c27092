"""Any JSON value as a tree whose branches are made when they are opened: five megabytes cost no more than a page.

Knows values and Qt's models; nothing of what the JSON is about, and no widgets.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from callgate.core.messages import Json
from callgate.ui.text.hidden_characters import reveal

PAGE: Final = 500
"""Children made at a time: an array may have a hundred thousand."""
_SMALL_PAGE: Final = 60
"""The same where a few rows are shown at once, on a card."""
LINE: Final = 400
"""Letters of a string that one line of a tree can show; the whole of it is shown where it is selected."""
_WIDE: Final = 110
"""Letters of a line of a long string, where strings are spelled out."""
_NO_PARENT: Final = QModelIndex()

Index = QModelIndex | QPersistentModelIndex


class JsonRole(IntEnum):
    KEY = Qt.ItemDataRole.UserRole + 1
    VALUE = Qt.ItemDataRole.UserRole + 2
    """The value as one line."""
    KIND = Qt.ItemDataRole.UserRole + 3
    """object, array, string, number, word, line."""
    COMPLAINT = Qt.ItemDataRole.UserRole + 4
    """What is wrong with the value; empty = nothing."""


class Line(str):
    """A piece of a long string: shown below it, bare."""

    __slots__ = ()


class Node:
    """One value in the tree. Children are made as far as they were asked for."""

    __slots__ = ("_items", "children", "key", "parent", "row", "spells", "value")

    def __init__(self, key: str | int | None, value: Json, parent: "Node | None", row: int, spells: bool) -> None:
        self.key, self.value, self.parent, self.row = key, value, parent, row
        self.spells = spells
        """Long strings have their lines below them."""
        self.children: list[Node] = []
        self._items: list[str] | None = None
        """The keys of an object, or the lines of a long string."""

    @property
    def size(self) -> int:
        if isinstance(self.value, dict | list):
            return len(self.value)
        return len(self._lines()) if self.is_spelled else 0

    @property
    def is_spelled(self) -> bool:
        """Whether it is a string that needs more than a line."""
        value = self.value
        if not self.spells or not isinstance(value, str) or isinstance(value, Line):
            return False
        return len(value) > _WIDE or "\n" in value

    def set_value(self, value: Json) -> None:
        self.value, self._items = value, None

    def item(self, number: int) -> tuple[str | int | None, Json]:
        """What a child is called, and its value."""
        match self.value:
            case dict():
                if self._items is None:
                    self._items = list(self.value)
                return self._items[number], self.value[self._items[number]]
            case list():
                return number, self.value[number]
            case _:
                return None, self._lines()[number]

    def _lines(self) -> list[str]:
        if self._items is None:
            text = self.value if isinstance(self.value, str) else ""
            self._items = [
                Line(line[start : start + _WIDE])
                for line in text.split("\n")
                for start in range(0, max(1, len(line)), _WIDE)
            ]
        return self._items

    def make(self, count: int) -> None:
        """Makes the next children."""
        start = len(self.children)
        for number in range(start, min(start + count, self.size)):
            key, value = self.item(number)
            self.children.append(Node(key, value, self, number, self.spells))

    @property
    def steps(self) -> tuple[str | int, ...]:
        """The way to it from the root."""
        steps: list[str | int] = []
        node: Node | None = self
        while node is not None and node.key is not None:
            steps.append(node.key)
            node = node.parent
        return tuple(reversed(steps))

    @property
    def path(self) -> str:
        """Where it stands: `messages[2].content`; empty = the root."""
        return "".join(map(_step, self.steps)).removeprefix(".")


class JsonTreeModel(QAbstractItemModel):
    def __init__(self, parent: QObject | None = None, *, spells: bool = False) -> None:
        """`spells`: long strings have their lines below them instead of one line that is cut."""
        super().__init__(parent)
        self._spells = spells
        self._complaints: Mapping[tuple[str | int, ...], str] = {}
        self._root = Node(None, None, None, 0, spells)
        self._nodes: dict[int, Node] = {}
        """Keeps alive what indexes point to."""

    def set_value(self, value: Json) -> None:
        self.beginResetModel()
        self._root = Node(None, value, None, 0, self._spells)
        self._nodes = {}
        self.endResetModel()

    def grow(self, value: list[Json]) -> None:
        """The same list with more at its end."""
        had_all = not self.canFetchMore(_NO_PARENT)
        self._root.value = value
        if had_all:
            self.fetchMore(_NO_PARENT)

    def update_value(self, value: Json) -> None:
        """The next state of a value that grows: what is open stays open. Anything else is shown anew."""
        if not self._follow(self._root, value, _NO_PARENT):
            self.set_value(value)

    def set_complaints(self, complaints: Mapping[tuple[str | int, ...], str]) -> None:
        """What is wrong, by the way to the value."""
        if complaints != self._complaints:
            self._complaints = dict(complaints)
            last = self.rowCount()
            if last:
                self.dataChanged.emit(self.index(0, 0), self.index(last - 1, 0), [JsonRole.COMPLAINT])

    def complaint(self, node: Node) -> str:
        return self._complaints.get(node.steps, "") if self._complaints and node.key is not None else ""

    def _follow(self, node: Node, value: Json, index: Index) -> bool:
        """False: it did not only grow."""
        before = node.size
        if type(node.value) is not type(value) or node.is_spelled != Node(None, value, None, 0, node.spells).is_spelled:
            return False
        if node.value == value:
            return True
        had_all = len(node.children) == before
        node.set_value(value)
        if node.size < before:
            return False
        for child in node.children:
            key, below = node.item(child.row)
            if key != child.key or not self._follow(child, below, self._index_of(child)):
                return False
        if had_all and node.size > before:
            self.fetchMore(index)
        if index.isValid():
            self.dataChanged.emit(index, index)
        return True

    def _index_of(self, node: Node) -> QModelIndex:
        self._nodes[id(node)] = node
        return self.createIndex(node.row, 0, id(node))

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
        count = min(_SMALL_PAGE if self._spells else PAGE, node.size - start)
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
                said = f"{_label(node.key)}: {one_line(node.value)}" if node.key is not None else one_line(node.value)
                wrong = self.complaint(node)
                return f"{said} ({wrong})" if wrong else said
            case JsonRole.KEY:
                return _label(node.key)
            case JsonRole.VALUE:
                return _extent(node) if node.is_spelled else one_line(node.value)
            case JsonRole.KIND:
                return kind_of(node.value)
            case JsonRole.COMPLAINT:
                return self.complaint(node)
            case _:
                return None


def kind_of(value: Json) -> str:
    match value:
        case dict():
            return "object"
        case list():
            return "array"
        case Line():
            return "line"
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
        case Line():
            return reveal(value)
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


def _extent(node: Node) -> str:
    text = str(node.value)
    breaks = text.count("\n")
    return f"({breaks + 1:,} lines)" if breaks else f"({len(text):,} letters)"


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
