"""Denials that were made without a reason: for a moment the person may still say why, and the model is told.

The denial is final before it comes here; all that waits is the delivery of its result. A wait ends with the reason,
when its time is over, with the person's next decision, and at once when its client leaves or its exchange ends.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from callgate.core.calls.invocation import Explain, Invocation, advance, denied_text
from callgate.engine.gate.call_deadline import ANSWER_SECONDS
from callgate.engine.gate.results import result_of

REASON_SECONDS: Final = 5.0
MOST_SECONDS: Final = 60.0
"""While the person writes, the countdown stands still for so long altogether."""

Changed = Callable[[Invocation, float, str], None]
"""Told of a denial that has got its reason: the call, when, and who gave it."""


@dataclass(slots=True)
class _Open:
    denied: Invocation
    over: "asyncio.Future[Invocation]"
    bound: float
    """When its time is over in any case, in the loop's time."""
    ends: float
    left: float | None = None
    """Seconds that were left when the person began to write; None = they run."""
    timer: asyncio.TimerHandle | None = None


class LateReasons:
    def __init__(self, changed: Changed, clock: Callable[[], float]) -> None:
        self._changed = changed
        self._clock = clock
        self._open: dict[str, _Open] = {}

    def begin(self, denied: Invocation, patience: float | None) -> None:
        """`patience`: seconds for which its client still waits; None = it does not give up."""
        most = MOST_SECONDS if patience is None else min(MOST_SECONDS, patience - ANSWER_SECONDS)
        if most < REASON_SECONDS:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        opened = self._open[denied.id] = _Open(denied, loop.create_future(), now + most, now + REASON_SECONDS)
        self._set_timer(opened)

    async def settled(self, denied: Invocation) -> Invocation:
        """The denial as the model is told of it, when it may be told."""
        opened = self._open.get(denied.id)
        return denied if opened is None else await opened.over

    def left(self, invocation_id: str) -> float | None:
        """Seconds in which a reason can still be given; None = it can't be any more."""
        opened = self._open.get(invocation_id)
        if opened is None or opened.over.done():
            return None
        return opened.left if opened.left is not None else max(0.0, opened.ends - opened.over.get_loop().time())

    def give(self, invocation_id: str, reason: str, initiator: str) -> bool:
        """The reason, or none at all: either way the result goes out now. False: too late."""
        opened = self._open.get(invocation_id)
        if opened is None or opened.over.done():
            return False
        if opened.timer is not None:
            opened.timer.cancel()
        told, words = opened.denied, reason.strip()
        if words:
            text = denied_text(told.tool, words, "the user")
            now = self._clock()
            told = advance(told, Explain(words, result_of(told, text, is_error=True)), now)
            self._changed(told, now, initiator)
        opened.over.set_result(told)
        return True

    def write(self, invocation_id: str, writing: bool) -> None:
        """While the person writes, the countdown stands still."""
        opened = self._open.get(invocation_id)
        if opened is None or opened.over.done() or writing == (opened.left is not None):
            return
        now = opened.over.get_loop().time()
        if opened.left is None:
            opened.left, opened.ends = max(0.0, opened.ends - now), opened.bound
        else:
            opened.ends, opened.left = min(now + opened.left, opened.bound), None
        self._set_timer(opened)

    def end_all(self, exchange_id: str = "") -> None:
        """Those of one exchange, or all: their results go out as they are."""
        for opened in tuple(self._open.values()):
            if exchange_id in ("", opened.denied.exchange_id):
                self._run_out(opened.denied.id)

    def forget(self, invocation_id: str) -> None:
        """Nobody waits for its result any more."""
        opened = self._open.pop(invocation_id, None)
        if opened is not None and opened.timer is not None:
            opened.timer.cancel()

    def _run_out(self, invocation_id: str) -> None:
        self.give(invocation_id, "", "engine")

    def _set_timer(self, opened: _Open) -> None:
        if opened.timer is not None:
            opened.timer.cancel()
        opened.timer = opened.over.get_loop().call_at(opened.ends, self._run_out, opened.denied.id)
