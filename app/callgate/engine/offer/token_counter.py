"""Counts what tools cost with the tokenizers that are on this machine, off the loop. Part of the tool desk.

A tokenizer is read when something is first to be counted; one that can't be read is said, not tried again.
"""

import asyncio
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from callgate.core.catalog.token_count import Count
from callgate.core.catalog.tool_text import tool_text
from callgate.core.errors import UserFault
from callgate.core.tool import Tool
from callgate.store.files.tokenizer_files import Place, Tokenizer

Counts = tuple[Count, ...]
"""Of one tool: one for each tokenizer there is."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What was asked for, in the same order, and the tokenizers that could not be asked: family → why."""

    of_tools: tuple[Counts, ...]
    problems: Mapping[str, str] = field(default_factory=dict[str, str])


class TokenCounter:
    def __init__(self, places: Sequence[Place] = ()) -> None:
        self._places = tuple(places)
        self._loaded: tuple[Tokenizer, ...] | None = None
        self._problems: dict[str, str] = {}
        self._lock = threading.Lock()
        """Two questions at once must not read the same tables twice; a thread's: a cancelled one runs on."""

    @property
    def can_count(self) -> bool:
        """Whether there is any tokenizer to be tried."""
        return bool(self._places)

    async def count(self, tools: Sequence[Tool]) -> Counted:
        if not self._places:
            return Counted(((),) * len(tools))
        return await asyncio.to_thread(self._count, tuple(tools))

    def _count(self, tools: Sequence[Tool]) -> Counted:
        tokenizers = self._tokenizers()
        return Counted(tuple(_counts(tool, tokenizers) for tool in tools), dict(self._problems))

    def _tokenizers(self) -> tuple[Tokenizer, ...]:
        with self._lock:
            if self._loaded is None:
                loaded: list[Tokenizer] = []
                for place in self._places:
                    try:
                        loaded.append(place.load())
                    except UserFault as fault:
                        self._problems[place.family] = str(fault)
                self._loaded = tuple(loaded)
            return self._loaded


def _counts(tool: Tool, tokenizers: Sequence[Tokenizer]) -> Counts:
    return tuple(Count(one.family, one.count(tool_text(tool, one.family)), one.name) for one in tokenizers)
