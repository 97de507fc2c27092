"""Times as people say them. Pure."""

import time

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0


def ago(at: float, now: float) -> str:
    """How long something is past: `now`, `5 min ago`, `yesterday`."""
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


def left(seconds: float) -> str:
    """A countdown: `14:32`, `1:02:03`."""
    whole = max(0, int(seconds))
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
