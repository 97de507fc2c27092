"""Events and their parts as JSON text, there and back. Knows no tables."""

from dataclasses import replace

import orjson
from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from callgate.core.conversation import ConversationSummary
from callgate.core.events import Event, ExchangeStarted
from callgate.core.messages import Message
from callgate.core.tool import HostedTool, ToolSpec

_EVENT: TypeAdapter[Event] = TypeAdapter(Event)
_SUMMARY = TypeAdapter(ConversationSummary)
_MESSAGES: TypeAdapter[tuple[Message, ...]] = TypeAdapter(tuple[Message, ...])

_TOOLS: TypeAdapter[tuple[ToolSpec | HostedTool, ...]] = TypeAdapter(tuple[ToolSpec | HostedTool, ...])

SLICE = 500
"""Messages or tools that are written in one go."""

UnreadableEvent = ValidationError
"""What reading raises for text that is no event (any more)."""


def write_event(event: Event) -> str:
    if isinstance(event, ExchangeStarted) and len(event.fresh) + len(event.tools) > SLICE:
        short = _write(_EVENT, replace(event, fresh=(), tools=()))
        # within a string of JSON the quotes would be escaped
        return short.replace(
            '"fresh":[],"tools":[]',
            f'"fresh":{_in_slices(_MESSAGES, event.fresh)},"tools":{_in_slices(_TOOLS, event.tools)}',
            1,
        )
    return _write(_EVENT, event)


def _in_slices(adapter: TypeAdapter, values: tuple[object, ...]) -> str:  # type: ignore[type-arg]
    """One call for a hundred thousand messages would hold up every other thread until it is done."""
    slices = (_write(adapter, values[start : start + SLICE])[1:-1] for start in range(0, len(values), SLICE))
    return f"[{','.join(slices)}]"


def read_event(text: str) -> Event:
    return _EVENT.validate_json(text)


def write_summary(summary: ConversationSummary) -> str:
    return _write(_SUMMARY, summary)


def read_summary(text: str) -> ConversationSummary:
    return _SUMMARY.validate_json(text)


def write_messages(messages: tuple[Message, ...]) -> str:
    return _write(_MESSAGES, messages)


def read_messages(text: str) -> tuple[Message, ...]:
    return _MESSAGES.validate_json(text)


def _write(adapter: TypeAdapter, value: object) -> str:  # type: ignore[type-arg]  # of any of the three
    try:
        return adapter.dump_json(value).decode("utf-8")
    except PydanticSerializationError:
        # half a surrogate pair, which a model may write as \ud83d, is no UTF-8: it is kept as U+FFFD
        return orjson.dumps(_speakable(adapter.dump_python(value))).decode("utf-8")


def _speakable(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            return {_speakable(key): _speakable(item) for key, item in value.items()}
        case list() | tuple() | frozenset():
            return [_speakable(item) for item in value]
        case _:
            return value
