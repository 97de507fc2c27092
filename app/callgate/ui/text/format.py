"""Numbers as people say them: 12.4k, 0.6 s, 4 KB, 10:42. Pure."""

import math
import time

_MINUTE = 60.0
_HOUR = 3600.0
_DAY = 86400.0


def count(number: int) -> str:
    """Tokens and the like: 310, 12.4k, 1.2M."""
    if number < 1000:
        return str(number)
    if number < 999_950:
        return f"{number / 1000:.1f}k"
    return f"{number / 1_000_000:.1f}M"


def about(words: str, estimated: bool) -> str:
    """A figure that nobody has counted is marked as such."""
    return f"≈{words}" if estimated and words else words


def seconds(span: float) -> str:
    """A stretch of time: 40 ms, 0.6 s, 1 min 5 s."""
    if span < 0.1:
        return f"{max(0, round(span * 1000))} ms"
    if span < _MINUTE:
        return f"{span:.1f} s"
    minutes, rest = divmod(int(span), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def stopwatch(span: float) -> str:
    """A running clock: 0:12, 3:05."""
    whole = max(0, math.floor(span))
    return f"{whole // 60}:{whole % 60:02d}"


def size(number: int) -> str:
    """Bytes: 812 B, 4 KB, 1.3 MB."""
    if number < 1024:
        return f"{number} B"
    if number < 1024 * 1024:
        return f"{number / 1024:.0f} KB"
    return f"{number / (1024 * 1024):.1f} MB"


def clock(at: float) -> str:
    return time.strftime("%H:%M", time.localtime(at))


def moment(at: float) -> str:
    """The exact time, for whoever hovers."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))


def ago(at: float, now: float) -> str:
    span = now - at
    if span < _MINUTE:
        return "now"
    if span < _HOUR:
        return f"{int(span // _MINUTE)} min ago"
    if span < _DAY:
        return f"{int(span // _HOUR)} h ago"
    if span < 7 * _DAY:
        days = int(span // _DAY)
        return "yesterday" if days == 1 else f"{days} days ago"
    return time.strftime("%Y-%m-%d", time.localtime(at))


def clock_seconds(at: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at))


def time_or_day(at: float, now: float) -> str:
    """To the second today; of another day, the day and the minute."""
    then, today = time.localtime(at), time.localtime(now)
    if then[:3] == today[:3]:
        return time.strftime("%H:%M:%S", then)
    return time.strftime("%d %b %H:%M" if then.tm_year == today.tm_year else "%Y-%m-%d", then).lstrip("0")


def dollars(amount: float) -> str:
    """Money of any size in few digits: $0, <$0.001, $0.038, $1.24."""
    if amount <= 0:
        return "$0"
    if amount < 0.0005:
        return "<$0.001"
    return f"${amount:.3f}" if amount < 1 else f"${amount:,.2f}"


def rate(per_second: float) -> str:
    """Tokens in a second: 8.4, 62, 8,058, 77k."""
    if per_second >= 10_000:
        return f"{per_second / 1000:,.0f}k"
    return f"{per_second:.1f}" if per_second < 10 else f"{per_second:,.0f}"
