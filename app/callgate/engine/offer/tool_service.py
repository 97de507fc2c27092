"""What the tool browser needs beside the list of tools: who may have which, how they are used, how they have changed.

Part of the console; `ToolsChanged`, `RulesChanged` and `InvocationChanged` say when to ask again.
"""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from callgate.core.catalog.definition_diff import Change, diff
from callgate.core.catalog.tool_statistics import ToolStatistics, statistics_of
from callgate.core.messages import Json
from callgate.core.rules.glob import Glob, MatchTimeout
from callgate.core.rules.rule import Rule
from callgate.core.tool import Tool
from callgate.engine.offer.client_tools import ClientTools
from callgate.engine.offer.token_counter import Counted, TokenCounter
from callgate.store.rulebook import Rulebook
from callgate.store.tables.definitions import Definition, Definitions
from callgate.store.tables.past_calls import PastCalls
from callgate.tools.catalog import Catalog, Entry
from callgate.tools.switches import Subject

COUNTED_CALLS = 5000
"""Calls of a tool that its statistics are made of; the latest say most."""

ToolKey = tuple[str, str]
"""Source and name."""


@dataclass(frozen=True, slots=True)
class Usage:
    calls: int
    last: float
    """When the last one was over."""


@dataclass(frozen=True, slots=True)
class Version:
    """A definition that a tool has had for some time."""

    first_seen: float
    last_seen: float
    fingerprint: str
    changes: tuple[Change, ...] = ()
    """What it changed in the one before it; empty for the first."""
    before: Mapping[str, Json] | None = None
    """The definition before it; None for the first."""
    after: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """The definition itself."""


@dataclass(frozen=True, slots=True)
class Access:
    """What an agent gets of the catalog."""

    agent: str
    unasked: bool | None = None
    """False: never any of it; True: all that is on, also unasked; None: where it asks for tools."""
    has_own: bool = False
    """Whether anything was said for it alone."""


class ToolService(Protocol):
    def agents(self) -> tuple[Access, ...]:
        """All that are known, by name."""
        ...

    def enabled_for(self, agent: str) -> frozenset[str]:
        """The names of the tools that are switched on for an agent; empty = for all agents."""
        ...

    def own_for(self, agent: str) -> frozenset[str]:
        """The names of the tools that something was said of for this agent alone."""
        ...

    def switch(self, names: Collection[str], enabled: bool | None, agent: str = "") -> None:
        """Several tools at once; None takes back what was said for one agent alone."""
        ...

    def switch_source(self, source: str, enabled: bool | None, agent: str = "") -> None:
        """All tools of a source, also those that it will offer later."""
        ...

    def same_as_all(self, agent: str) -> None:
        """Takes back all that was said for an agent alone."""
        ...

    async def usage(self) -> Mapping[ToolKey, Usage]:
        """Of every tool that was ever called."""
        ...

    async def statistics(self, tool: Tool) -> ToolStatistics: ...

    async def changed(self) -> Mapping[ToolKey, float]:
        """Tools that were once defined otherwise, and since when they are as they are now."""
        ...

    async def history(self, tool: Tool) -> tuple[Version, ...]:
        """All definitions that it has had, the newest first."""
        ...

    def rules_about(self, tool: Tool) -> tuple[Rule, ...]:
        """The rules that may say something of its calls, whoever makes them."""
        ...

    @property
    def can_count_tokens(self) -> bool:
        """Whether a tokenizer is on this machine; without one the cost of tools is estimated."""
        ...

    async def count_tokens(self, tools: Sequence[Tool]) -> Counted:
        """What the tokenizers make of each definition; the first time takes as long as reading their tables."""
        ...


def versions_of(history: list[Definition]) -> tuple[Version, ...]:
    """`history` as the store has it: the one in use last."""
    versions: list[Version] = []
    before: Definition | None = None
    for one in history:
        earlier = before.definition if before is not None else None
        changes = diff(earlier, one.definition) if earlier is not None else ()
        versions.append(Version(one.first_seen, one.last_seen, one.fingerprint, changes, earlier, one.definition))
        before = one
    return tuple(reversed(versions))


def rules_about(tool: Tool, rules: Collection[Rule]) -> tuple[Rule, ...]:
    return tuple(rule for rule in rules if _names(rule.tool, tool.name) and _names(rule.source, tool.source))


