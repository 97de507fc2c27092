"""What words rest on ↔ the `annotations` of an output text, whose places are counted within it."""

from collections.abc import Mapping

from callgate.core.messages import Citation, Json
from callgate.wire.openai_responses.lenient import text_at
from callgate.wire.openai_responses.marks import WIRE

_URL = "url_citation"


def read_annotations(given: Json) -> tuple[Citation, ...]:
    """Files and paths in a provider's own store are documents without an address."""
    return (
        tuple(read_annotation(entry) for entry in given if isinstance(entry, dict)) if isinstance(given, list) else ()
    )


def read_annotation(entry: Mapping[str, Json]) -> Citation:
    start, end = _place(entry.get("start_index")), _place(entry.get("end_index"))
    placed = start is not None and end is not None and start <= end
    return Citation(
        text_at(entry, "url") if text_at(entry, "type") == _URL else "",
        text_at(entry, "title") or text_at(entry, "filename"),
        start=start if placed else None,
        end=end if placed else None,
        wire=WIRE,
        spelled=dict(entry),
    )


def write_annotation(citation: Citation, length: int) -> dict[str, Json] | None:
    """`length` of the text that it belongs to; None where the wire has no word for it."""
    spelled = citation.spelled if citation.wire == WIRE else None
    own: dict[str, Json] = dict(spelled) if isinstance(spelled, dict) else {}
    placed = citation.start is not None and citation.end is not None
    place: dict[str, Json] = {
        "start_index": citation.start if placed else 0,
        "end_index": citation.end if placed else length,
    }
    if citation.url:
        return {**own, "type": _URL, **place, "title": citation.title, "url": citation.url}
    return {**own, **(place if placed else {})} if own else None


def _place(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
