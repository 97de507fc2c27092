"""OpenRouter's `reasoning_details`: a list of entries (text, summary, encrypted data) that streams in pieces."""

from callgate.core.json.text import parse
from callgate.core.messages import Json

Details = list[dict[str, Json]]

_GROWING = ("text", "summary", "data", "signature")
"""The texts of an entry that come in pieces."""


def read_details(value: Json) -> Details:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def proven_details(signature: str) -> Details:
    """The entries that a `Reasoning` of this wire carries as its signature; none if it is not ours after all."""
    try:
        return read_details(parse(signature))
    except ValueError:
        return []


def merge(details: Details, entry: dict[str, Json]) -> None:
    """Adds a piece: texts of the entry in the making grow, the rest is replaced."""
    last = details[-1] if details else None
    if last is None or not _same(last, entry):
        details.append(dict(entry))
        return
    for key, value in entry.items():
        before = last.get(key)
        if key in _GROWING and isinstance(before, str) and isinstance(value, str):
            last[key] = before + value
        elif value is not None:
            last[key] = value


def missing(whole: Details, sent: Details) -> Details:
    """What must still be sent so that a client that has `sent` gets the whole; every entry has an index, by which
    clients put lists together."""
    pieces: Details = []
    for place, entry in enumerate(whole):
        before = next((known for known in sent if _same(known, entry)), dict[str, Json]())
        rest = {key: _rest(key, value, before.get(key)) for key, value in entry.items() if value != before.get(key)}
        if rest:
            pieces.append({"type": entry.get("type"), **rest, "index": entry.get("index", place)})
    return pieces


def _same(one: dict[str, Json], other: dict[str, Json]) -> bool:
    return one.get("type") == other.get("type") and one.get("index") == other.get("index")


def _rest(key: str, value: Json, before: Json) -> Json:
    if key in _GROWING and isinstance(value, str) and isinstance(before, str) and value.startswith(before):
        return value[len(before) :]
    return value
