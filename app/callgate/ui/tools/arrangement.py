"""What is shown for what was typed: the tools that fit, in their groups, best first. Pure but for what it remembers."""

from collections.abc import Sequence

from callgate.ui.tools.facts import Facts
from callgate.ui.tools.grouping import Group, Grouping, Stock, grouped
from callgate.ui.tools.model import Section
from callgate.ui.tools.query import Query
from callgate.ui.tools.tool_index import Matches, ToolIndex


class Arrangement:
    def __init__(self) -> None:
        self.index = ToolIndex()
        self.by: Grouping = "source"
        self._stock = Stock((), 0)
        self._groups: list[Group] = []

    @property
    def stock(self) -> Stock:
        return self._stock

    def fill(self, stock: Stock) -> None:
        self._stock = stock
        self.index.fill(stock.tools)
        self._groups = grouped(stock, self.by)

    def set_grouping(self, by: Grouping) -> None:
        self.by = by
        self._groups = grouped(self._stock, by)

    def sections(self, query: Query, facts: Facts) -> list[Section]:
        if query.is_empty:
            return [Section(group, group.positions) for group in self._groups]
        found = self.index.search(query, facts)
        if found.scores is None:
            return _in_order(self._groups, found)
        return _by_score(self._groups, found, found.scores)


def _in_order(groups: list[Group], found: Matches) -> list[Section]:
    fitting = set(found.positions)
    sections = (Section(group, [at for at in group.positions if at in fitting]) for group in groups)
    return [section for section in sections if section.shown]


def _by_score(groups: list[Group], found: Matches, ranks: Sequence[int]) -> list[Section]:
    """Groups by their best tool; equals stay in their order."""
    fitting = set(found.positions)
    sections: list[tuple[int, Section]] = []
    for group in groups:
        shown = [at for at in group.positions if at in fitting]
        if shown:
            shown.sort(key=ranks.__getitem__, reverse=True)
            sections.append((ranks[shown[0]], Section(group, shown)))
    sections.sort(key=lambda pair: -pair[0])
    return [section for _, section in sections]
