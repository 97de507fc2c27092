"""When a provider says to try again: read from its headers and words, spelled for clients. The same in all wires."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from callgate.core.messages import Json


def hinted_seconds(headers: Mapping[str, str]) -> float | None:
    """What `retry-after-ms` or `retry-after` says, in seconds from now; None = nothing that makes sense."""
    given = {name.lower(): value.strip() for name, value in headers.items()}
    milliseconds = seconds_in(given.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    after = given.get("retry-after", "")
    seconds = seconds_in(after)
    return _until(after) if seconds is None else seconds


def seconds_in(text: str) -> float | None:
    """A span of time such as `1.5` or `34s`; None = this is none."""
    try:
        number = float(text.removesuffix("s"))
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def delay_in(details: Json) -> float | None:
    """What Google's `RetryInfo` says, which its gateways also put into errors of other wires."""
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, dict) and isinstance(delay := detail.get("retryDelay"), str):
            return seconds_in(delay)
    return None


def whole_seconds(seconds: float) -> str:
    """As the header `retry-after` has it: no client should come back too early."""
    return str(math.ceil(seconds))


def _until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
