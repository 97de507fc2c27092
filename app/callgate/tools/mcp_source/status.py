"""How a source's server is doing, and how long to wait before it is started again."""

from dataclasses import dataclass
from typing import Literal

State = Literal["stopped", "starting", "ready", "failed", "restarting"]

FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 30.0
"""A server that comes back is noticed within half a minute."""
STEADY_SECONDS = 30.0
"""Up for that long, and an end is an accident rather than the next of a row."""
MOST_TRIES = 5
"""Five starts in a row that fail are no accident any more."""


@dataclass(frozen=True, slots=True)
class Status:
    state: State
    reason: str = ""
    """In words: why it failed or is being started again."""
    retry_at: float | None = None
    """Epoch seconds of the next try; None = none is planned."""


class Backoff:
    """Counts failures in a row and doubles the wait with each."""

    def __init__(self) -> None:
        self.failures = 0

    def failed(self, seconds_up: float) -> float:
        """How long to wait after a connection that ended."""
        if seconds_up >= STEADY_SECONDS:
            self.failures = 0
        self.failures += 1
        return min(FIRST_DELAY_SECONDS * 2 ** (self.failures - 1), LONGEST_DELAY_SECONDS)

    def reset(self) -> None:
        self.failures = 0

    @property
    def exhausted(self) -> bool:
        return self.failures >= MOST_TRIES
