"""The catalog: every tool of every source, under names that are unique and fit for every wire.

It does not know who may call what: availability is here, approval is the gate's.
"""

import fnmatch
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from callgate.core.calls.binding import Binding, BoundTool, Executor, executor
from callgate.core.calls.preview import Preview
from callgate.core.catalog.when import BadCondition, Lookup, Value, holds, read_condition
from callgate.core.messages import Json
from callgate.core.rules.glob import Glob, MatchTimeout
from callgate.core.rules.lookalike import Resemblances
from callgate.core.tool import Outcome, Tool
from callgate.tools.memory import Forgetful
from callgate.tools.source import CallContext, ConnectingSource, IdentifiedSource, PreviewingSource, Source
from callgate.tools.switches import Subject, Switches

_UNFIT = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST = 64
"""OpenAI's limit, the tightest of the four wires."""
_EVERY_AGENT = ""


class UnknownTool(Exception):
    """No tool of that name, or not any more."""


def _nothing_known(key: str) -> Value | None:
    return None


@dataclass(frozen=True, slots=True)
class Lists:
    """Globs over names: with an allow list only those on it are offered, and never those on the block list."""

    allow: tuple[str, ...] = ()
    block: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    tool: Tool
    """Under its name in the catalog."""
    source: Source
    original: Tool
    """As the source knows it."""

    @property
    def executor(self) -> Executor:
        if isinstance(self.source, IdentifiedSource):
            return self.source.executor(self.original)
        return executor("source", (f"From {self.source.name}",), tool=self.original.id, runs=self.original.runs)

    async def call(self, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        return await self.source.call(self.original, arguments, context)


class Catalog:
    def __init__(
        self,
        sources: Iterable[Source] = (),
        *,
        switches: Switches | None = None,
        lookup: Lookup = _nothing_known,
        lists: Lists = Lists(),  # noqa: B008
    ) -> None:
        self._sources: list[Source] = []
        self._listeners: list[Callable[[], None]] = []
        self._switches = switches or Switches(Forgetful())
        self._lookup = lookup
        self._allow = tuple(Glob(glob) for glob in lists.allow)
        self._block = tuple(Glob(glob) for glob in lists.block)
        self._tools: dict[str, Entry] = {}
        self._fingerprints: dict[str, tuple[Tool, str]] = {}
        """Taken once of each definition, however often it is compared."""
        self._looks: Resemblances | None = None
        """Of all names; None = they have changed since."""
        self._offered: dict[str, dict[str, Tool]] = {}
        """Agent → what it is offered, by name; only agents that something special was said of have their own."""
        for source in sources:
            self._watch(source)
        self._changed()

    def add(self, source: Source, position: int | None = None) -> None:
        """At the end, where it takes no name from a tool that is there; or back where it stood."""
        self._watch(source, position)
        self._changed()

    def remove(self, source: Source) -> int:
        """Its tools go with it; the caller closes it. Returns where it stood."""
        position = self._sources.index(source)
        del self._sources[position]
        self._changed()
        return position

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(self._sources)

    def on_change(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def refresh(self) -> None:
        """Something outside has changed that conditions may ask for."""
        before = self._tools
        self._rebuild()
        if before.keys() != self._tools.keys() or any(before[n].tool is not e.tool for n, e in self._tools.items()):
            self._tell()

    # ---- what there is ----------------------------------------------------------------------------------------------

    def tools(self) -> tuple[Tool, ...]:
        """All of them, also the disabled and private ones and those whose condition does not hold."""
        return tuple(entry.tool for entry in self._tools.values())

    def offered(self, agent: str = _EVERY_AGENT) -> tuple[Tool, ...]:
        """What clients and models may see."""
        return tuple(self._offered_to(agent).values())

    def offers(self, name: str, agent: str = _EVERY_AGENT) -> Tool | None:
        """The tool, if this agent may see it."""
        return self._offered_to(agent).get(name)

    def find(self, *, name: str = "", tags: Iterable[str] = (), agent: str = _EVERY_AGENT) -> tuple[Tool, ...]:
        """Offered tools by name glob and by any of the tags; nothing given = all."""
        name = name or "*"
        prefix = re.split(r"[*?]", name, maxsplit=1)[0]
        found = [tool for known, tool in self._offered_to(agent).items() if known.startswith(prefix)]
        if name != f"{prefix}*":
            # not `Glob`: anybody may ask, and this one takes no longer for a hostile pattern
            fits = re.compile(fnmatch.translate(name.replace("[", "[[]"))).match
            found = [tool for tool in found if fits(tool.name)]
        wanted = {tag.casefold() for tag in tags}
        return tuple(tool for tool in found if not wanted or any(tag.casefold() in wanted for tag in tool.tags))

    def get(self, name: str) -> Tool | None:
        entry = self._tools.get(name)
        return entry.tool if entry else None

    def twin_of(self, name: str) -> str:
        """The tool that a name only looks like; empty if there is none."""
        if self._looks is None:
            self._looks = Resemblances(self._tools)
        return self._looks.of(name) or ""

    def entry(self, name: str) -> Entry | None:
        """A name taken back to its source and the tool as that knows it."""
        return self._tools.get(name)

    def bound(self, name: str) -> BoundTool | None:
        """What a decision on a call of this tool is bound to, as of now."""
        entry = self._tools.get(name)
        if entry is None:
            return None
        known = self._fingerprints.get(name)
        if known is None or known[0] is not entry.tool:
            known = self._fingerprints[name] = (entry.tool, entry.tool.fingerprint)
        by = entry.executor
        return BoundTool(Binding(known[1], by.digest, by.shown_lines, entry.tool.source), entry.tool.definition)

    # ---- switches ---------------------------------------------------------------------------------------------------

    def enable(self, name: str, enabled: bool, agent: str = _EVERY_AGENT) -> None:
        entry = self._tools.get(name)
        if entry is None:
            raise UnknownTool(name)
        self._switch(Subject(entry.tool.source, entry.original.name, agent), enabled)

    def enable_source(self, source: str, enabled: bool, agent: str = _EVERY_AGENT) -> None:
        """All its tools, also those that it will offer later."""
        self._switch(Subject(source, agent=agent), enabled)

    def enable_agent(self, agent: str, enabled: bool | None) -> None:
        """False: it is never offered any of these tools; True: always, also unasked; None: where it asks for them."""
        self._switch(Subject(agent=agent), enabled)

    @property
    def switches(self) -> Switches:
        """For reading: what is said through it without `switch` is not told to anybody."""
        return self._switches

    def switch(self, said: Mapping[Subject, bool | None]) -> None:
        """Several switches at once, told in one change; subjects name tools as their sources do."""
        try:
            self._switches.set_all(said)
        finally:  # what can't be kept still holds for this run
            self._changed()

    def replace_switches(self, value: Json) -> None:
        """What was written down of all switches counts anew."""
        self._switches.replace(value)
        self._changed()

    def gets_unasked(self, agent: str) -> bool:
        """Whether an agent gets these tools without asking for them."""
        return self._switches.said_of_agent(agent) is True

    def _switch(self, subject: Subject, enabled: bool | None) -> None:
        try:
            self._switches.set(subject, enabled)
        finally:  # what can't be kept still holds for this run
            self._changed()

    # ---- use --------------------------------------------------------------------------------------------------------

    async def call(self, name: str, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        entry = self._tools.get(name)
        if entry is None:
            raise UnknownTool(name)
        return await entry.call(arguments, context)

    def preview(self, name: str, arguments: Mapping[str, Json]) -> Preview | None:
        """What a call would do, where its source can tell."""
        entry = self._tools.get(name)
        if entry is None or not isinstance(entry.source, PreviewingSource):
            return None
        return entry.source.preview(entry.original, arguments)

    async def open(self) -> None:
        for source in self._sources:
            await source.open()

    async def close(self) -> None:
        for source in reversed(self._sources):
            await source.close()

    # ---- putting it together ----------------------------------------------------------------------------------------

    def _watch(self, source: Source, position: int | None = None) -> None:
        self._sources.insert(len(self._sources) if position is None else position, source)
        source.on_change(lambda: self._heard(source))

    def _heard(self, source: Source) -> None:
        if source in self._sources:  # one that was taken out may still say something on its way
            self._changed()

    def _changed(self) -> None:
        self._rebuild()
        self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()

    def _rebuild(self) -> None:
        before, self._tools = self._tools, {}
        for source in self._sources:
            for original in source.tools():
                name = self._free_name(original, source.name)
                self._tools[name] = self._entry(name, original, source, before.get(name))
        if before.keys() != self._tools.keys():
            self._looks = None
            self._fingerprints = {name: known for name, known in self._fingerprints.items() if name in self._tools}
        self._offered = {}

    def _entry(self, name: str, original: Tool, source: Source, before: Entry | None) -> Entry:
        """What has not changed stays the same object: views and caches need not look at it again."""
        enabled = original.enabled and self._switches.is_on(original.source, original.name)
        unavailable = original.unavailable or self._obstacle(name, original, source)
        if (
            before is not None
            and before.original is original
            and before.source is source
            and (before.tool.enabled, before.tool.unavailable) == (enabled, unavailable)
        ):
            return before
        own_name = original.name if original.name != name else ""
        tool = replace(original, name=name, own_name=own_name, enabled=enabled, unavailable=unavailable)
        return Entry(tool, source, original)

    def _obstacle(self, name: str, tool: Tool, source: Source) -> str:
        """Why a tool is not offered although nobody switched it off; empty = nothing is in its way."""
        try:
            if any(glob.matches(name) for glob in self._block):
                return "gate.block_tools names it"
            if self._allow and not any(glob.matches(name) for glob in self._allow):
                return "gate.allow_tools does not name it"
            if tool.when and not holds(read_condition(tool.when), lambda key: self._fact(key, source)):
                return f"its condition does not hold: {tool.when}"
        except (MatchTimeout, BadCondition) as problem:
            return str(problem)
        return ""

    def _fact(self, key: str, source: Source) -> Value | None:
        """`source.connected` is about a tool's own source, `source.NAME.connected` about another."""
        match key.split(".", 1):
            case ["source", "connected"]:
                return _is_connected(source)
            case ["source", rest] if rest.endswith(".connected"):
                name = rest.removesuffix(".connected")
                return any(_is_connected(other) for other in self._sources if other.name == name)
            case _:
                return self._lookup(key)

    def _offered_to(self, agent: str) -> dict[str, Tool]:
        known = agent if agent in self._switches.agents() else _EVERY_AGENT
        offered = self._offered.get(known)
        if offered is None:
            offered = self._offered[known] = {tool.name: tool for tool in self._switched_on(known)}
        return offered

    def _switched_on(self, agent: str) -> Iterator[Tool]:
        for entry in self._tools.values():
            tool, original = entry.tool, entry.original
            if tool.private or tool.unavailable:
                continue
            if agent and original.enabled and self._switches.is_on(original.source, original.name, agent):
                yield tool if tool.enabled else replace(tool, enabled=True)
            elif not agent and tool.enabled:
                yield tool

    def _free_name(self, tool: Tool, source: str) -> str:
        """The tool's own name where it is free and fit; else one made of source and name, the same every time."""
        plain = fit_name(tool.name)
        if plain not in self._tools:
            return plain
        longer = fit_name(f"{source}__{tool.name}")
        while longer in self._tools:  # another source has taken just that name for a tool of its own
            longer = fit_name(f"{longer} {source}")
        return longer


def _is_connected(source: Source) -> bool:
    return source.connected if isinstance(source, ConnectingSource) else True


def fit_name(name: str) -> str:
    """A name that every wire accepts; one that had to be changed carries a hash, so that two never become one."""
    fit = _UNFIT.sub("_", name)
    if fit == name and 0 < len(name) <= _LONGEST:
        return name
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{fit[: _LONGEST - 9]}_{mark}"
