"""What a field says while it is empty. Pure."""

from typing import Final

from callgate.core.messages import Json
from callgate.core.schema.form_plan import About
from callgate.core.schema.form_value import present, spelled
from callgate.ui.text.hidden_characters import reveal

_LONGEST: Final = 60
_FORMATS: Final = {
    "date-time": "2026-01-31T09:30:00Z",
    "date": "2026-01-31",
    "time": "09:30:00Z",
    "duration": "PT1H30M",
    "email": "name@example.com",
    "uri": "https://example.com/",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "hostname": "example.com",
}


def absent_words(about: About, format_: str = "") -> str:
    """What holds where nothing is given: the default, else an example, else nothing."""
    if present(about.default):
        return f"default: {short(about.default)}"
    if about.examples:
        return f"for example {short(about.examples[0])}"
    if format_ in _FORMATS:
        return f"for example {_FORMATS[format_]}"
    return "not set"


def short(value: Json) -> str:
    """A value in a few words; strings without quotes."""
    text = reveal(value if isinstance(value, str) and value else spelled(value)).replace("\n", " ⏎ ")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
