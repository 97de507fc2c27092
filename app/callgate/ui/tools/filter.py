"""The tools that fit what was typed, best first, under their sources. Knows roles and the query, no widgets."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel

from callgate.core.tool import Tool
from callgate.ui.tools.model import ToolRole
from callgate.ui.tools.query import Query, read_query, score

Index = QModelIndex | QPersistentModelIndex


class ToolFilter(QSortFilterProxyModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._query = Query()
        self._scores: dict[str, tuple[Tool, int]] = {}
        self.setRecursiveFilteringEnabled(True)
        self.setDynamicSortFilter(True)
        self.sort(0)

    @property
    def query(self) -> Query:
        return self._query

    def set_text(self, text: str) -> None:
        query = read_query(text)
        if query == self._query:
            return
        self._query = query
        self._scores.clear()
        self.invalidate()

    @property
    def shown(self) -> int:
        """How many tools fit."""
        return sum(self.rowCount(self.index(row, 0)) for row in range(self.rowCount()))

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        tool = self.sourceModel().index(source_row, 0, source_parent).data(ToolRole.TOOL)
        return isinstance(tool, Tool) and self._score(tool) > 0

    def lessThan(self, left: Index, right: Index) -> bool:
        if self._query.is_empty:
            return left.row() < right.row()
        return (-self._rank(left), left.row()) < (-self._rank(right), right.row())

    def _rank(self, index: Index) -> int:
        """A tool's own score; a source counts as much as its best tool."""
        tool = index.data(ToolRole.TOOL)
        if isinstance(tool, Tool):
            return self._score(tool)
        model = self.sourceModel()
        children = (model.index(row, 0, index).data(ToolRole.TOOL) for row in range(model.rowCount(index)))
        return max((self._score(child) for child in children if isinstance(child, Tool)), default=0)

    def _score(self, tool: Tool) -> int:
        held = self._scores.get(tool.name)
        if held is None or held[0] is not tool:
            held = self._scores[tool.name] = (tool, score(tool, self._query))
        return held[1]
