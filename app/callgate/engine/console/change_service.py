"""Changes that were made to Callgate's own files by other programs, or by hand: what they would allow, and the answer.

Only a front end for people is handed this: nothing behind the agents' port may reach it.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from callgate.core.config.widening import FileChange, Widening
from callgate.core.errors import UserFault
from callgate.core.events import FileChangesFound
from callgate.engine.bus import Bus
from callgate.store.files.reviewed_files import ReviewedFiles


class ChangeService(Protocol):
    @property
    def bus(self) -> Bus: ...

    @property
    def problem(self) -> str:
        """Why nothing that was accepted before counts, or why an answer cannot be kept; empty = all is well."""
        ...

    def changes(self) -> tuple[FileChange, ...]:
        """What waits to be accepted; `FileChangesFound` says when to ask again."""
        ...

    async def accept(self, chosen: Sequence[Widening]) -> None:
        """Exactly what was shown counts from now on. Raises `UserFault`."""
        ...

    async def put_back(self, file: str) -> str:
        """Restores what was accepted; returns where the changed file is kept. Raises `UserFault`."""
        ...


Reader = Callable[[], Awaitable[None]]


def as_coroutine(read: Callable[[], None]) -> Reader:
    """A reader that never waits, where one that may is wanted."""

    async def run() -> None:
        read()

    return run


class LiveChangeService:
    def __init__(self, files: ReviewedFiles, bus: Bus, fault: Callable[[str, str], None]) -> None:
        self._files, self._fault = files, fault
        self.bus = bus
        self._readers: dict[str, Reader] = {}
        self._told: tuple[str, ...] = ()

    def attach(self, readers: dict[str, Reader]) -> None:
        """What reads a file again, by the file's name."""
        self._readers = readers
        self._files.on_change(self._tell)
        self._tell()

    @property
    def problem(self) -> str:
        return self._files.problem

    def changes(self) -> tuple[FileChange, ...]:
        return self._files.changes()

    async def accept(self, chosen: Sequence[Widening]) -> None:
        self._files.accept(chosen)
        await self._read_again({one.file for one in chosen})

    async def put_back(self, file: str) -> str:
        rejected = self._files.put_back(file)
        await self._read_again({file})
        return str(rejected)

    async def read_accepted(self) -> None:
        """`accepted.json` was changed, if by another Callgate: then something else counts now."""
        if self._files.reload():
            await self._read_again(set(self._readers))
        self._tell()

    def settle(self) -> None:
        self._files.settle()

    async def _read_again(self, names: set[str]) -> None:
        for name, read in self._readers.items():
            if name in names:
                await self.guarded(read)
        self._tell()

    async def guarded(self, read: Reader) -> None:
        """A file that cannot be read is shown, and leaves what was read before."""
        try:
            await read()
        except UserFault as fault:
            self._fault("changed files", str(fault))

    def _tell(self) -> None:
        files = tuple(one.id for change in self._files.changes() for one in change.widenings)
        if files != self._told:
            self._told = files
            names = tuple(change.file for change in self._files.changes())
            self.bus.publish(FileChangesFound(names, time.time()))
