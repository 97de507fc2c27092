"""Between the journal and its tables: no secret is stored, whatever stream it came in and however it was cut.

Whole values are cleaned at once. Pieces of a text wait until the words in them can't grow any more; bytes of an answer
wait until its round or exchange has ended, as only then it is known what was spread over them. What waits can be read
as it is, and is stored with the first event that ends it. Used on the writer thread only.
"""

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from callgate.core.deltas import ArgumentsDelta, ReasoningDelta, RefusalDelta, TextDelta
from callgate.core.events import (
    DeltaArrived,
    Event,
    ExchangeEnded,
    FrameCaptured,
    InvocationChanged,
    RoundEnded,
    ToolOutput,
    WireCaptured,
    conversation_of,
)
from callgate.core.secrets.finding import find_secrets
from callgate.core.secrets.fingerprint import fingerprint, fingerprinted
from callgate.core.secrets.streams import cut, replace_spread
from callgate.core.text.sse_capture import looks_like_lines, looks_like_stream
from callgate.store.event_json import read_event, write_event

WORDS_HELD: Final = 4
"""At the end of a text: `authorization : Bearer key` may still become a secret."""
MOST_HELD: Final = 8192
"""Characters of a text without words, such as a file in base64."""
MOST_OF_LEG: Final = 8_000_000
"""Bytes of an answer; of a longer one, what came first is stored before its end."""
OVERLAP: Final = 65_536
REMEMBERED: Final = 500
"""Exchanges that have ended and whose last bytes may still come."""
_PRIVATE_KEY: Final = b"-----BEGIN"
_ANSWERS: Final = ("upstream_response", "client_response")


@dataclass(slots=True)
class _Text:
    pieces: list[DeltaArrived | ToolOutput] = field(default_factory=list[DeltaArrived | ToolOutput])
    data: bytes = b""


@dataclass(slots=True)
class _Exchange:
    """What is known of one exchange while its bytes may still come."""

    legs: dict[tuple[int, str], list[WireCaptured]] = field(default_factory=dict[tuple[int, str], list[WireCaptured]])
    spread: list[bytes] = field(default_factory=list[bytes])
    """Secrets that were cut by the border between two pieces."""
    stored: bytes = b""
    """The end of what the client got, as it was, once that is stored."""
    over: bool = False


