"""Keeps what the browser knows up to date: asks the console, follows events, and says what has changed.

The only part of the browser, beside the panel, that talks to the console; holds `Facts` and the stock of tools.
"""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, QSettings, QTimer, Signal

from callgate.core.events import Event, ExchangeStarted, InvocationChanged, RulesChanged, SourceChanged, ToolsChanged
from callgate.core.tool import CLIENT_SOURCE, Tool, ToolSpec
from callgate.engine.console.console import Console
from callgate.engine.offer.client_tools import ClientTool
from callgate.engine.offer.tool_service import ToolKey, Usage
from callgate.ui.bridge import Bridge
from callgate.ui.tools.background_lint import BackgroundLint
from callgate.ui.tools.facts import Facts
from callgate.ui.tools.grouping import Stock
from callgate.ui.tools.token_counting import TokenCounting

_LATER_MS: Final = 50
_SEEN: Final = "tools/seen_changes"
"""Which changed definitions the person has looked at: source, name and since when, each as one text."""


class ToolCache(QObject):
    stock_changed = Signal()
    """There are other tools, sources, agents or switches now."""
    facts_changed = Signal()
    """Something that is told of tools has changed; the tools are the same."""
    use_changed = Signal(str)
    """A call of this tool is over."""
    rules_changed = Signal()

    def __init__(
        self, console: Console, bridge: Bridge, settings: QSettings | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._console = console
        self._bridge = bridge
        self._settings = settings
        self.facts = Facts(ask_enabled=console.tool_service.enabled_for)
        self.appraiser = BackgroundLint(self.facts, self)
        self.counting = TokenCounting(console.tool_service, bridge, self.facts, self)
        self.stock = Stock((), 0)
        self._has_usage = False
        self._own: dict[tuple[str, str], tuple[ClientTool, Tool]] = {}
        self._since: dict[ToolKey, float] = {}
        """When each changed definition was first seen."""
        held = settings.value(_SEEN) if settings is not None else None
        self._looked: set[str] = {str(one) for one in held} if isinstance(held, list) else set()
        self.appraiser.learned.connect(self.facts_changed)
        self.appraiser.learned.connect(self._count_tokens)
        self.counting.counted.connect(self.facts_changed)
        bridge.batch.connect(self.apply)
        self._take(console.tools())
        self._count_waiting()
        self._asking = QTimer(self)
        self._asking.setSingleShot(True)
        self._asking.timeout.connect(self._ask)
        self._asking.start(0)

    def apply(self, batch: tuple[Event, ...]) -> None:
        """Only the newest state of each thing counts."""
        tools: tuple[Tool, ...] | None = None
        sources = waiting = agents = rules = False
        ended: list[InvocationChanged] = []
        for event in batch:
            match event:
                case ToolsChanged():
                    tools = event.tools
                case SourceChanged():
                    sources = True
                case ExchangeStarted():
                    agents = True
                case InvocationChanged():
                    waiting = True
                    if event.ends:
                        ended.append(event)
                case RulesChanged():
                    rules = True
                case _:
                    pass
        if tools is not None:
            self._take(tools)
            self._asking.start(0)
        elif sources or (agents and self._has_new_agents()):
            self._take(self._console.tools())
        for event in ended:
            self._count(event)
        if waiting:
            self._count_waiting()
        if waiting or ended:
            self.facts_changed.emit()
        for name in dict.fromkeys(event.invocation.tool for event in ended):
            self.use_changed.emit(name)
        if rules:
            self.rules_changed.emit()

    def look_at_change(self, tool: Tool) -> None:
        """The person has seen how this tool's definition changed."""
        key = (tool.source, tool.name)
        if key not in self.facts.changed:
            return
        self._looked.add(_mark(key, self._since[key]))
        if self._settings is not None:
            self._settings.setValue(_SEEN, sorted(self._looked))
        self._say_changed()

    # ---- asking -----------------------------------------------------------------------------------------------------

    def _take(self, tools: Sequence[Tool]) -> None:
        facts = self.facts
        facts.enabled = {}
        facts.sources = {view.name: view for view in self._console.sources.sources()}
        access = self._console.tool_service.agents()
        facts.agents = tuple(one.agent for one in access)
        if facts.scope not in facts.agents:
            facts.scope = ""
        own = [(client.agent, self._own_tool(client)) for client in self._console.client_tools()]
        self.stock = Stock(
            [*tools, *(tool for _, tool in own)],
            len(tools),
            [agent for agent, _ in own],
            self._console.toolsets(),
            facts.agents,
            [name for name, view in facts.sources.items() if view.kind in ("mcp", "command")],
        )
        self.appraiser.take(tools)
        self.stock_changed.emit()

    def _count_tokens(self) -> None:
        if self.appraiser.is_done:
            self.counting.take(self.stock.tools[: self.stock.catalog])

    def _own_tool(self, client: ClientTool) -> Tool:
        """A client's own tool in the shape of all others; the same object as long as it is the same."""
        key = (client.agent, client.name)
        held = self._own.get(key)
        if held is not None and held[0].tool == client.tool:
            return held[1]
        spec = client.tool
        if isinstance(spec, ToolSpec):
            tool = Tool(client.name, CLIENT_SOURCE, spec.description, spec.schema or {}, tags=(client.agent,))
        else:
            tool = Tool(client.name, CLIENT_SOURCE, f"Run by the provider ({spec.wire}).", tags=(client.agent,))
        self._own[key] = (client, tool)
        return tool

    def _has_new_agents(self) -> bool:
        known = self._console.client_tools()
        agents = tuple(one.agent for one in self._console.tool_service.agents())
        return agents != self.facts.agents or len(known) != len(self.stock.owners)

    def _ask(self) -> None:
        """What only the store knows."""
        if not self._bridge.can_start:  # not yet while windows are built, not any more while they are taken down
            self._asking.start(_LATER_MS)
            return
        if not self._has_usage:
            self._has_usage = True
            self._bridge.start(self._ask_usage(), self, "use of tools")
        self._bridge.start(self._ask_changes(), self, "changed definitions")

    async def _ask_usage(self) -> None:
        self.facts.used = dict(await self._console.tool_service.usage())
        self.facts_changed.emit()

    async def _ask_changes(self) -> None:
        self._since = dict(await self._console.tool_service.changed())
        self._say_changed()

    def _say_changed(self) -> None:
        fresh = frozenset(key for key, at in self._since.items() if _mark(key, at) not in self._looked)
        if fresh != self.facts.changed:
            self.facts.changed = fresh
            self.facts_changed.emit()

    # ---- following --------------------------------------------------------------------------------------------------

    def _count_waiting(self) -> None:
        counted: dict[tuple[str, str], int] = {}
        for invocation in self._console.waiting():
            key = (invocation.source, invocation.tool)
            counted[key] = counted.get(key, 0) + 1
        self.facts.waiting = counted

    def _count(self, event: InvocationChanged) -> None:
        key = (event.invocation.source, event.invocation.tool)
        held = self.facts.used.get(key)
        self.facts.used[key] = Usage((held.calls if held is not None else 0) + 1, event.at)


def _mark(key: ToolKey, at: float) -> str:
    return f"{key[0]}\n{key[1]}\n{at:.3f}"
