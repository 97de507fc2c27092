"""Events and their parts as JSON text, there and back. Knows no tables."""

import orjson
from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from callgate.core.conversation import ConversationSummary
from callgate.core.events import Event
from callgate.core.messages import Message

_EVENT: TypeAdapter[Event] = TypeAdapter(Event)
_SUMMARY = TypeAdapter(ConversationSummary)
_MESSAGES: TypeAdapter[tuple[Message, ...]] = TypeAdapter(tuple[Message, ...])

UnreadableEvent = ValidationError
"""What reading raises for text that is no event (any more)."""


def write_event(event: Event) -> str:
    return _write(_EVENT, event)


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
