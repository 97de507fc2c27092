"""How long a waiting call waits for a person. The deadline does not run out on a call that could not be shown.

A call that no person has seen by its deadline waits on until it has been on a screen for `GRACE_SECONDS`; that ends
before its client gives up, and in any case after `MOST_DEADLINES` deadlines. All times are those of the event loop, so
that a clock that is set back or forward neither ends a wait nor makes it endless.
"""

import asyncio
from typing import Final

from callgate.core.calls.invocation import Invocation

GRACE_SECONDS: Final = 30.0
"""What a person gets who sees a call late; with a shorter deadline, that."""
MOST_DEADLINES: Final = 4
_SAME: Final = 0.001
ANSWER_SECONDS: Final = 5.0
"""How long before its client gives up an unseen call ends, so that the client still gets the answer."""


def ends(asked: float, seconds: float, seen: float | None, patience: float | None) -> float:
    """When a call that is shown to a person stops waiting.

    `asked`, `seen`, `patience`: when it was asked about, was first on a screen, and is given up by its client.
    """
    due, bound = asked + seconds, asked + MOST_DEADLINES * seconds
    if patience is not None:
        bound = min(bound, patience - ANSWER_SECONDS)
    wanted = bound if seen is None else min(seen + min(GRACE_SECONDS, seconds), bound)
    return max(due, wanted)


class PersonWait:
    """One question to a person, from the moment it is put until it is answered or its time is over."""

    def __init__(self, seconds: float, *, attended: bool) -> None:
        """`attended`: whether there is a person to whom calls are shown; else the deadline is the end."""
        self._loop = asyncio.get_running_loop()
        self._asked = self._loop.time()
        self._seconds, self._attended = seconds, attended
        self._seen: float | None = None
        self.answer: asyncio.Future[Invocation] = self._loop.create_future()
        self.client_is_there = True
        """False: its client has gone, and may ask again."""
        self.outdated = False
        """The tool has changed, and what the call would do has to be looked at again."""
        self._stirred: asyncio.Future[None] = self._loop.create_future()

    @property
    def was_seen(self) -> bool:
        return self._seen is not None

    @property
    def is_unseen(self) -> bool:
        """Whether it should have been seen, and was not."""
        return self._attended and self._seen is None

    @property
    def is_due(self) -> bool:
        """Whether its own deadline has passed, however long it waits on."""
        return self._loop.time() >= self._asked + self._seconds

    @property
    def waited(self) -> float:
        return self._loop.time() - self._asked

    def left(self, patience: float | None) -> float:
        """Seconds until it ends. `patience`: those until its client gives up; None = it does not."""
        now, due = self._loop.time(), self._asked + self._seconds
        if not self._attended:
            return due - now
        return ends(self._asked, self._seconds, self._seen, None if patience is None else now + patience) - now

    def is_deferred(self, patience: float | None) -> bool:
        """Whether it waits longer than its deadline says, as it is known by now that it was not seen in time."""
        late = self.is_due or self._seen is not None
        return late and self.left(patience) > self._asked + self._seconds - self._loop.time() + _SAME

    def see(self) -> None:
        """It is on the screen of a person, for the first time."""
        self._seen = self._loop.time()
        self.stir()

    def outdate(self) -> None:
        self.outdated = True
        self.stir()

    async def pause(self, patience: float | None) -> None:
        """Returns when it is answered, when something has changed, and when its deadline or its end has come."""
        left = self.left(patience)
        if not self.is_due:
            left = min(left, self._asked + self._seconds - self._loop.time())
        if self._stirred.done():
            self._stirred = self._loop.create_future()
            return
        await asyncio.wait({self.answer, self._stirred}, timeout=max(0.0, left), return_when=asyncio.FIRST_COMPLETED)
        if self._stirred.done():
            self._stirred = self._loop.create_future()

    def stir(self) -> None:
        """Something that its end depends on has changed."""
        if not self._stirred.done():
            self._stirred.set_result(None)
