"""Follows files that the person may edit while the program runs, and says what came of it.

What a changed file means is the business of whoever handed in `read`; this only notices the change.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

LOOK_SECONDS = 1.5
"""Soon enough for somebody who saves a file and turns to the window."""

Stamp = tuple[int, int, int] | None
"""Time, size and number of a file; editors that replace a file give it another number. None = there is none."""


@dataclass(frozen=True, slots=True)
class Watched:
    path: Path
    read: Callable[[], Awaitable[None]]
    """Called when the file is another than it was."""


class FileWatch:
    def __init__(
        self, files: Sequence[Watched], look_seconds: float = LOOK_SECONDS, *, after: Callable[[], None] | None = None
    ) -> None:
        """`after` is called after each look, whatever it found."""
        self._files = tuple(files)
        self._after = after
        self._look_seconds = look_seconds
        self._stamps = [stamp_of(file.path) for file in self._files]

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(self._look_seconds)
            await self.look()

    async def look(self) -> None:
        """Reads again what has changed since the last look."""
        stamps = await asyncio.to_thread(lambda: [stamp_of(file.path) for file in self._files])
        before, self._stamps = self._stamps, stamps
        for file, old, new in zip(self._files, before, stamps, strict=True):
            # a file that is gone may be on its way back: many editors write by renaming
            if new is not None and new != old:
                await file.read()
        if self._after is not None:
            self._after()


def stamp_of(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
