"""A captured body as something to look into: JSON, a stream of events, or plain bytes. Pure; may run on any thread."""

import json
from dataclasses import dataclass
from json.scanner import py_make_scanner  # pyright: ignore[reportAttributeAccessIssue]  # typeshed leaves it out
from typing import Final

import orjson

from callgate.core.messages import Json
from callgate.core.text.sse_capture import SseEvent, stream_events
from callgate.ui.traffic.inspector.captured import Capture

STRUCTURED: Final = 16_000_000
"""Bytes up to which a body is read as JSON; beyond, the tree would take more memory than it is worth."""
QUICK: Final = 500_000
"""Bytes that the quick reader may have: it lets no other thread run until it is done, and this much takes some 3 ms."""


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
    events = stream_events(capture.pieces)
    if events:
        return Body(data, True, [event_value(event) for event in events], events)
    if len(data) > STRUCTURED:
        return Body(data, problem="It is too large to be taken apart here; the raw bytes are all there.")
    try:
        return Body(data, True, orjson.loads(data) if len(data) <= QUICK else _PatientReader().decode(data.decode()))
    except ValueError as broken:
        return Body(data, problem=f"It is no JSON: {broken}.")
    except RecursionError:
        return Body(data, problem="It is nested too deeply to be taken apart.")


class _PatientReader(json.JSONDecoder):
    """Reads JSON in Python itself: ten times slower than in C, but the window gets its turn all the while."""

    def __init__(self) -> None:
        super().__init__(parse_constant=_refuse)
        self.scan_once = py_make_scanner(self)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def event_value(event: SseEvent) -> Json:
    """What an event carries: JSON where it is some, else its words."""
    if not event.data:
        return {"event": event.event} if event.event else f": {event.comment}"
    try:
        return orjson.loads(event.data)
    except orjson.JSONDecodeError:
        return event.data
