"""What the words of a message rest on ↔ `annotations`, whose places are counted over the whole content."""

from collections.abc import Mapping

from callgate.core.messages import Citation, Json, Text
from callgate.wire.openai_chat.content import WIRE
from callgate.wire.unknown_fields import Beside, unread

_URL = "url_citation"
_KNOWN = frozenset(("type", _URL))
_KNOWN_OF_PAGE = frozenset(("start_index", "end_index", "title", "url", "content"))


def read_annotations(given: Json) -> list[Citation]:
    """With places in the whole content; an entry of another kind than a page has nothing but its own spelling."""
    return [_read(entry) for entry in given if isinstance(entry, dict)] if isinstance(given, list) else []


def unread_annotations(given: Json, path: str) -> list[Beside]:
    """What an annotation says beside what is read of it; one that is no page is not read at all."""
    found: list[Beside] = []
    for entry in given if isinstance(given, list) else ():
        if isinstance(entry, dict) and isinstance(page := entry.get(_URL), dict):
            found += [*unread(entry, _KNOWN, path), *unread(page, _KNOWN_OF_PAGE, f"{path}{_URL}.")]
    return found


def write_annotation(citation: Citation, begin: int, length: int) -> dict[str, Json] | None:
    """Of a part that begins there and is so long; None where the wire has no word for it."""
    start = 0 if citation.start is None else citation.start
    end = length if citation.end is None else citation.end
    spelled = citation.spelled if citation.wire == WIRE else None
    own: Mapping[str, Json] = spelled if isinstance(spelled, dict) else {}
    if not citation.url:
        return dict(own) or None
    within = own.get(_URL)
    page: dict[str, Json] = {
        **(within if isinstance(within, dict) else {}),
        "start_index": begin + start,
        "end_index": begin + end,
        "title": citation.title,
        "url": citation.url,
    }
    return {**own, "type": _URL, _URL: page}


def annotations_of(parts: tuple[Text, ...]) -> list[Json]:
    """Of a whole message, whose content is the text of these parts."""
    written: list[Json] = []
    begin = 0
    for part in parts:
        for citation in part.citations:
            annotation = write_annotation(citation, begin, len(part.text))
            written += [] if annotation is None else [annotation]
        begin += len(part.text)
    return written


def _read(entry: dict[str, Json]) -> Citation:
    page = entry.get(_URL)
    if entry.get("type") != _URL or not isinstance(page, dict):
        return Citation(wire=WIRE, spelled=entry)
    start, end = _place(page.get("start_index")), _place(page.get("end_index"))
    placed = start is not None and end is not None and start <= end
    return Citation(
        _text(page.get("url")),
        _text(page.get("title")),
        _text(page.get("content")),  # OpenRouter's
        start if placed else None,
        end if placed else None,
        WIRE,
        entry,
    )


def _place(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
