"""What words rest on ↔ the `citations` of a text block. Here a block as a whole rests on something: a text of which
only a part does is several blocks.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from callgate.core.messages import Citation, Json, Text
from callgate.wire.anthropic_messages.blocks import NOT_PROVEN, WIRE
from callgate.wire.unknown_fields import Beside, unread

_WEB = "web_search_result_location"
_KNOWN = frozenset(("type", "cited_text", "title", "document_title", "url", "source", "encrypted_index"))
"""`encrypted_index` proves a search to the provider that made it, and means nothing to anybody else."""


def read_citations(given: Json, length: int) -> tuple[Citation, ...]:
    """Of a block whose text is so long."""
    return tuple(_read(entry, length) for entry in given if isinstance(entry, dict)) if isinstance(given, list) else ()


def unread_citation(entry: Json) -> list[Beside]:
    return unread(entry, _KNOWN, "content.text.citations.") if isinstance(entry, dict) else []


def write_citation(citation: Citation) -> dict[str, Json] | None:
    """None where the wire has no word for it: documents are numbered as the request had them, and it had none."""
    if citation.wire == WIRE and isinstance(citation.spelled, dict):
        return dict(citation.spelled)
    if not citation.url:
        return None
    return {
        "type": _WEB,
        "cited_text": citation.quote,
        "encrypted_index": NOT_PROVEN,
        "title": citation.title or None,
        "url": citation.url,
    }


def cited_blocks(part: Text) -> list[dict[str, Json]]:
    """A text as blocks, each of which rests on its citations as a whole."""
    blocks: list[dict[str, Json]] = []
    for text, citations in _pieces(part.text, part.citations):
        written = [spelled for citation in citations if (spelled := write_citation(citation)) is not None]
        block: dict[str, Json] = {"type": "text", "text": text}
        blocks.append({**block, "citations": list[Json](written)} if written else block)
    return blocks


def _pieces(text: str, citations: Sequence[Citation]) -> list[tuple[str, list[Citation]]]:
    """Cut wherever a citation begins or ends."""
    spans = [_span(citation, len(text)) for citation in citations]
    cuts = sorted({0, len(text), *(cut for span in spans for cut in span)})
    pieces: list[tuple[str, list[Citation]]] = []
    for begin, end in pairwise(cuts):
        held = [
            citation for citation, span in zip(citations, spans, strict=True) if span[0] <= begin and end <= span[1]
        ]
        said = text[begin:end]
        if pieces and not (said.strip() and pieces[-1][0].strip()):
            before, earlier = pieces.pop()  # a block of white space is refused when it comes back
            said, held = before + said, [*earlier, *(citation for citation in held if citation not in earlier)]
        pieces.append((said, held))
    return pieces


def _span(citation: Citation, length: int) -> tuple[int, int]:
    if citation.start is None or citation.end is None or not 0 <= citation.start < citation.end <= length:
        return 0, length
    return citation.start, citation.end


def _read(entry: Mapping[str, Json], length: int) -> Citation:
    source = _text(entry, "source")
    return Citation(
        _text(entry, "url") or (source if source.startswith(("https://", "http://")) else ""),
        _text(entry, "title") or _text(entry, "document_title") or source,
        _text(entry, "cited_text"),
        0,
        length,
        WIRE,
        dict(entry),
    )


def _text(entry: Mapping[str, Json], key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""