def _names(glob: str, name: str) -> bool:
    try:
        return glob in ("*", name) or Glob(glob).matches(name)
    except MatchTimeout:
        return True  # such a rule asks, whatever it is about


class LiveToolService:
    def __init__(
        self,
        catalog: Catalog,
        client_tools: ClientTools,
        rulebook: Rulebook,
        calls: PastCalls,
        definitions: Definitions,
        counter: TokenCounter | None = None,
    ) -> None:
        self._counter = counter or TokenCounter()
        self._catalog = catalog
        self._client_tools = client_tools
        self._rulebook = rulebook
        self._calls = calls
        self._definitions = definitions

    def agents(self) -> tuple[Access, ...]:
        switches = self._catalog.switches
        special = switches.agents()
        known = special | {tool.agent for tool in self._client_tools.tools()}
        return tuple(
            Access(agent, switches.said_of_agent(agent), agent in special) for agent in sorted(known, key=str.casefold)
        )

    def enabled_for(self, agent: str) -> frozenset[str]:
        entries = self._entries()
        if not agent:
            return frozenset(entry.tool.name for entry in entries if entry.tool.enabled)
        is_on = self._catalog.switches.is_on
        return frozenset(
            entry.tool.name
            for entry in entries
            if entry.original.enabled and is_on(entry.original.source, entry.original.name, agent)
        )

    def own_for(self, agent: str) -> frozenset[str]:
        said = self._catalog.switches.said
        return frozenset(
            entry.tool.name
            for entry in self._entries()
            if agent and said(Subject(entry.original.source, entry.original.name, agent)) is not None
        )

    def switch(self, names: Collection[str], enabled: bool | None, agent: str = "") -> None:
        said: dict[Subject, bool | None] = {}
        chosen = [entry for name in names if (entry := self._catalog.entry(name)) is not None]
        if enabled:
            said |= self._opened({entry.original.source for entry in chosen}, agent)
        for entry in chosen:
            said[Subject(entry.original.source, entry.original.name, agent)] = enabled
        self._catalog.switch(said)

    def switch_source(self, source: str, enabled: bool | None, agent: str = "") -> None:
        said: dict[Subject, bool | None] = {Subject(source, agent=agent): enabled}
        if enabled is not False:  # all of them means also those that were switched off one by one
            own = [entry for entry in self._entries() if entry.original.source == source]
            said |= {Subject(source, entry.original.name, agent): enabled for entry in own}
        self._catalog.switch(said)

    def same_as_all(self, agent: str) -> None:
        if agent:
            self._catalog.switch(dict.fromkeys(self._catalog.switches.subjects_of(agent)))

    async def usage(self) -> Mapping[ToolKey, Usage]:
        return {(use.source, use.tool): Usage(use.calls, use.last) for use in await self._calls.uses()}

    async def statistics(self, tool: Tool) -> ToolStatistics:
        return statistics_of(await self._calls.of_tool(tool.name, tool.source, COUNTED_CALLS), time.time())

    async def changed(self) -> Mapping[ToolKey, float]:
        return await self._definitions.changed()

    async def history(self, tool: Tool) -> tuple[Version, ...]:
        return versions_of(await self._definitions.history(tool.name, tool.source))

    def rules_about(self, tool: Tool) -> tuple[Rule, ...]:
        return rules_about(tool, self._rulebook.rules())

    @property
    def can_count_tokens(self) -> bool:
        return self._counter.can_count

    async def count_tokens(self, tools: Sequence[Tool]) -> Counted:
        return await self._counter.count(tools)

    def _entries(self) -> list[Entry]:
        found = (self._catalog.entry(tool.name) for tool in self._catalog.tools())
        return [entry for entry in found if entry is not None]

    def _opened(self, sources: set[str], agent: str) -> dict[Subject, bool | None]:
        """A source that is off as a whole comes on for the chosen tools' sake, and all its others go off one by one."""
        said: dict[Subject, bool | None] = {}
        shut = {source for source in sources if not self._source_on(source, agent)}
        if not shut:
            return said
        said |= {Subject(source, agent=agent): True for source in shut}
        for entry in self._entries():
            if entry.original.source in shut:
                said[Subject(entry.original.source, entry.original.name, agent)] = False
        return said

    def _source_on(self, source: str, agent: str) -> bool:
        own = self._catalog.switches.said(Subject(source, agent=agent))
        return own if own is not None else self._catalog.switches.said(Subject(source)) is not False
