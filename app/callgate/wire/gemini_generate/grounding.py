"""What words rest on ↔ `groundingMetadata` and `citationMetadata`, whose places are counted in bytes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from callgate.core.messages import Citation, Json
from callgate.wire.gemini_generate.signatures import WIRE
from callgate.wire.unknown_fields import Beside, unread

_SOURCES = ("web", "retrievedContext", "maps", "image")
_OF_GROUNDING = frozenset(("groundingChunks", "groundingSupports"))
_OF_SUPPORT = frozenset(("segment", "groundingChunkIndices"))
_OF_SEGMENT = frozenset(("startIndex", "endIndex", "partIndex", "text"))
_OF_CHUNK = frozenset(_SOURCES)
_OF_SOURCE = frozenset(("uri", "title", "text", "domain"))
_RANGE = ("startIndex", "endIndex")
_OF_CITATION = frozenset(("startIndex", "endIndex", "uri", "title"))
_OF_CITATIONS = frozenset(("citations", "citationSources"))
_PATH = "candidates.groundingMetadata."


@dataclass(frozen=True, slots=True)
class Segment:
    """Words of an answer, by bytes, as the wire counts."""

    start: int
    end: int
    text: str = ""
    part: int = 0


@dataclass(frozen=True, slots=True)
class Grounded:
    citation: Citation
    segment: Segment | None


def read_grounding(metadata: Json) -> Iterator[Grounded]:
    """One for each place that rests on a source, and one for each source that no place is told of."""
    if not isinstance(metadata, dict):
        return
    chunks = _objects(metadata.get("groundingChunks"))
    told: set[int] = set()
    for support in _objects(metadata.get("groundingSupports")):
        segment = _segment(support.get("segment"))
        indices = support.get("groundingChunkIndices")
        for index in indices if isinstance(indices, list) else ():
            if isinstance(index, int) and 0 <= index < len(chunks):
                told.add(index)
                yield Grounded(_source(chunks[index]), segment)
    yield from (Grounded(_source(chunk), None) for index, chunk in enumerate(chunks) if index not in told)


def read_cited(metadata: Json) -> Iterator[Grounded]:
    """Passages that a model repeats from what it has learned."""
    if not isinstance(metadata, dict):
        return
    for entry in _objects(metadata.get("citations") or metadata.get("citationSources")):
        citation = Citation(_text(entry, "uri"), _text(entry, "title"), wire=WIRE, spelled=entry)
        yield Grounded(citation, _segment(entry))


def unread_grounding(candidate: Mapping[str, Json]) -> list[Beside]:
    found: list[Beside] = []
    if isinstance(cited := candidate.get("citationMetadata"), dict):
        found += unread(cited, _OF_CITATIONS, "candidates.citationMetadata.")
        for entry in _objects(cited.get("citations") or cited.get("citationSources")):
            found += unread(entry, _OF_CITATION, "candidates.citationMetadata.")
    metadata = candidate.get("groundingMetadata")
    if not isinstance(metadata, dict):
        return found
    found += unread(metadata, _OF_GROUNDING, _PATH)
    for support in _objects(metadata.get("groundingSupports")):
        found += unread(support, _OF_SUPPORT, f"{_PATH}groundingSupports.")
        if isinstance(segment := support.get("segment"), dict):
            found += unread(segment, _OF_SEGMENT, f"{_PATH}groundingSupports.segment.")
    for chunk in _objects(metadata.get("groundingChunks")):
        found += unread(chunk, _OF_CHUNK, f"{_PATH}groundingChunks.")
        for name, source in chunk.items():
            if isinstance(source, dict):
                found += unread(source, _OF_SOURCE, f"{_PATH}groundingChunks.{name}.")
    return found


def write_grounding(cited: Iterable[Grounded], *, with_parts: bool) -> dict[str, Json]:
    """The fields of a candidate. `with_parts`: places are within one of its parts, else within all of its text."""
    chunks: list[Json] = []
    supports: list[Json] = []
    citations: list[Json] = []
    for one in cited:
        spelled = _spelled(one.citation)
        place = {} if one.segment is None else _place(one.segment, with_parts)
        if not any(source in spelled for source in _SOURCES):
            citations.append({**spelled, **{key: place[key] for key in _RANGE if key in place}})
            continue
        if spelled not in chunks:
            chunks.append(spelled)
        if place:
            supports.append({"segment": place, "groundingChunkIndices": [chunks.index(spelled)]})
    fields: dict[str, Json] = {}
    if chunks:
        fields["groundingMetadata"] = {"groundingChunks": chunks, "groundingSupports": supports}
    if citations:
        fields["citationMetadata"] = {"citations": citations}
    return fields


def segment_of(citation: Citation, text: str, begin: int = 0, part: int = 0) -> Segment | None:
    """Where it stands in a text that begins at that byte."""
    if citation.start is None or citation.end is None:
        return None
    before, words = text[: citation.start], text[citation.start : citation.end]
    start = begin + len(before.encode("utf-8", "replace"))
    return Segment(start, start + len(words.encode("utf-8", "replace")), words, part)


def located(one: Grounded, texts: list[tuple[int, str]], begins: Mapping[int, int]) -> tuple[int, Citation] | None:
    """The part of the answer that rests on it, and where in it. `begins`: the byte at which each part of the wire
    begins; some servers count from there, some over the whole answer, and the words themselves tell."""
    if not texts:
        return None
    segment = one.segment
    whole = "".join(text for _, text in texts).encode("utf-8", "replace")
    start = None if segment is None else _found(segment, whole, begins.get(segment.part, 0))
    if segment is None or start is None:
        return texts[-1][0], one.citation
    first = len(whole[:start].decode("utf-8", "ignore"))
    last = len(whole[: start + segment.end - segment.start].decode("utf-8", "ignore"))
    at = 0
    for part, text in texts:
        if first < at + len(text) or part == texts[-1][0]:
            return part, replace(one.citation, start=first - at, end=min(last, at + len(text)) - at)
        at += len(text)
    return None


def _found(segment: Segment, whole: bytes, begin: int) -> int | None:
    words = segment.text.encode("utf-8", "replace")
    for base in (begin, 0):
        start, end = base + segment.start, base + segment.end
        if start <= end <= len(whole) and (not words or whole[start:end] == words):
            return start
    found = whole.find(words) if words and len(words) == segment.end - segment.start else -1
    return found if found >= 0 else None


def _source(chunk: dict[str, Json]) -> Citation:
    nothing: dict[str, Json] = {}
    source = next((held for name in _SOURCES if isinstance(held := chunk.get(name), dict)), nothing)
    return Citation(_text(source, "uri"), _text(source, "title"), _text(source, "text"), wire=WIRE, spelled=chunk)


def _spelled(citation: Citation) -> dict[str, Json]:
    if citation.wire == WIRE and isinstance(citation.spelled, dict):
        return dict(citation.spelled)
    if citation.url:
        return {"web": {"uri": citation.url, "title": citation.title}}
    return {"retrievedContext": {"title": citation.title, "text": citation.quote}}


def _place(segment: Segment, with_parts: bool) -> dict[str, Json]:
    place: dict[str, Json] = {"startIndex": segment.start, "endIndex": segment.end}
    if segment.text:
        place["text"] = segment.text
    return {"partIndex": segment.part, **place} if with_parts else place


def _segment(value: Json) -> Segment | None:
    if not isinstance(value, dict) or not isinstance(end := value.get("endIndex"), int):
        return None
    start, part = value.get("startIndex"), value.get("partIndex")
    begin = start if isinstance(start, int) else 0
    if not 0 <= begin <= end:
        return None
    return Segment(begin, end, _text(value, "text"), part if isinstance(part, int) else 0)


def _objects(value: Json) -> list[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text(value: Mapping[str, Json], key: str) -> str:
    held = value.get(key)
    return held if isinstance(held, str) else ""
