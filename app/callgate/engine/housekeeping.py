"""What is done to the journal when nobody waits for it: indexing what is old, deleting what has been kept long enough.

In small steps with pauses, so that it is never noticed; begun anew at each start and every few hours.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Final

from callgate.core.config.settings import JournalSettings
from callgate.core.errors import NotRecorded
from callgate.store.retention import Captured
from callgate.store.tables.conversation_archive import ConversationArchive

PAUSE_SECONDS: Final = 0.05
"""Between two steps, so that everything else gets its turn."""
ROUND_SECONDS: Final = 6 * 3600.0
_DAY: Final = 86_400.0
_MEGABYTE: Final = 1_000_000


class Housekeeping:
    def __init__(
        self, shelf: ConversationArchive, settings: JournalSettings, forget: Callable[[str], Awaitable[None]]
    ) -> None:
        self._shelf, self._settings, self._forget = shelf, settings, forget

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            # while the journal cannot be written there is nothing to tidy; the next round finds it again
            with contextlib.suppress(NotRecorded):
                await _step_by_step(self._shelf.index_backlog)
                await self.tidy(time.time())
            await asyncio.sleep(ROUND_SECONDS)

    async def tidy(self, now: float) -> None:
        """Deletes what has been kept long enough, once."""
        if self._settings.wire_days:
            await self._thin(now - self._settings.wire_days * _DAY)
        if self._settings.wire_megabytes:
            await self._thin(await self._oldest_kept())
        if self._settings.keep_days:
            for conversation_id in await self._shelf.stale(now - self._settings.keep_days * _DAY):
                await self._forget(conversation_id)
                await asyncio.sleep(PAUSE_SECONDS)
        await _step_by_step(self._shelf.rewrite_index)

    async def _thin(self, before: float) -> None:
        captured: tuple[Captured, ...] = ("wire", "frames")
        for one in captured:
            after, more = 0, before > 0
            while more:
                step = await self._shelf.thin(one, before, after)
                after, more = step.after, step.more
                await asyncio.sleep(PAUSE_SECONDS)

    async def _oldest_kept(self) -> float:
        """The day from which on all captured bytes together fit; the youngest day always stays."""
        room = self._settings.wire_megabytes * _MEGABYTE
        for day, size in reversed(await self._shelf.wire_size()):
            room -= size
            if room < 0:
                return min(day + _DAY, time.time() - _DAY)
        return 0.0


async def _step_by_step(step: Callable[[], Awaitable[bool]]) -> None:
    """Until a step says that nothing is left."""
    more = True
    while more:
        more = await step()
        await asyncio.sleep(PAUSE_SECONDS)
