"""The tools that are shown, as a tree: groups, and under each its tools. Knows tools and facts, no widgets, no engine.

It is handed what to show, already filtered and ordered, and tells views as little as needed: rows that only look
different are announced one by one, other rows all at once. Whoever shows it restores what was open and selected.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from callgate.core.tool import Tool
from callgate.ui.text.plain_text import plain_tip
from callgate.ui.tools.facts import Facts
from callgate.ui.tools.grouping import Group

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_MOST_PROBLEMS = 8
_LONGEST_TIP = 400
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_SWITCHABLE = _FLAGS | Qt.ItemFlag.ItemIsUserCheckable
_LEAF = _FLAGS | Qt.ItemFlag.ItemNeverHasChildren
_SWITCHABLE_LEAF = _SWITCHABLE | Qt.ItemFlag.ItemNeverHasChildren
"""Joined once: flags are asked for with every row that is laid out, and joining is slow."""


class ToolRole(IntEnum):
    TOOL = Qt.ItemDataRole.UserRole + 1
    """The `Tool` itself; None for a group."""
    GROUP = Qt.ItemDataRole.UserRole + 2
    """The `Group`, for both kinds of row."""
    ENABLED_COUNT = Qt.ItemDataRole.UserRole + 3
    """Of a group: how many of its shown tools are switched on."""
    TOKENS = Qt.ItemDataRole.UserRole + 4
    """Of a group: what those of its shown tools that are switched on cost a model to read, about; 0 = not known."""


@dataclass(frozen=True, slots=True)
class Section:
    """A group as it is shown."""

    group: Group
    shown: Sequence[int]
    """Places in the list of tools, in the order of the rows."""


class ToolModel(QAbstractItemModel):
    switch_requested = Signal(object, object, bool)
    """The person wants tools on or off: Group, tuple[Tool, ...], enabled. The change comes back as a new catalog."""

    refreshed = Signal()
    """Rows look different now; which, is not said."""

    def __init__(self, facts: Facts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._facts = facts
        self._tools: Sequence[Tool] = ()
        self._sections: list[Section] = []
        self._sums: dict[int, tuple[int, int]] = {}
        """Row of a group → how many of its tools are on, and what they cost; counted when first asked for."""

    @property
    def sections(self) -> Sequence[Section]:
        return self._sections

    @property
    def shown(self) -> int:
        """Different tools on show; one may stand in several groups."""
        places: set[int] = set()
        for section in self._sections:
            places.update(section.shown)
        return len(places)

    def show(self, tools: Sequence[Tool], sections: list[Section]) -> bool:
        """Becomes this. True: the rows are others now, and views have lost their place."""
        self._sums.clear()
        same = len(self._tools) == len(tools) and _rows(self._sections) == _rows(sections)
        same = same and (
            self._tools is tools or all(old.name == new.name for old, new in zip(self._tools, tools, strict=True))
        )
        if not same:
            self.beginResetModel()
            self._tools, self._sections = tools, sections
            self.endResetModel()
            return True
        if self._tools is tools:
            self._sections = sections
            return False
        changed = [at for at, (old, new) in enumerate(zip(self._tools, tools, strict=True)) if old is not new]
        self._tools, self._sections = tools, sections
        if changed:
            self._announce(frozenset(changed))
        return False

    def refresh(self) -> None:
        """Something that rows show beside the tools has changed."""
        self._sums.clear()
        # not `dataChanged` of all rows: a tree asks for the place of each of them to see what to paint
        self.refreshed.emit()

    def index_of(self, name: str, group: str = "", source: str = "") -> QModelIndex:
        """Where a tool stands, if it can be in this group; invalid if it is not shown."""
        found = QModelIndex()
        for row, section in enumerate(self._sections):
            if group and found.isValid() and section.group.key != group:
                continue
            for at, place in enumerate(section.shown):
                tool = self._tools[place]
                if tool.name == name and source in ("", tool.source):
                    found = self.createIndex(at, 0, row + 1)
                    break
            if found.isValid() and (not group or section.group.key == group):
                return found
        return found

    def group_index(self, key: str) -> QModelIndex:
        rows = (row for row, section in enumerate(self._sections) if section.group.key == key)
        return self.index(next(rows, -1), 0)

    # ---- QAbstractItemModel ------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        if column or row < 0:
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, 0, 0) if row < len(self._sections) else QModelIndex()
        if parent.internalId() or row >= len(self._sections[parent.row()].shown):
            return QModelIndex()
        return self.createIndex(row, 0, parent.row() + 1)

    def parent(self, index: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        held = index.internalId() if index.isValid() else 0
        return self.createIndex(held - 1, 0, 0) if held else QModelIndex()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self._sections)
        return 0 if parent.internalId() or parent.column() else len(self._sections[parent.row()].shown)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 1

    def hasChildren(self, parent: Index = _NOWHERE) -> bool:
        return self.rowCount(parent) > 0

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        held = index.internalId()
        if self._sections[(held or index.row() + 1) - 1].group.switchable:
            return _SWITCHABLE_LEAF if held else _SWITCHABLE
        return _LEAF if held else _FLAGS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        held = index.internalId()
        if not held:
            return self._group_data(index.row(), role)
        section = self._sections[held - 1]
        return self._tool_data(self._tools[section.shown[index.row()]], section.group, role)

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or role != Qt.ItemDataRole.CheckStateRole:
            return False
        held = index.internalId()
        section = self._sections[(held or index.row() + 1) - 1]
        if not section.group.switchable:
            return False
        places = [section.shown[index.row()]] if held else section.shown
        tools = tuple(self._tools[place] for place in places)
        self.switch_requested.emit(section.group, tools, Qt.CheckState(value) == Qt.CheckState.Checked)
        return True

    def toggle(self, index: Index) -> bool:
        """Off if all of it is on, else on; False if there is nothing to switch."""
        held = index.data(Qt.ItemDataRole.CheckStateRole)
        if held is None:
            return False
        on = Qt.CheckState(held) == Qt.CheckState.Checked
        state = Qt.CheckState.Unchecked if on else Qt.CheckState.Checked
        return self.setData(index, state, Qt.ItemDataRole.CheckStateRole)

    # ---- what rows say -----------------------------------------------------------------------------------------------

    def _on(self, group: Group) -> frozenset[str]:
        return self._facts.on_for(group.agent or self._facts.scope)

    def _sum(self, row: int) -> tuple[int, int]:
        held = self._sums.get(row)
        if held is None:
            section = self._sections[row]
            on = self._on(section.group) if section.group.switchable else frozenset[str]()
            names = [name for place in section.shown if (name := self._tools[place].name) in on]
            tokens = self._facts.tokens
            known = all(name in tokens for name in names)  # half of a sum would be taken for the whole
            held = self._sums[row] = (len(names), sum(tokens[name] for name in names) if known else 0)
        return held

    def _group_data(self, row: int, role: int) -> object:
        section = self._sections[row]
        group = section.group
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return group.title
            case ToolRole.GROUP:
                return group
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{group.title}: {len(section.shown)} tools, {self._sum(row)[0]} enabled"
            case Qt.ItemDataRole.CheckStateRole if group.switchable and section.shown:
                on, _ = self._sum(row)
                if on == 0:
                    return Qt.CheckState.Unchecked
                return Qt.CheckState.Checked if on == len(section.shown) else Qt.CheckState.PartiallyChecked
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._group_tip(group)) or None
            case ToolRole.ENABLED_COUNT:
                return self._sum(row)[0]
            case ToolRole.TOKENS:
                return self._sum(row)[1]
            case _:
                return None

    def _tool_data(self, tool: Tool, group: Group, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return tool.name
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{tool.name}, {', '.join(self._said(tool, group))}"
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return tool.user_description or tool.description
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._tip(tool, group))
            case Qt.ItemDataRole.CheckStateRole if group.switchable:
                return Qt.CheckState.Checked if tool.name in self._on(group) else Qt.CheckState.Unchecked
            case ToolRole.TOOL:
                return tool
            case ToolRole.GROUP:
                return group
            case _:
                return None

    def _group_tip(self, group: Group) -> str:
        """Of a source what its row has no room for: why it is not ready, and what is wrong with its tools."""
        source = self._facts.sources.get(group.source) if group.kind == "source" else None
        if source is None:
            return ""
        reason = f"{source.state}: {source.reason}" if source.reason else ""
        return "\n".join(filter(None, (reason, *source.problems[:_MOST_PROBLEMS])))

    def _said(self, tool: Tool, group: Group) -> list[str]:
        """What the row shows by its box and badges."""
        words = ["enabled" if tool.name in self._on(group) else "disabled"] if group.switchable else ["the agent's own"]
        if count := self._facts.waiting.get((tool.source, tool.name)):
            words.append(f"{count} waiting")
        if self._facts.is_changed(tool):
            words.append("its definition has changed")
        if count := self._facts.doubts(tool.name):
            words.append(f"{count} finding{'' if count == 1 else 's'}")
        return words

    def _tip(self, tool: Tool, group: Group) -> str:
        """What the row has no room for."""
        about = (tool.user_description or tool.description).strip()
        short = about if len(about) <= _LONGEST_TIP else f"{about[:_LONGEST_TIP]}…"
        used = self._facts.usage(tool)
        calls = f"called {used.calls:,} time{'' if used.calls == 1 else 's'}" if used is not None else ""
        unoffered = f"not offered now: {tool.unavailable}" if tool.unavailable else ""
        said = ", ".join(filter(None, (*self._said(tool, group), calls, unoffered)))
        return "\n".join(filter(None, (tool.name, short, said)))

    def _announce(self, changed: frozenset[int]) -> None:
        for row, section in enumerate(self._sections):
            parent = self.index(row, 0)
            touched = [at for at, place in enumerate(section.shown) if place in changed]
            for at in touched:
                index = self.index(at, 0, parent)
                self.dataChanged.emit(index, index)
            if touched:
                self.dataChanged.emit(parent, parent)


def _rows(sections: list[Section]) -> list[tuple[str, str, Sequence[int]]]:
    return [(section.group.key, section.group.title, section.shown) for section in sections]
