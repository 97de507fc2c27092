"""A captured body as something to look into: JSON, a stream of events, or plain bytes. Pure; may run on any thread."""

from dataclasses import dataclass
from typing import Final

import orjson

from callgate.core.messages import Json
from callgate.core.sse_events import SseEvent, looks_like_sse, sse_events
from callgate.ui.traffic.captured import Capture

STRUCTURED: Final = 8_000_000
"""Bytes up to which a body is read as JSON: reading holds up everything else, and this much takes some 40 ms."""


@dataclass(frozen=True, slots=True)
class Body:
    data: bytes = b""
    is_structured: bool = False
    value: Json = None
    events: tuple[SseEvent, ...] = ()
    problem: str = ""
    """Why it has no structure."""

    @property
    def is_stream(self) -> bool:
        return bool(self.events)


def read_body(capture: Capture) -> Body:
    data = capture.data
    if not data.strip():
        return Body(data, problem="It is empty.")
    events = sse_events(capture.pieces) if looks_like_sse(data) else ()
    if events:
        return Body(data, True, [event_value(event) for event in events], events)
    if len(data) > STRUCTURED:
        return Body(data, problem="It is too large to be taken apart here; the raw bytes are all there.")
    try:
        return Body(data, True, orjson.loads(data))
    except orjson.JSONDecodeError as broken:
        return Body(data, problem=f"It is no JSON: {broken}.")


def event_value(event: SseEvent) -> Json:
    """What an event carries: JSON where it is some, else its words."""
    if not event.data:
        return {"event": event.event} if event.event else f": {event.comment}"
    try:
        return orjson.loads(event.data)
    except orjson.JSONDecodeError:
        return event.data
