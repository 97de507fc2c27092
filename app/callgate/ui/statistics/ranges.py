"""Which stretch of time is looked at, in how many slices, and what they are called. Pure."""

import math
import time
from datetime import datetime, timedelta
from typing import Final, Literal

from callgate.core.catalog.statistics import TimeRange

Span = Literal["hour", "day", "week", "month", "all", "custom"]
SPANS: Final[tuple[tuple[str, Span], ...]] = (
    ("Last hour", "hour"),
    ("Last 24 hours", "day"),
    ("Last 7 days", "week"),
    ("Last 30 days", "month"),
    ("All time", "all"),
    ("From … to …", "custom"),
)
MINUTE: Final = 60.0
HOUR: Final = 3600.0
DAY: Final = 86_400.0
_WIDTHS: Final = (
    *(minutes * MINUTE for minutes in (1, 5, 15)),
    *(hours * HOUR for hours in (1, 3, 6)),
    *(days * DAY for days in (1, 7, 28, 91, 364)),
)
_MOST_SLICES: Final = 32


def time_range(span: Span, now: float, first: float | None = None) -> TimeRange:
    """`first`: when anything happened for the first time; for all time."""
    match span:
        case "hour":
            until = math.ceil(now / MINUTE) * MINUTE
            return TimeRange(until - HOUR, until, 30)
        case "day":
            until = _next_hour(now)
            return TimeRange(until - DAY, until, 24)
        case "week":
            return TimeRange(_midnight(now, -6), _midnight(now, 1), 7)
        case "month":
            return TimeRange(_midnight(now, -29), _midnight(now, 1), 30)
        case "all" | "custom":
            return between(first if first is not None else now - DAY, now)


def between(since: float, until: float) -> TimeRange:
    """Any stretch, in slices of a round length."""
    length = max(MINUTE, until - since)
    width = next((width for width in _WIDTHS if length / width <= _MOST_SLICES), _WIDTHS[-1])
    start = _floor(since, width)
    slices = max(1, math.ceil((max(until, since + MINUTE) - start) / width))
    return TimeRange(start, start + slices * width, slices)


def day_range(first: datetime, last: datetime) -> TimeRange:
    """From one day up to and with another, whichever comes first."""
    first, last = min(first, last), max(first, last)
    since = first.replace(hour=0, minute=0, second=0, microsecond=0)
    until = last.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return between(since.timestamp(), until.timestamp())


def labels(asked: TimeRange) -> tuple[str, ...]:
    """What stands under each slice."""
    spelled = "%H:%M" if asked.width < DAY and asked.until - asked.since <= 2 * DAY else "%d %b"
    if asked.width < DAY and asked.until - asked.since > 2 * DAY:
        spelled = "%d %b %H:%M"
    return tuple(_spelled(asked.start_of(number), spelled) for number in range(asked.slices))


def spans(asked: TimeRange) -> tuple[str, ...]:
    """What each slice is, in full."""
    if asked.width >= 2 * DAY:
        return tuple(
            f"{_spelled(asked.start_of(n), '%d %b %Y')} to {_spelled(asked.start_of(n + 1) - 1, '%d %b %Y')}"
            for n in range(asked.slices)
        )
    if asked.width >= DAY:
        return tuple(_spelled(asked.start_of(number), "%A %d %B %Y") for number in range(asked.slices))
    return tuple(
        f"{_spelled(asked.start_of(n), '%a %d %b, %H:%M')} to {_spelled(asked.start_of(n + 1), '%H:%M')}"
        for n in range(asked.slices)
    )


def _spelled(at: float, how: str) -> str:
    said = time.strftime(how, time.localtime(at))
    return said.lstrip("0") if how.startswith("%d") else said


def _next_hour(now: float) -> float:
    whole = datetime.fromtimestamp(now).replace(minute=0, second=0, microsecond=0)
    return (whole + timedelta(hours=1)).timestamp()


def _midnight(now: float, days: int) -> float:
    """The beginning of a day on the calendar that people have on the wall."""
    today = datetime.fromtimestamp(now).replace(hour=0, minute=0, second=0, microsecond=0)
    return (today + timedelta(days=days)).timestamp()


def _floor(at: float, width: float) -> float:
    if width >= DAY:
        return _midnight(at, 0)
    if width >= HOUR:
        return datetime.fromtimestamp(at).replace(minute=0, second=0, microsecond=0).timestamp()
    return math.floor(at / width) * width
