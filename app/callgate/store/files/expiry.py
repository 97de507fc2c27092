"""When a rule ends: ISO 8601 in files, epoch seconds in rules."""

from datetime import datetime

EXPECTED = 'a time such as "2030-01-31T18:00:00+01:00" (ISO 8601), or "" for never'


def read_expiry(text: str) -> float | None:
    """Epoch seconds; None = never. Without an offset it is the person's own time. Raises ValueError."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError) as error:  # a far-off year is an OverflowError or OSError by platform
        raise ValueError(f"expected {EXPECTED}, got {text!r}") from error


def write_expiry(moment: float) -> str:
    """To the microsecond, with the offset, so that it reads back as the same moment anywhere."""
    return datetime.fromtimestamp(moment).astimezone().isoformat()
