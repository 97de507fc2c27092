"""The tools that one source offers: name, what it says of itself, and whether it is on."""

from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStackedLayout, QTableView, QVBoxLayout, QWidget

from callgate.core.tool import Tool
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, plain_tip
from callgate.ui.theme.theme import M, S, Theme
from callgate.ui.widgets.empty_state import EmptyState

_NAME_WIDTH: Final = 230
_ROW_HEIGHT: Final = 26
_TITLES: Final = ("Tool", "What it does")
_ROOT: Final = QModelIndex()

Index = QModelIndex | QPersistentModelIndex


class ToolTable(QAbstractTableModel):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tools: tuple[Tool, ...] = ()

    def set_tools(self, tools: tuple[Tool, ...]) -> None:
        if tools != self._tools:
            self.beginResetModel()
            self._tools = tools
            self.endResetModel()

    def name_at(self, index: Index) -> str:
        return self._tools[index.row()].name

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._tools)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(_TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _TITLES[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._tools):
            return None
        tool, named = self._tools[index.row()], index.column() == 0
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return reveal(tool.name if named else about(tool))
            case Qt.ItemDataRole.ForegroundRole:
                off = not tool.enabled or bool(tool.unavailable)
                return self._theme.color("text3" if off else "text" if named else "text2")
            case Qt.ItemDataRole.FontRole:
                return self._theme.mono() if named else None
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(tool.description or tool.name)
            case _:
                return None


def about(tool: Tool) -> str:
    """Its first line for people, and why it is not offered."""
    says = (tool.user_description or tool.description or tool.title).strip().partition("\n")[0] or "no description"
    why = tool.unavailable or ("" if tool.enabled else "switched off")
    return " · ".join(filter(None, (why, says)))


class ToolRows(QWidget):
    opened = Signal(str)
    """All about this tool is to be shown: its name."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problems = plain_label("", "waiting", wrap=True, selectable=True)
        self.problems.setObjectName("sourceToolProblems")
        self.problems.setContentsMargins(M, S, M, 0)
        self.model = ToolTable(theme, self)
        self.view = QTableView()
        self.view.setObjectName("sourceTools")
        self.view.setAccessibleName("Tools of the source")
        self.view.setModel(self.model)
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.view.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.view.horizontalHeader().setStretchLastSection(True)
        self.view.horizontalHeader().setHighlightSections(False)
        self.view.setColumnWidth(0, _NAME_WIDTH)
        self._empty = EmptyState(
            theme, "tools", "No tools", "The tools that a source offers appear here once it is ready."
        )
        held = QWidget()
        inner = QVBoxLayout(held)
        inner.setContentsMargins(S, 0, S, 0)
        inner.addWidget(self.view)
        self._stack = QStackedLayout()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(held)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.problems)
        column.addLayout(self._stack, 1)
        self.view.activated.connect(lambda index: self.opened.emit(self.model.name_at(index)))
        theme.changed.connect(self.view.viewport().update)

    def show_tools(self, tools: tuple[Tool, ...], problems: tuple[str, ...] = ()) -> None:
        self.problems.setText("\n".join(reveal(problem) for problem in problems))
        self.problems.setVisible(bool(problems))
        self.model.set_tools(tools)
        self._stack.setCurrentIndex(1 if tools else 0)
