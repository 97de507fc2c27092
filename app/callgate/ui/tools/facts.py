"""What is known of the tools beside their definitions: who has them, who used them, what is doubtful about them.

Filled by the panel as it learns; read by filter, model and delegate. Holds values, knows no engine and no widget.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from callgate.core.catalog.lint import Finding
from callgate.core.catalog.token_cost import TokenCost
from callgate.core.catalog.token_count import cost_sheet
from callgate.core.tool import Tool
from callgate.engine.offer.token_counter import Counts
from callgate.engine.offer.tool_service import ToolKey, Usage
from callgate.engine.sources.source_service import SourceView


@dataclass(slots=True)
class Facts:
    scope: str = ""
    """The agent whose switches are shown; empty = all agents."""
    enabled: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Agent → names of the tools that are on for it; asked for when first needed."""
    ask_enabled: Callable[[str], frozenset[str]] = lambda agent: frozenset()
    agents: tuple[str, ...] = ()
    used: dict[ToolKey, Usage] = field(default_factory=dict[ToolKey, Usage])
    waiting: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    """Tool → calls that wait for a person."""
    changed: frozenset[ToolKey] = frozenset()
    """Tools whose definition has changed since the person last looked."""
    findings: dict[str, tuple[Finding, ...]] = field(default_factory=dict[str, tuple[Finding, ...]])
    alike: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict[str, tuple[Finding, ...]])
    costs: dict[str, TokenCost] = field(default_factory=dict[str, TokenCost])
    """What each is estimated to cost."""
    counts: dict[str, Counts] = field(default_factory=dict[str, Counts])
    """What tokenizers made of them, where there are any."""
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    """The typical cost of each, for sums over thousands."""
    sources: dict[str, SourceView] = field(default_factory=dict[str, SourceView])

    def on_for(self, agent: str) -> frozenset[str]:
        held = self.enabled.get(agent)
        if held is None:
            held = self.enabled[agent] = self.ask_enabled(agent)
        return held

    def lint(self, name: str) -> tuple[Finding, ...]:
        """All that is known so far; the gravest first."""
        own, beside = self.findings.get(name, ()), self.alike.get(name, ())
        return (*beside, *own) if beside else own

    def doubts(self, name: str) -> int:
        """Findings that deserve a badge: hints do not."""
        return sum(finding.severity != "hint" for finding in self.lint(name))

    def is_changed(self, tool: Tool) -> bool:
        return (tool.source, tool.name) in self.changed

    def usage(self, tool: Tool) -> Usage | None:
        return self.used.get((tool.source, tool.name))

    def set_cost(self, name: str, cost: TokenCost) -> None:
        self.costs[name] = cost
        self.tokens[name] = cost_sheet(cost, self.counts.get(name, ())).typical

    def set_counts(self, name: str, counts: Counts) -> None:
        """Of a tool whose estimate is known."""
        self.counts[name] = counts
        self.tokens[name] = cost_sheet(self.costs[name], counts).typical

    def drop_cost(self, name: str) -> None:
        del self.costs[name], self.tokens[name]
        self.counts.pop(name, None)