class SecretFilter:
    def __init__(self, keeps_secrets: bool = False) -> None:
        """`keeps_secrets`: everything is stored as it came."""
        self._idle = keeps_secrets
        self._texts: dict[str, dict[Hashable, _Text]] = {}
        """By exchange, or by invocation for what a tool says."""
        self._exchanges: OrderedDict[str, _Exchange] = OrderedDict()
        self._request: tuple[bytes, bytes] = (b"", b"")
        """The last request as it was and as it is stored: mostly what goes upstream is the same."""
        self._told: list[str] = []

    def take(self, event: Event) -> list[Event]:
        """What is to be stored now, in order."""
        if self._idle:
            return [event]
        match event:
            case DeltaArrived(delta=TextDelta() | RefusalDelta() | ArgumentsDelta() | ReasoningDelta()):
                return self._piece(event.exchange_id, _place(event), event)
            case ToolOutput() if event.text:
                return self._piece(event.invocation_id, "output", event)
            case DeltaArrived():
                return [*self._end_texts(event.exchange_id, event.round), cleaned(event)]
            case WireCaptured():
                return self._bytes(event)
            case RoundEnded():
                texts = self._end_texts(event.exchange_id, event.round)
                return [*texts, *self._end_legs(event.exchange_id, event.round), cleaned(event)]
            case ExchangeEnded():
                texts = self._end_texts(event.exchange_id)
                legs = [*self._end_legs(event.exchange_id)]
                self._known(event.exchange_id).over = True
                return [*texts, *legs, cleaned(event)]
            case InvocationChanged() if not event.invocation.is_live:
                return [*self._end_texts(event.invocation.id), cleaned(event)]
            case FrameCaptured():
                data = event.text.encode("utf-8", "surrogatepass")
                clean = fingerprinted(data)
                return [event if clean is data else replace(event, text=clean.decode("utf-8", "surrogatepass"))]
            case _:
                return [cleaned(event)]

    def held(self, conversation_id: str) -> list[Event]:
        """Pieces of texts that are not stored yet, as they came."""
        return [
            piece
            for texts in self._texts.values()
            for text in texts.values()
            for piece in text.pieces
            if conversation_of(piece) == conversation_id
        ]

    def held_bytes(self, exchange_id: str) -> list[WireCaptured]:
        """Bytes of answers that are not stored yet, as they came."""
        known = self._exchanges.get(exchange_id)
        return [piece for leg in known.legs.values() for piece in leg] if known is not None else []

    def spread_outputs(self) -> list[str]:
        """Calls whose tool spread a secret over several messages since this was last asked."""
        told, self._told = self._told, []
        return told

    def end(self) -> list[Event]:
        """Everything that waits; nothing comes any more."""
        texts = [event for owner in tuple(self._texts) for event in self._end_texts(owner)]
        return [*texts, *(event for exchange_id in tuple(self._exchanges) for event in self._end_legs(exchange_id))]

    def forget(self, conversation_id: str) -> None:
        for owner, texts in tuple(self._texts.items()):
            if any(conversation_of(piece) == conversation_id for text in texts.values() for piece in text.pieces):
                del self._texts[owner]
        for exchange_id, known in tuple(self._exchanges.items()):
            if any(piece.conversation_id == conversation_id for leg in known.legs.values() for piece in leg):
                del self._exchanges[exchange_id]

    # ---- texts -----------------------------------------------------------------------------------------------------

    def _piece(self, owner: str, place: Hashable, event: DeltaArrived | ToolOutput) -> list[Event]:
        text = self._texts.setdefault(owner, {}).setdefault(place, _Text())
        text.pieces.append(event)
        text.data += _said(event).encode("utf-8", "surrogatepass")
        end = _settled(text.data)
        return self._release(owner, text, end) if end else []

    def _end_texts(self, owner: str, number: int | None = None) -> list[Event]:
        texts = self._texts.get(owner, {})
        ended: list[Event] = []
        for place, text in tuple(texts.items()):
            if number is None or (isinstance(place, tuple) and place[0] == number):
                ended += self._release(owner, text, len(text.data))
                del texts[place]
        if not texts:
            self._texts.pop(owner, None)
        return ended

    def _release(self, owner: str, text: _Text, end: int) -> list[Event]:
        """The pieces that end there at the latest, without their secrets."""
        found = find_secrets(text.data)
        if end < len(text.data):
            for one in reversed(found):
                if one.end >= end:  # what gives it away stays with it
                    end = min(end, one.told_from)
        released: list[Event] = []
        start = 0
        for piece in text.pieces:
            data = _said(piece).encode("utf-8", "surrogatepass")
            stop = start + len(data)
            if stop > end:
                break
            within = [one for one in found if one.start < stop and one.end > start]
            clean = cut(data, start, within, text.data, fingerprint)
            released.append(_saying(piece, clean.decode("utf-8", "surrogatepass")) if clean != data else piece)
            if any(one.start < start or one.end > stop for one in within):
                if isinstance(piece, DeltaArrived):
                    self._known(owner).spread += [text.data[one.start : one.end] for one in within]
                elif owner not in self._told:
                    self._told.append(owner)
            start = stop
        text.pieces, text.data = text.pieces[len(released) :], text.data[start:]
        return released

    # ---- bytes -----------------------------------------------------------------------------------------------------

    def _bytes(self, event: WireCaptured) -> list[Event]:
        if event.leg not in _ANSWERS:
            if event.data != self._request[0]:
                self._request = (event.data, fingerprinted(event.data))
            return [replace(event, data=self._request[1])]
        known = self._known(event.exchange_id)
        leg = known.legs.setdefault((event.round, event.leg), [])
        leg.append(event)
        if known.over or sum(len(piece.data) for piece in leg) > MOST_OF_LEG:
            return list(self._end_leg(known, (event.round, event.leg)))
        return []

    def _end_legs(self, exchange_id: str, number: int | None = None) -> Iterator[Event]:
        known = self._known(exchange_id)
        for place in [place for place in known.legs if number is None or place == (number, _ANSWERS[0])]:
            yield from self._end_leg(known, place)

    def _end_leg(self, known: _Exchange, place: tuple[int, str]) -> Iterator[Event]:
        pieces = known.legs.pop(place)
        before = known.stored if place[1] == "client_response" else b""
        whole = b"".join(piece.data for piece in pieces)
        if place[1] == "client_response" and known.spread:
            known.stored = (before + whole)[-OVERLAP:]
        clean = fingerprinted(whole)
        if known.spread and (looks_like_stream(before or whole) or looks_like_lines(before + whole)):
            clean = replace_spread(whole, fingerprint, known.spread, before)
        if clean == whole:
            yield from pieces
        else:
            yield replace(pieces[0], data=clean)

    def _known(self, exchange_id: str) -> _Exchange:
        known = self._exchanges.setdefault(exchange_id, _Exchange())
        self._exchanges.move_to_end(exchange_id)
        if len(self._exchanges) > REMEMBERED:
            oldest = next((name for name, one in self._exchanges.items() if one.over), None)
            if oldest is not None:
                del self._exchanges[oldest]
        return known


def cleaned(event: Event) -> Event:
    """A whole value without its secrets; the same object where it has none."""
    data = write_event(event).encode("utf-8")
    clean = fingerprinted(data)
    return event if clean is data else read_event(clean.decode("utf-8"))


def _settled(data: bytes) -> int:
    """How much of a text can't be part of a secret that is still growing."""
    if len(data) > 2 * MOST_HELD:
        return len(data) - MOST_HELD
    key = data.rfind(_PRIVATE_KEY)
    if key >= 0 and data.find(b"-----END", key) < 0:
        return key
    words = data.rsplit(None, WORDS_HELD)
    return len(words[0]) if len(words) > WORDS_HELD else 0


def _place(event: DeltaArrived) -> Hashable:
    delta = event.delta
    assert isinstance(delta, TextDelta | RefusalDelta | ArgumentsDelta | ReasoningDelta)
    return event.round, delta.choice, delta.part, delta.kind


def _said(event: DeltaArrived | ToolOutput) -> str:
    if isinstance(event, ToolOutput):
        return event.text
    assert isinstance(event.delta, TextDelta | RefusalDelta | ArgumentsDelta | ReasoningDelta)
    return event.delta.text


def _saying(event: DeltaArrived | ToolOutput, text: str) -> Event:
    if isinstance(event, ToolOutput):
        return replace(event, text=text)
    assert isinstance(event.delta, TextDelta | RefusalDelta | ArgumentsDelta | ReasoningDelta)
    return replace(event, delta=replace(event.delta, text=text))
