"""Has the tools counted by the tokenizers of this machine, a few at a time, once their cost is estimated.

Counting happens in a thread; here it is only asked for and remembered, as long as a definition stays the same. Where no
tokenizer is on this machine nothing is asked at all.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal

from callgate.core.tool import CLIENT_SOURCE, Tool
from callgate.engine.offer.token_counter import Counts
from callgate.engine.offer.tool_service import ToolService
from callgate.ui.bridge import Bridge
from callgate.ui.tools.background_lint import same_to_read
from callgate.ui.tools.facts import Facts

BATCH: Final = 50
"""Tools that are counted before anybody hears of it: some milliseconds' worth."""
TELLING_SECONDS: Final = 0.5

Key = tuple[str, str, tuple[str, ...]]
"""Source and name; agents may bring tools of the same name, and are told apart by their tags."""


class TokenCounting(QObject):
    counted = Signal()
    """More was counted than before."""

    def __init__(self, service: ToolService, bridge: Bridge, facts: Facts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._service, self._bridge, self._facts = service, bridge, facts
        self._held: dict[Key, tuple[Tool, Counts]] = {}
        self._left: list[Tool] = []
        self._wanted: Tool | None = None
        """Somebody looks at it: it comes before all others."""
        self._is_counting = False
        self._told = 0.0
        self.problems: Mapping[str, str] = {}
        """Tokenizers that could not be read: family → why."""

    @property
    def is_done(self) -> bool:
        return not (self._is_counting or self._left or self._wanted)

    def counts_of(self, tool: Tool) -> Counts:
        """What is known of exactly this definition."""
        held = self._held.get(_key(tool))
        return held[1] if held is not None and same_to_read(held[0], tool) else ()

    def take(self, tools: Sequence[Tool]) -> None:
        """All tools of the catalog, with their cost estimated."""
        if not self._service.can_count_tokens:
            return
        known = {_key(tool) for tool in tools}
        for key in [key for key in self._held if key not in known and key[0] != CLIENT_SOURCE]:
            del self._held[key]
        self._left = [tool for tool in reversed(tools) if not self._knows(tool)]
        self._go_on()

    def look_at(self, tool: Tool) -> None:
        if self._service.can_count_tokens and not self._knows(tool):
            self._wanted = tool
            self._go_on()

    def _knows(self, tool: Tool) -> bool:
        held = self._held.get(_key(tool))
        return held is not None and same_to_read(held[0], tool)

    def _go_on(self) -> None:
        if self._is_counting or self.is_done or not self._bridge.can_start:
            return
        batch = [self._wanted] if self._wanted is not None else [*reversed(self._left[-BATCH:])]
        if self._wanted is not None:
            self._wanted = None
        else:
            del self._left[-BATCH:]
        self._is_counting = True
        self._bridge.start(self._count(batch), self, "counting tokens")

    async def _count(self, tools: Sequence[Tool]) -> None:
        try:
            found = await self._service.count_tokens(tools)
        finally:
            self._is_counting = False
        self.problems = found.problems
        for tool, counts in zip(tools, found.of_tools, strict=True):
            self._held[_key(tool)] = (tool, counts)
            if tool.source != CLIENT_SOURCE and tool.name in self._facts.costs:
                self._facts.set_counts(tool.name, counts)
        now = time.monotonic()
        if self.is_done or len(tools) == 1 or now - self._told > TELLING_SECONDS:
            self._told = now
            self.counted.emit()
        self._go_on()


def _key(tool: Tool) -> Key:
    return tool.source, tool.name, tool.tags if tool.source == CLIENT_SOURCE else ()
