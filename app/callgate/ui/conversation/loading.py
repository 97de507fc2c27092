"""Reading a conversation back while it goes on: nothing is missed, nothing comes twice, and nobody waits for all of it.

Of a long conversation the end is shown at once; the rest is folded behind the scenes, in slices that leave the loop
its turns.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

from callgate.core.events import Event, ExchangeEnded, FrameCaptured, InvocationChanged, WireCaptured, conversation_of
from callgate.engine.bus import Subscription
from callgate.engine.console.console import Console
from callgate.ui.bridge import joined
from callgate.ui.conversation.spacing import estimate, gap
from callgate.ui.conversation.transcript import Transcript

RECENT: Final = 16
"""Exchanges that are shown at once: some screens of them."""
_SLICE_S: Final = 0.005
"""A third of a frame: others want their turn, too."""
_AT_ONCE: Final = 8
"""Events between two looks at the clock."""


class Hearing:
    """Hears what happens while a stored conversation is fetched."""

    def __init__(self, console: Console, conversation_id: str) -> None:
        self.conversation_id = conversation_id
        self._heard: list[Event] = []
        self._subscription: Subscription | None = console.bus.subscribe(self._hear)

    def _hear(self, event: Event) -> None:
        if conversation_of(event) == self.conversation_id and not isinstance(event, WireCaptured | FrameCaptured):
            self._heard.append(event)

    def close(self) -> None:
        if self._subscription is not None:
            self._subscription.close()
            self._subscription = None

    def take(self) -> list[Event]:
        """What was heard since the last time."""
        heard, self._heard = self._heard, []
        return heard

    def complete(self, stored: Sequence[Event]) -> list[Event]:
        """What is stored, and what was heard after it: the journal may have caught some of that already.

        Of an exchange that is over, the journal tells everything, but not delta by delta.
        """
        kept = [event for event in stored if not isinstance(event, WireCaptured)]
        over = {event.exchange_id for event in kept if isinstance(event, ExchangeEnded)}
        heard = [event for event in self.take() if isinstance(event, InvocationChanged) or _exchange(event) not in over]
        going_on = [event for event in kept if isinstance(event, InvocationChanged) or _exchange(event) not in over]
        for overlap in range(min(len(going_on), len(heard)), 0, -1):
            if going_on[-overlap:] == heard[:overlap]:
                return kept + heard[overlap:]
        return kept + heard


def _exchange(event: Event) -> str:
    return str(getattr(event, "exchange_id", ""))


def read_at_once(events: Sequence[Event]) -> Transcript:
    transcript = Transcript()
    transcript.apply_all(joined(list(events)))
    return transcript


async def read_in_slices(events: Sequence[Event], width: Callable[[], int]) -> tuple[Transcript, list[int]]:
    """The whole, with guesses at the heights of its blocks for the width that the view has in the end."""
    transcript = Transcript()
    pending = list(joined(list(events)))
    until = time.monotonic() + _SLICE_S
    for start in range(0, len(pending), _AT_ONCE):
        transcript.apply_all(pending[start : start + _AT_ONCE])
        if time.monotonic() > until:
            await asyncio.sleep(0)
            until = time.monotonic() + _SLICE_S
    at = width()
    heights: list[int] = []
    for index in range(len(transcript.blocks)):
        block, before = transcript.blocks[index], transcript.blocks[index - 1] if index else None
        heights.append(gap(before, block) + estimate(block, at))
        if index % 64 == 0 and time.monotonic() > until:
            await asyncio.sleep(0)
            until = time.monotonic() + _SLICE_S
    return transcript, heights
