"""The catalog: every tool of every source, under names that are unique and fit for every wire.

It does not know who may call what: availability is here, approval is the gate's.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from callgate.core.glob import glob_matches
from callgate.core.messages import Json
from callgate.core.preview import Preview
from callgate.core.tool import Outcome, Tool
from callgate.tools.source import CallContext, PreviewingSource, Source

_UNFIT = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST = 64
"""OpenAI's limit, the tightest of the four wires."""


class UnknownTool(Exception):
    """No tool of that name, or not any more."""


class Catalog:
    def __init__(self, sources: Iterable[Source] = ()) -> None:
        self._sources: list[Source] = []
        self._listeners: list[Callable[[], None]] = []
        self._disabled: set[str] = set()
        self._tools: dict[str, tuple[Tool, Source, Tool]] = {}
        """Name in the catalog → (tool under that name, source, tool as the source knows it)."""
        for source in sources:
            self.add(source)

    def add(self, source: Source) -> None:
        self._sources.append(source)
        source.on_change(self._changed)
        self._changed()

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(self._sources)

    def on_change(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def tools(self) -> tuple[Tool, ...]:
        """All of them, also the disabled and private ones."""
        return tuple(tool for tool, _, _ in self._tools.values())

    def offered(self) -> tuple[Tool, ...]:
        """What clients and models may see."""
        return tuple(tool for tool in self.tools() if tool.enabled and not tool.private)

    def find(self, *, name: str = "", tags: Iterable[str] = ()) -> tuple[Tool, ...]:
        """Offered tools by name glob and by any of the tags; nothing given = all."""
        wanted = {tag.casefold() for tag in tags}
        return tuple(
            tool
            for tool in self.offered()
            if (not name or glob_matches(name, tool.name))
            and (not wanted or any(tag.casefold() in wanted for tag in tool.tags))
        )

    def get(self, name: str) -> Tool | None:
        entry = self._tools.get(name)
        return entry[0] if entry else None

    def enable(self, name: str, enabled: bool) -> None:
        if name not in self._tools:
            raise UnknownTool(name)
        (self._disabled.discard if enabled else self._disabled.add)(name)
        self._changed()

    async def call(self, name: str, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        entry = self._tools.get(name)
        if entry is None:
            raise UnknownTool(name)
        _, source, original = entry
        return await source.call(original, arguments, context)

    def preview(self, name: str, arguments: Mapping[str, Json]) -> Preview | None:
        """What a call would do, where its source can tell."""
        entry = self._tools.get(name)
        if entry is None or not isinstance(entry[1], PreviewingSource):
            return None
        return entry[1].preview(entry[2], arguments)

    async def open(self) -> None:
        for source in self._sources:
            await source.open()

    async def close(self) -> None:
        for source in reversed(self._sources):
            await source.close()

    def _changed(self) -> None:
        self._tools = {}
        for source in self._sources:
            for original in source.tools():
                name = self._free_name(original, source.name)
                tool = replace(original, name=name, enabled=original.enabled and name not in self._disabled)
                self._tools[name] = (tool, source, original)
        for listener in self._listeners:
            listener()

    def _free_name(self, tool: Tool, source: str) -> str:
        """The tool's own name where it is free and fit; else one made of source and name, the same every time."""
        plain = fit_name(tool.name)
        if plain not in self._tools:
            return plain
        return fit_name(f"{source}__{tool.name}")


def fit_name(name: str) -> str:
    """A name that every wire accepts; one that had to be changed carries a hash, so that two never become one."""
    fit = _UNFIT.sub("_", name)
    if fit == name and 0 < len(name) <= _LONGEST:
        return name
    mark = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{fit[: _LONGEST - 9]}_{mark}"
