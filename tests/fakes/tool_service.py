"""A tool desk over a pretended console: switches for each agent, and statistics, versions and use to fill."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from callgate.core.catalog.tool_statistics import ToolStatistics
from callgate.core.rules.rule import Rule
from callgate.core.tool import Tool
from callgate.engine.offer.token_counter import Counted, TokenCounter
from callgate.engine.offer.tool_service import Access, ToolKey, Usage, Version, rules_about


def _no_tools() -> tuple[Tool, ...]:
    return ()


def _no_rules() -> tuple[Rule, ...]:
    return ()


def _nothing(names: Collection[str], enabled: bool) -> None:
    pass


@dataclass
class FakeToolService:
    """Implements `ToolService`."""

    tools: Callable[[], tuple[Tool, ...]] = _no_tools
    rules: Callable[[], tuple[Rule, ...]] = _no_rules
    for_all: Callable[[Collection[str], bool], None] = _nothing
    """Switches tools for every agent."""
    told: Callable[[], None] = lambda: None
    """Says that something has changed."""
    known: list[str] = field(default_factory=list)
    access: dict[str, bool | None] = field(default_factory=dict)
    own: dict[str, dict[str, bool]] = field(default_factory=dict)
    """Agent → tool → what was said for it alone."""
    used: dict[ToolKey, Usage] = field(default_factory=dict)
    counted: dict[str, ToolStatistics] = field(default_factory=dict)
    versions: dict[str, tuple[Version, ...]] = field(default_factory=dict)
    moved: dict[ToolKey, float] = field(default_factory=dict)
    counter: TokenCounter = field(default_factory=TokenCounter)

    def agents(self) -> tuple[Access, ...]:
        names = sorted({*self.known, *self.own, *self.access})
        return tuple(Access(name, self.access.get(name), bool(self.own.get(name))) for name in names)

    def enabled_for(self, agent: str) -> frozenset[str]:
        own = self.own.get(agent, {})
        return frozenset(tool.name for tool in self.tools() if own.get(tool.name, tool.enabled))

    def own_for(self, agent: str) -> frozenset[str]:
        return frozenset(self.own.get(agent, {}))

    def switch(self, names: Collection[str], enabled: bool | None, agent: str = "") -> None:
        if not agent:
            self.for_all(names, enabled is not False)
            return
        said = self.own.setdefault(agent, {})
        for name in names:
            said.pop(name, None)
            if enabled is not None:
                said[name] = enabled
        self.told()

    def switch_source(self, source: str, enabled: bool | None, agent: str = "") -> None:
        self.switch([tool.name for tool in self.tools() if tool.source == source], enabled, agent)

    def same_as_all(self, agent: str) -> None:
        self.own.pop(agent, None)
        self.access.pop(agent, None)
        self.told()

    async def usage(self) -> Mapping[ToolKey, Usage]:
        return dict(self.used)

    async def statistics(self, tool: Tool) -> ToolStatistics:
        return self.counted.get(tool.name, ToolStatistics())

    async def changed(self) -> Mapping[ToolKey, float]:
        return dict(self.moved)

    async def history(self, tool: Tool) -> tuple[Version, ...]:
        return self.versions.get(tool.name, ())

    def rules_about(self, tool: Tool) -> tuple[Rule, ...]:
        return rules_about(tool, self.rules())

    @property
    def can_count_tokens(self) -> bool:
        return self.counter.can_count

    async def count_tokens(self, tools: Sequence[Tool]) -> Counted:
        return await self.counter.count(tools)
