"""The tool browser: filter, tree, details. Asks the console for tools and switches them; knows no other panel."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QModelIndex, QSettings, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from callgate.core.tool import Tool
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.shell.palette_entry import PaletteEntry
from callgate.ui.text.format import count
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import XS, S, Theme
from callgate.ui.tools.delegate import ToolDelegate
from callgate.ui.tools.detail import ToolDetail
from callgate.ui.tools.detail_home import DetailHome
from callgate.ui.tools.detail_page import DetailPage
from callgate.ui.tools.facts import Facts
from callgate.ui.tools.filter_field import FilterField
from callgate.ui.tools.grouping import GROUPINGS, Group, Grouping, Stock, grouped
from callgate.ui.tools.model import Section, ToolModel
from callgate.ui.tools.query import Query, Term, read_query
from callgate.ui.tools.saved_filters import SavedFilters
from callgate.ui.tools.scope_bar import ScopeBar
from callgate.ui.tools.tool_cache import ToolCache
from callgate.ui.tools.tool_index import Matches, ToolIndex
from callgate.ui.tools.tree import ToolTree
from callgate.ui.widgets.empty_state import EmptyState


# Why a filter shows nothing: which part of it is to blame, and what would be there without it. Pure.
@dataclass(frozen=True, slots=True)
class EmptyReason:
    words: str
    culprit: Term | None = None
    """The part without which something would be shown, or which nothing fits; None = no single one."""


def why_empty(index: ToolIndex, query: Query, facts: Facts) -> EmptyReason:
    total = len(index.tools)
    if len(query.terms) == 1:
        return EmptyReason(f"None of the {total:,} tools fits “{query.terms[0].text}”.{_hint(query.terms[0])}")
    for term in query.terms:
        if index.count(Query((term,)), facts) == 0:
            return EmptyReason(f"“{term.text}” alone fits none of the {total:,} tools.{_hint(term)}", term)
    without = [(index.count(query.without(term), facts), term) for term in query.terms]
    most, culprit = max(without, key=lambda pair: pair[0])
    if most:
        tools = "1 tool" if most == 1 else f"{most:,} tools"
        return EmptyReason(f"Without “{culprit.text}” there would be {tools}.", culprit)
    return EmptyReason(f"No tool fits all of “{query}”. Each part alone fits some.")


def _hint(term: Term) -> str:
    """What may have been meant."""
    match term.kind:
        case "readonly" if term.value not in ("yes", "no", "unknown"):
            return " It takes yes, no or unknown."
        case "enabled" if term.value not in ("yes", "no"):
            return " It takes yes or no."
        case "agent":
            return " Agents are known once they have sent a request."
        case _:
            return ""


class Arrangement:
    """What is shown for what was typed: the tools that fit, in their groups, best first. Pure but for what it
    remembers.
    """

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


_NARROWEST: Final = 200
_LOWEST: Final = 84
_VALUES: Final = {
    "readonly": ("yes", "no", "unknown"),
    "enabled": ("yes", "no"),
    "used": ("yes", "no", ">5"),
}
_READING_SECONDS: Final = 0.004
"""A quarter of a frame: drawing comes first."""
_GROUPING_KEY: Final = "tools/grouping"


class ToolsPanel(QWidget):
    open_requested = Signal(str)
    """A conversation in which a tool was called is to be shown: its id."""
    sources_requested = Signal()
    """More tools are wanted: a source is to be added."""
    source_requested = Signal(str)
    """How a source is doing is to be shown: its name."""
    toolsets_requested = Signal()
    """Toolsets are to be made."""

    def __init__(
        self,
        console: Console,
        bridge: Bridge,
        theme: Theme,
        settings: QSettings | None = None,
        page: DetailPage | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`page`: where the details have more room than here, if there is one."""
        super().__init__(parent)
        as_pane(self)
        self.setMinimumWidth(_NARROWEST)
        self._console, self._theme, self._settings = console, theme, settings
        self._query = Query()
        self._culprit: Term | None = None
        self.knowledge = ToolCache(console, bridge, settings, self)
        self.arrangement = Arrangement()
        self.model = ToolModel(self.knowledge.facts, self)
        self._delegate = ToolDelegate(theme, self.knowledge.facts, self)
        self.field = FilterField(theme, self._values_of, SavedFilters(settings))
        self.bar = ScopeBar(theme)
        self._count = plain_label(tone="hint")
        self._count.setObjectName("toolCount")
        self._cost = plain_label(tone="hint")
        self._cost.setObjectName("toolCost")
        self.tree = ToolTree(self.model, self._delegate)
        self.detail = ToolDetail(console, bridge, theme, self.knowledge)
        self._page = page
        self._none = EmptyState(
            theme,
            "tools",
            "No tools yet",
            "Built-in tools, MCP servers and tools that programs register appear here.",
            "Add source…",
        )
        self.add = QToolButton()
        self.add.setObjectName("addSource")
        self.add.setIconSize(theme.icon_size)
        self.add.setToolTip("Add a source of tools")
        self.add.setAccessibleName("Add a source of tools")
        self._no_match = EmptyState(theme, "search", "Nothing matches", action="Clear filter")
        self._no_match.setObjectName("toolNoMatch")
        self._no_groups = EmptyState(theme, "agent", "No agents yet", "Agents appear with their first request.")
        self._no_toolsets = EmptyState(
            theme,
            "tools",
            "No toolsets yet",
            "A toolset is several tools under one name, to be offered with #name in a message.",
            "Make a toolset…",
        )
        self._no_toolsets.button.setObjectName("makeToolset")
        self._stack = QStackedWidget()
        self._reading = QTimer(self)
        self._reading.setSingleShot(True)
        self._reading.timeout.connect(self._read_on)
        self._restore_grouping()
        self._build()
        self._connect()
        self._take()

    def focus_filter(self) -> None:
        self.field.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.line.selectAll()

    def reveal(self, name: str) -> None:
        """Brings up one tool, whatever the filter hid."""
        if not self.model.index_of(name).isValid():
            self.field.line.clear()
        index = self.model.index_of(name)
        if index.isValid():
            self.tree.setCurrentIndex(index)
            self.tree.scrollTo(index)

    @property
    def selected(self) -> Tool | None:
        return self.tree.tool

    @property
    def query(self) -> Query:
        return self._query

    # ---- building ------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        for page in (self.tree, self._none, self._no_match, self._no_groups, self._no_toolsets):
            self._stack.addWidget(page)
        # explanations that are not on show must not keep the pane tall
        self._stack.setMinimumHeight(_LOWEST)
        self.detail.setMinimumHeight(_LOWEST)
        head = QHBoxLayout()
        head.setContentsMargins(S, S, S, 0)
        head.setSpacing(XS)
        head.addWidget(self.field, 1)
        head.addWidget(self.add)
        counted = QHBoxLayout()
        counted.setContentsMargins(S + XS, XS, S + XS, XS)
        counted.setSpacing(S)
        counted.addWidget(self._count)
        counted.addStretch(1)
        counted.addWidget(self._cost)
        top = QWidget()
        column = QVBoxLayout(top)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.bar)
        column.addLayout(counted)
        column.addWidget(self._stack, 1)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setObjectName("toolSplitter")
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(top)
        self.home = DetailHome(self.detail, splitter, self._page, self._settings)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(splitter)
        self.setFocusProxy(self.tree)

    def _connect(self) -> None:
        self.field.changed.connect(self._filter_by)
        self.field.accepted.connect(self._choose_first)
        self.field.left.connect(self._enter_tree)
        self._no_match.button.clicked.connect(self._loosen)
        self._none.button.clicked.connect(self.sources_requested)
        self._no_toolsets.button.clicked.connect(self.toolsets_requested)
        self.add.clicked.connect(self.sources_requested)
        self._theme.changed.connect(self._draw)
        self._draw()
        self.tree.tool_chosen.connect(self._show_tool)
        self.detail.close_requested.connect(self._close_detail)
        self.detail.open_requested.connect(self.open_requested)
        self.model.switch_requested.connect(self._switch)
        self.bar.grouping_chosen.connect(self._group_by)
        self.bar.scope_chosen.connect(self._edit_scope)
        self.bar.reset_requested.connect(lambda: self._console.tool_service.same_as_all(self.bar.agent))
        self.bar.access_requested.connect(lambda said: self._console.enable_agent(self.bar.agent, said))
        self.tree.filter_wanted.connect(self.field.set_text)
        self.tree.source_wanted.connect(self.source_requested)
        self.knowledge.stock_changed.connect(self._take)
        self.knowledge.facts_changed.connect(self._learn)
        self._theme.changed.connect(self.tree.viewport().update)
        for words, by in GROUPINGS:
            PaletteEntry(
                self, "Tools", f"Group tools {words.lower()}", partial(self._choose_grouping, by), kind="setting",
                when=partial(self._could_group, by),
            )  # fmt: skip

    def _draw(self) -> None:
        self.add.setIcon(self._theme.icon("add"))

    def _restore_grouping(self) -> None:
        held = self._settings.value(_GROUPING_KEY) if self._settings is not None else None
        for _, by in GROUPINGS:
            if by == held:
                self.arrangement.set_grouping(by)
        self.bar.show_grouping(self.arrangement.by)

    # ---- following -----------------------------------------------------------------------------------------------

    def _take(self) -> None:
        stock = self.knowledge.stock
        self.arrangement.fill(stock)
        self._reading.start(0)
        self.bar.set_agents(self._console.tool_service.agents())
        self._arrange(keep_place=True)
        self.model.refresh()
        self._say_cost()
        held = self.detail.tool
        if held is not None:
            same = (tool for tool in stock.tools if (tool.name, tool.source) == (held.name, held.source))
            self.detail.show_tool(next(same, None))
            if self.detail.tool is None:
                self.home.hide()

    def _read_on(self) -> None:
        """The filter reads the tools while nobody types yet, so that the first letter is as quick as all others."""
        if not self.arrangement.index.prepare(_READING_SECONDS):
            self._reading.start(0)

    def _learn(self) -> None:
        if any(term.kind in ("used", "lint") for term in self._query.terms):
            self._arrange(keep_place=True)
        self.model.refresh()
        self._say_cost()

    def _filter_by(self, text: str) -> None:
        query = read_query(text)
        if query.terms == self._query.terms:
            return
        self._query = query
        self._delegate.set_query(query)
        self._arrange(keep_place=False)

    def _arrange(self, keep_place: bool) -> None:
        """Shows what fits now, where it belongs."""
        sections = self.arrangement.sections(self._query, self.knowledge.facts)
        self.tree.show_sections(self.arrangement.stock.tools, sections, filtered=not self._query.is_empty)
        if not keep_place and not self._query.is_empty:
            self.tree.scrollToTop()
        self._count_shown()

    def _count_shown(self) -> None:
        stock = self.arrangement.stock
        total, shown = len(stock.tools), self.model.shown
        if not self._query.is_empty:
            self._count.setText(f"{shown:,} of {total:,}")
        else:
            own = f" · {total - stock.catalog:,} from agents" if stock.owners else ""
            self._count.setText(f"{stock.catalog:,} tool{'' if stock.catalog == 1 else 's'}{own}")
        if total == 0 and not self.model.sections:
            self._stack.setCurrentWidget(self._none)
        elif shown == 0 and not self._query.is_empty:
            self._explain_nothing()
        elif not self.model.sections:
            self._stack.setCurrentWidget(self._no_groups)
        elif self.arrangement.by == "toolset" and not stock.toolsets and self._query.is_empty:
            self._stack.setCurrentWidget(self._no_toolsets)
        else:
            self._stack.setCurrentWidget(self.tree)

    def _explain_nothing(self) -> None:
        reason = why_empty(self.arrangement.index, self._query, self.knowledge.facts)
        self._culprit = reason.culprit
        self._no_match.set_texts("Nothing matches", reason.words)
        self._no_match.button.setText(f"Remove “{reason.culprit.text}”" if reason.culprit else "Clear filter")
        self._stack.setCurrentWidget(self._no_match)

    def _loosen(self) -> None:
        """Takes away what keeps everything out."""
        self.field.set_text(str(self._query.without(self._culprit)) if self._culprit is not None else "")

    def _say_cost(self) -> None:
        facts = self.knowledge.facts
        tokens = sum(map(facts.tokens.__getitem__, facts.on_for(facts.scope) & facts.tokens.keys()))
        said = "on" if self.knowledge.appraiser.is_done else "so far…"
        self._cost.setText(f"≈ {count(tokens)} tokens {said}" if tokens else "")
        how = "counted where a tokenizer is here, else estimated" if facts.counts else "estimated"
        self._cost.setToolTip(f"What a model reads when it is offered every tool that is on, {how}")

    # ---- what the person does ------------------------------------------------------------------------------------

    def _could_group(self, by: str) -> bool:
        return self.arrangement.by != by

    def _choose_grouping(self, by: Grouping) -> None:
        self.bar.show_grouping(by)
        self._group_by(by)

    def _group_by(self, by: str) -> None:
        for _, known in GROUPINGS:
            if known == by:
                self.arrangement.set_grouping(known)
        if self._settings is not None:
            self._settings.setValue(_GROUPING_KEY, by)
        self._arrange(keep_place=False)

    def _edit_scope(self, agent: str) -> None:
        self.knowledge.facts.scope = agent
        if any(term.kind == "enabled" for term in self._query.terms):
            self._arrange(keep_place=True)
        self.model.refresh()
        self._say_cost()

    def _switch(self, group: Group, tools: tuple[Tool, ...], enabled: bool) -> None:
        agent = group.agent or self.knowledge.facts.scope
        on = self.knowledge.facts.on_for(agent)
        names = [tool.name for tool in tools if (tool.name in on) != enabled]
        if group.source and len(tools) == len(group.positions) > 1:
            self._console.tool_service.switch_source(group.source, enabled, agent)
        elif names:
            self._console.tool_service.switch(names, enabled, agent)

    def _values_of(self, field: str) -> tuple[str, ...]:
        """What completion offers."""
        stock, facts = self.arrangement.stock, self.knowledge.facts
        match field:
            case "tag":
                found = {tag for tool in stock.tools[: stock.catalog] for tag in tool.tags}
            case "source":
                found = {tool.source for tool in stock.tools}
            case "agent":
                found = set(facts.agents)
            case "lint":
                codes = {finding.code for findings in facts.findings.values() for finding in findings}
                return ("yes", "no", "error", "warning", "hint", *sorted(codes))
            case _:
                return _VALUES.get(field, ())
        return tuple(sorted(found, key=str.casefold))

    def _show_tool(self, tool: Tool | None) -> None:
        if tool is None:
            return
        walking = self.tree.hasFocus()
        self.detail.show_tool(tool)
        self.home.show()
        if walking:  # a page that comes up takes the keyboard; whoever goes through the tree goes on
            self.tree.setFocus()

    def _choose_first(self) -> None:
        self.tree.choose_first()

    def _enter_tree(self) -> None:
        if self.tree.tool is None:
            self.tree.choose_first()
        self.tree.setFocus()

    def _close_detail(self) -> None:
        self.detail.show_tool(None)
        self.home.leave()
        self.tree.setCurrentIndex(QModelIndex())
        self.tree.setFocus()
