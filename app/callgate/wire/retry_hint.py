"""When a provider may be asked again: what it says of that in headers, and how seconds are spelled."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds; None where nothing is said, or nothing that anybody could wait for."""
    given = {name.lower(): value for name, value in headers.items()}
    milliseconds = seconds(given.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    said = given.get("retry-after", "")
    told = seconds(said)
    return _until(said) if told is None and said else told


def seconds(text: str) -> float | None:
    """A number of seconds; None for what is no number, and for numbers that are no time to come (`nan`, `-1`)."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def spelled(waiting: float) -> str:
    """Without an exponent, which no client reads."""
    return f"{waiting:.3f}".rstrip("0").rstrip(".")


def _until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
