"""The beginning of a streamed reply that is held before anything of it could be sent.

White space alone keeps not every client waiting: the timers of Codex, Qwen Code and others run on until the wire's own
first event has come. So a reply is begun, with nothing in it yet, as soon as a person is asked or a tool takes longer
than a moment; from then on the wire's own keep-alive can follow.
"""

import asyncio
from collections.abc import Callable
from types import TracebackType

from callgate.core.deltas import Started
from callgate.engine.exchange.delta_renumbering import DeltaRenumbering
from callgate.engine.exchange.outbox import Outbox, Piece

BEGIN_SECONDS = 1.0
"""A verdict by rule takes far less, and its reply can then still go out in the provider's own bytes."""


class EarlyStart:
    """Around whatever may take long. `started`: what the reply begins with; None = that is not known yet."""

    def __init__(self, outbox: Outbox, splice: DeltaRenumbering, started: Callable[[], Started | None]) -> None:
        self._outbox = outbox
        self._splice = splice
        self._started = started
        self._timer: asyncio.TimerHandle | None = None
        self.begun = False
        """True: the client has a beginning that is not in the provider's bytes."""

    def __enter__(self) -> "EarlyStart":
        self._outbox.begin = self._begin
        self._wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._outbox.begin = None
        if self._timer is not None:
            self._timer.cancel()

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(BEGIN_SECONDS, self._begin)

    def _begin(self) -> None:
        if len(self._outbox):
            return
        started = self._started()
        if started is None:
            self._wait()
            return
        self.begun = True
        self._outbox.put(Piece(tuple(self._splice.add(started))))
