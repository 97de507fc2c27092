"""A bound for log lines that repeat: an error in a loop must not fill a disk, nor hide every other line."""

import contextlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

PER_MINUTE = 20
"""Lines of one message, its values aside."""
_MOST_MESSAGES = 500
"""Kinds of message that are counted; a program that makes up more has each of them bounded together."""
_OTHERS = "others"


@dataclass(slots=True)
class _Seen:
    since: float
    passed: int = 0
    dropped: int = 0


class BoundedHandler(logging.StreamHandler):  # type: ignore[type-arg]
    """Drops what repeats too often, and says how often: with the first line after its minute, or at the end."""

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        per_minute: int = PER_MINUTE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(stream)
        self._per_minute = per_minute
        self._clock = clock
        self._seen: dict[str, _Seen] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Called with the handler's lock."""
        now = self._clock()
        try:
            for line in self._overdue(now):
                self.stream.write(f"{line}\n")
        except (OSError, ValueError):  # as the base class does where its stream is gone
            self.handleError(record)
        seen = self._seen_of(record, now)
        if seen.passed < self._per_minute:
            seen.passed += 1
            super().emit(record)
        else:
            seen.dropped += 1

    def close(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # the stream is gone, and nothing can be said any more
            for kind, seen in self._seen.items():
                if seen.dropped:
                    self.stream.write(f"{_words(kind, seen)}\n")
        self._seen.clear()
        super().close()

    def _overdue(self, now: float) -> list[str]:
        """In words, what was dropped of the messages whose minute is over; they begin anew."""
        over = [(kind, seen) for kind, seen in self._seen.items() if now - seen.since >= 60]
        for kind, _ in over:
            del self._seen[kind]
        return [_words(kind, seen) for kind, seen in over if seen.dropped]

    def _seen_of(self, record: logging.LogRecord, now: float) -> _Seen:
        kind = f"{record.name}: {str(record.msg).partition(chr(10))[0][:120]}"
        if kind not in self._seen and len(self._seen) >= _MOST_MESSAGES:
            kind = _OTHERS
        return self._seen.setdefault(kind, _Seen(now))


def _words(kind: str, seen: _Seen) -> str:
    often = "once" if seen.dropped == 1 else f"{seen.dropped:,} times"
    return f"… repeated {often} more: {kind}"
