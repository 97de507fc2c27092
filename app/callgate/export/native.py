"""Callgate's own file: a line about the conversation, then every event of it as a line of JSON. There and back. Pure.

    {"callgate": "conversation", "v": 1, "version": "…", "at": …, "redacted": true, "id": "conv_…", "title": "…", …}
    {"kind": "exchange_started", …}
    {"kind": "wire", …, "data": "base64"}
    {"kind": "frame", …, "text": "{\"jsonrpc\": …"}

A file may hold several conversations, each with its own first line. One with messages of MCP servers (`frame`) is of
version 2, as programs that know only version 1 could not read it.
"""

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, cast

import orjson
from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.errors import UserFault
from callgate.core.events import Event, FrameCaptured, WireCaptured, conversation_of
from callgate.export.format import ExportAbout
from callgate.export.record import ConversationRecord

VERSION: Final = 2
_WITHOUT_FRAMES: Final = 1
MARK: Final = "conversation"
_EVENT: TypeAdapter[Event] = TypeAdapter(Event)


class NativeWriter:
    def __init__(self, about: ExportAbout, *, bodies: bool = True) -> None:
        """`bodies`: False = of messages of MCP servers only what they are, not what they say."""
        self._about, self._bodies = about, bodies

    def begin(self) -> str:
        return ""

    def conversation(self, record: ConversationRecord) -> str:
        summary = record.summary
        head = {
            "callgate": MARK,
            "v": VERSION if record.frames else _WITHOUT_FRAMES,
            "version": self._about.version,
            "at": self._about.at,
            "redacted": self._about.redacted,
            "id": summary.id,
            "title": summary.shown_title,
            "agent": summary.agent,
            "model": summary.model,
            "events": len(record.events) + len(record.wire) + len(record.frames),
        }
        lines = [_dump(head), *(write_line(event) for event in self._in_time(record))]
        return "\n".join(lines) + "\n"

    def end(self) -> str:
        return ""

    def _in_time(self, record: ConversationRecord) -> Iterable[Event]:
        """Events keep their own order; what was captured follows at the end, where who wants none of it can stop."""
        frames = record.frames if self._bodies else (replace(frame, text="") for frame in record.frames)
        return (*record.events, *record.wire, *frames)


def write_line(event: Event) -> str:
    if isinstance(event, WireCaptured):
        return _dump(
            {
                "kind": event.kind,
                "exchange_id": event.exchange_id,
                "conversation_id": event.conversation_id,
                "round": event.round,
                "leg": event.leg,
                "at": event.at,
                "head": [list(line) for line in event.head],
                "data": base64.b64encode(event.data).decode("ascii"),
            }
        )
    try:
        return _EVENT.dump_json(event).decode("utf-8")
    except PydanticSerializationError:
        return _dump(_speakable(_EVENT.dump_python(event)))


def read_line(text: str) -> Event:
    """Raises ValueError where the line is no event."""
    value = _load(text)
    try:
        return _read_wire(value) if value.get("kind") == "wire" else _EVENT.validate_json(text)
    except ValidationError as error:
        raise ValueError(_first_problem(error)) from error


def _read_wire(value: dict[str, Any]) -> Event:
    try:
        data = base64.b64decode(str(value.get("data", "")), validate=True)
    except binascii.Error as error:
        raise ValueError(f"the bytes are no base64 ({error})") from error
    event = _EVENT.validate_python({**value, "data": data, "head": _head(value.get("head", []))})
    assert isinstance(event, WireCaptured)
    return event


@dataclass(frozen=True, slots=True)
class NativeFile:
    records: tuple[ConversationRecord, ...]
    redacted: bool


def read_native(lines: Iterable[str]) -> NativeFile:
    """Every conversation of a file. Raises `UserFault` with the line where it cannot be read."""
    records: list[ConversationRecord] = []
    held: list[Event] = []
    head: dict[str, Any] | None = None
    hidden = False
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            if '"callgate"' in line[:40] and (fresh := _read_head(line)) is not None:
                if head is not None:
                    records.append(_record(head, held))
                head, held = fresh, []
                hidden = hidden or bool(fresh.get("redacted"))
            elif head is None:
                raise ValueError("it does not begin as a conversation of Callgate does")
            else:
                held.append(read_line(line))
        except ValueError as problem:
            raise UserFault(f"Line {number} cannot be read: {problem}.") from problem
    if head is None:
        raise UserFault("The file is empty.")
    records.append(_record(head, held))
    return NativeFile(tuple(records), hidden)


def _record(head: dict[str, Any], held: list[Event]) -> ConversationRecord:
    identifier = str(head.get("id", ""))
    own = [event for event in held if conversation_of(event) == identifier]
    if len(own) != len(held):
        raise UserFault(f"The conversation {identifier} holds events of another one.")
    events = tuple(event for event in own if not isinstance(event, WireCaptured | FrameCaptured))
    summary: ConversationSummary | None = None
    for event in events:
        summary = summarize(summary, event)
    if summary is None:
        raise UserFault(f"The conversation {identifier} is empty.")
    return ConversationRecord(
        summary,
        events,
        tuple(event for event in own if isinstance(event, WireCaptured)),
        tuple(event for event in own if isinstance(event, FrameCaptured)),
    )


def _read_head(line: str) -> dict[str, Any] | None:
    value = _load(line)
    if value.get("callgate") != MARK:
        return None
    version = value.get("v")
    if not isinstance(version, int) or version < 1:
        raise ValueError("its version is missing")
    if version > VERSION:
        raise ValueError(f"it was written by a newer Callgate (version {version}; this program knows up to {VERSION})")
    if not isinstance(value.get("id"), str) or not value["id"]:
        raise ValueError("the id of the conversation is missing")
    return value


def _load(text: str) -> dict[str, Any]:
    try:
        value: object = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"it is no JSON ({error.msg}, column {error.colno})") from error
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    return cast(dict[str, Any], value)


def _head(value: object) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list):
        raise ValueError("head is no list of header lines")
    return tuple(tuple(str(part) for part in line) for line in cast(list[list[object]], value))


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(step) for step in first["loc"])
    return f"{where}: {first['msg']}" if where else first["msg"]


def _dump(value: object) -> str:
    return orjson.dumps(value).decode("utf-8")


def _speakable(value: object) -> object:
    """Half a surrogate pair is no UTF-8: it is kept as U+FFFD."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            items = cast(dict[str, object], value).items()
            return {str(_speakable(key)): _speakable(item) for key, item in items}
        case list() | tuple() | frozenset():
            return [_speakable(item) for item in cast(list[object], value)]
        case _:
            return value
