"""What an exchange has for its client, in order. It outlives a reader, so that a client that retries can read again."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from callgate.core.assembly import Assembly
from callgate.core.deltas import Delta
from callgate.wire.codec import Frame


@dataclass(frozen=True, slots=True)
class Piece:
    """Something the client may have now."""

    deltas: tuple[Delta, ...]
    frame: Frame | None = None
    """The provider's own bytes for exactly these deltas, where the client may get them as they are."""


class Outbox:
    def __init__(self) -> None:
        self._pieces: list[Piece] = []
        self._grown = asyncio.Event()
        self.reply = Assembly()
        """All that was put in, folded as it comes: at the end of a long answer that would take too long at once."""
        self.closed = False
        self.error: Exception | None = None
        self.held = False
        """A person was asked, so that nobody can say how long the rest will take: the client is to be kept waiting."""
        self.begin: Callable[[], None] | None = None
        """How a reply is begun of which nothing has been said; None = that can't be done now."""

    def __len__(self) -> int:
        return len(self._pieces)

    def written(self) -> list[Piece]:
        return self._pieces

    async def grown(self) -> None:
        """Returns when there is something new, a person is asked, or the end."""
        await self._grown.wait()

    def put(self, piece: Piece) -> None:
        self._pieces.append(piece)
        for delta in piece.deltas:
            self.reply.add(delta)
        self._wake()

    def hold(self) -> None:
        """A person is being asked. Whoever reads hears of it at once, and first of all the beginning of the reply."""
        if self.begin is not None:
            self.begin()
        if not self.held:
            self.held = True
            self._wake()

    def close(self, error: Exception | None = None) -> None:
        """Nothing more will come; `error` is raised to readers that have read everything."""
        if not self.closed:
            self.closed, self.error = True, error
            self._wake()

    def reader(self) -> "OutboxReader":
        """Reads everything from the first piece on."""
        return OutboxReader(self)

    def _wake(self) -> None:
        self._grown.set()
        self._grown = asyncio.Event()


class OutboxReader:
    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._index = 0

    async def read(self, timeout: float | None = None) -> list[Piece] | None:
        """All pieces that are there and unread, waiting for at least one; None = the end.

        [] = none came in time, or a person is asked from now on.

        Raises what the exchange failed with, after its last piece.
        """
        outbox = self._outbox
        if self._index == len(outbox) and not outbox.closed:
            try:
                async with asyncio.timeout(timeout):
                    await outbox.grown()
            except TimeoutError:
                return []
        if self._index < len(outbox):
            unread = outbox.written()[self._index :]
            self._index += len(unread)
            return unread
        if not outbox.closed:
            return []
        if outbox.error is not None:
            raise outbox.error
        return None
