"""Everything about one tool, page by page. What is not looked at is not fetched; changes nothing itself."""

import time
from collections.abc import Coroutine
from typing import Any, Final, Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QTabWidget, QToolButton, QVBoxLayout, QWidget

from callgate.core.catalog.lint import Finding
from callgate.core.catalog.token_cost import TokenCost
from callgate.core.catalog.token_count import CostSheet, cost_sheet
from callgate.core.tool import CLIENT_SOURCE, Tool
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import XS, L, M, S, Theme
from callgate.ui.tools.about_page import AboutPage
from callgate.ui.tools.background_lint import appraised
from callgate.ui.tools.history_page import HistoryPage
from callgate.ui.tools.schema_page import SchemaPage, definition_json
from callgate.ui.tools.tool_cache import ToolCache
from callgate.ui.tools.try_it.page import TryIt
from callgate.ui.tools.use_page import UsePage
from callgate.ui.widgets.copy_button import CopyButton

Place = Literal["page", "tree"]
"""Where details can stand: on a page of their own, or with the tree."""
ABOUT, SCHEMA, USE, HISTORY, TRY = range(5)
_TITLES: Final = ("About", "Schema", "Use", "History", "Try it")


class ToolDetail(QWidget):
    close_requested = Signal()
    """The person has seen enough."""
    open_requested = Signal(str)
    """The conversation of a call is to be shown: its id."""
    move_requested = Signal()
    """They are to stand where they don't stand now: with the tree, or on a page of their own."""

    def __init__(
        self, console: Console, bridge: Bridge, theme: Theme, knowledge: ToolCache, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("toolDetail")
        self.setAccessibleName("Tool details")
        as_pane(self)
        self._console, self._bridge, self._theme, self._knowledge = console, bridge, theme, knowledge
        self._tool: Tool | None = None
        self._fetched: set[int] = set()
        """Pages that show the current tool."""
        self._judged: tuple[Tool, tuple[Finding, ...] | None, CostSheet | None] | None = None
        """What is said of the tool on the first page: said again only when it is something else."""
        self._own: tuple[Tool, tuple[Finding, ...], TokenCost] | None = None
        """An agent's own tool that was last looked at, and what was found."""
        self._name = plain_label(tone="heading", selectable=True, wrap=True)
        self._name.setObjectName("toolName")
        self.about = AboutPage(theme)
        self.schema = SchemaPage(theme)
        self.use = UsePage(theme)
        self.history = HistoryPage(theme)
        self._trying = QVBoxLayout()
        self.try_it: TryIt | None = None
        """Made when a tool is first shown: a window opens without it."""
        self.tabs = QTabWidget()
        self._build()
        self._connect()

    @property
    def tool(self) -> Tool | None:
        return self._tool

    def show_tool(self, tool: Tool | None) -> None:
        if tool is None:
            self._tool = None
            self._fetched.clear()
            return
        if self._tool is None or tool is not self._tool:
            same = self._tool is not None and _same_definition(tool, self._tool)
            self._tool = tool
            self._fetched = {page for page in self._fetched if same and page != ABOUT}
            self._name.setText(reveal(tool.name))
            own = tool.source == CLIENT_SOURCE
            for page in (HISTORY, TRY):  # nobody here can run an agent's own tool
                self.tabs.setTabVisible(page, not own)
        self._turn()

    def set_place(self, place: Place, *, movable: bool) -> None:
        """Told where it stands; a page has room for margins."""
        on_page = place == "page"
        self._column.setContentsMargins(*((L, M, S, 0) if on_page else (M, S, S, 0)))
        self._move.setVisible(movable)
        self._move_icon = "narrow" if on_page else "widen"
        words = "Show with the list of tools" if on_page else "Show on a page of its own"
        self._move.setToolTip(words)
        self._move.setAccessibleName(words)
        self._close.setToolTip("Back to the conversation (Esc)" if on_page else "Close details")
        self._draw()

    def definition(self) -> str:
        """The tool as clients see it, as JSON; what the copy button copies."""
        return "" if self._tool is None else definition_json(self._tool)

    # ---- building ------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(XS)
        top.addWidget(self._name, 1)
        top.addWidget(CopyButton(self._theme, self.definition, "the definition as JSON"))
        self._move = QToolButton()
        self._move.setObjectName("moveDetails")
        self._close = QToolButton()
        self._close.setObjectName("closeDetails")
        self._close.setAccessibleName("Close details")
        for button in (self._move, self._close):
            button.setIconSize(self._theme.icon_size)
            top.addWidget(button)
        self.tabs.setDocumentMode(True)
        self.tabs.setObjectName("toolTabs")
        self.tabs.setProperty("tight", True)
        self.tabs.setAccessibleName("About the tool")
        trying = QWidget(self)
        trying.setLayout(self._trying)
        self._trying.setContentsMargins(0, 0, 0, 0)
        pages = (self.about, self.schema, self.use, self.history, trying)
        for title, page in zip(_TITLES, pages, strict=True):
            self.tabs.addTab(page, title)
        column = self._column = QVBoxLayout(self)
        column.setSpacing(XS)
        column.addLayout(top)
        column.addWidget(self.tabs, 1)
        self.setFocusProxy(self.tabs)
        self.set_place("tree", movable=False)

    def _connect(self) -> None:
        self._close.clicked.connect(self.close_requested)
        self._move.clicked.connect(self.move_requested)
        self.use.open_requested.connect(self.open_requested)
        self.tabs.currentChanged.connect(self._turn)
        self._knowledge.facts_changed.connect(self._learn)
        self._knowledge.use_changed.connect(self._used)
        self._knowledge.rules_changed.connect(self._rules)
        self._theme.changed.connect(self._redraw)

    # ---- filling -------------------------------------------------------------------------------------------------

    def _turn(self) -> None:
        """Fills the page that is looked at, if it does not show this tool yet."""
        tool, page = self._tool, self.tabs.currentIndex()
        if tool is None or page in self._fetched:
            return
        self._fetched.add(page)
        match page:
            case 0:
                if tool.source != CLIENT_SOURCE:
                    self._knowledge.appraiser.look_at(tool)
                self._knowledge.counting.look_at(tool)
                facts = self._knowledge.facts
                self.about.show_tool(tool, tool.name in facts.on_for(facts.scope))
                self._judge(tool)
            case 1:
                self.schema.show_tool(tool)
            case 2:
                self._rules()
                self._fetch(page, self._ask_statistics(tool), "statistics of a tool")
            case 3:
                self._fetch(page, self._ask_history(tool), "history of a tool")
            case _:
                self._try(tool)

    def _fetch(self, page: int, question: Coroutine[Any, Any, None], name: str) -> None:
        if self._bridge.can_start:
            self._bridge.start(question, self, name)
        else:  # the window is being built, or taken down
            question.close()
            self._fetched.discard(page)

    def _try(self, tool: Tool) -> None:
        if self.try_it is None:
            self.try_it = TryIt(self._console, self._bridge, self._theme)
            self._trying.addWidget(self.try_it)
        self.try_it.show_tool(tool)

    def _judge(self, tool: Tool) -> None:
        facts, counting = self._knowledge.facts, self._knowledge.counting
        if tool.source == CLIENT_SOURCE:  # its name may be that of a tool of the catalog, too
            if self._own is None or self._own[0] is not tool:
                self._own = (tool, *appraised(tool))
            _, findings, cost = self._own
        else:
            cost = facts.costs.get(tool.name)
            findings = facts.lint(tool.name) if cost is not None else None
        sheet = cost_sheet(cost, counting.counts_of(tool)) if cost is not None else None
        if (tool, findings, sheet) != self._judged:
            self._judged = (tool, findings, sheet)
            self.about.show_findings(findings)
            self.about.show_cost(sheet, counting.problems)

    async def _ask_statistics(self, tool: Tool) -> None:
        found = await self._console.tool_service.statistics(tool)
        if self._tool is not None and self._tool.name == tool.name:
            self.use.show_statistics(found, time.time())

    async def _ask_history(self, tool: Tool) -> None:
        versions = await self._console.tool_service.history(tool)
        if self._tool is not None and self._tool.name == tool.name:
            self.history.show_versions(versions, time.time())
            self._knowledge.look_at_change(tool)

    def _rules(self) -> None:
        if self._tool is not None and USE in self._fetched:
            self.use.show_rules(self._tool, self._console.tool_service.rules_about(self._tool), time.time())

    def _learn(self) -> None:
        """More is known: findings that only show beside other tools, say."""
        if self._tool is not None and ABOUT in self._fetched and self.isVisible():
            self._judge(self._tool)

    def _used(self, name: str) -> None:
        if self._tool is not None and self._tool.name == name:
            self._fetched.discard(USE)
            if self.tabs.currentIndex() == USE:
                self._turn()

    def _draw(self) -> None:
        self._close.setIcon(self._theme.icon("close"))
        self._move.setIcon(self._theme.icon(self._move_icon))

    def _redraw(self) -> None:
        self._draw()
        self._fetched -= {ABOUT, USE, HISTORY}  # the other pages redraw themselves, and keep what was typed there
        self._judged = None
        self._turn()


def _same_definition(one: Tool, other: Tool) -> bool:
    return (
        one.schema is other.schema
        and one.output_schema is other.output_schema
        and (one.name, one.source, one.description) == (other.name, other.source, other.description)
    )
