"""The wire's strictest rule: every `tool_use` is answered in the next turn, and nothing else is.

Consecutive messages of one side count as one turn, as the provider combines them; `system` messages may stand between.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from callgate.core.json.fields import Fields
from callgate.core.messages import Message, Opaque, Part, ToolCall, ToolResult
from callgate.wire.anthropic_messages.complaint import complaint


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A message with its place in the request, so that a complaint can name it."""

    place: Fields
    role: str
    parts: tuple[Part, ...]


def check_pairs(messages: Sequence[ReadMessage], *, continues: bool) -> None:
    """Raises `BadRequest`. `continues`: the request goes on from a stored reply, whose calls it does not repeat."""
    asked: Counter[str] = Counter()
    """Calls of the assistant's last turn that have no result yet."""
    known: set[str] = set()
    asker: ReadMessage | None = None
    spoke = False
    for message in messages:
        if message.role == "system":
            continue
        if message.role == "assistant":
            if not spoke:
                _check_answered(asked, asker)
                asked.clear()
                known.clear()
            calls = [part.id for part in message.parts if isinstance(part, ToolCall)]
            asked.update(calls)
            known.update(calls, _hosted_calls(message.parts))
            asker = message if calls or not spoke else asker
            spoke = True
            continue
        spoke = False
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolResult):
                _take(part.call_id, asked, known, message.place, index, free=continues and asker is None)
    _check_answered(asked, asker)


def check_continued(earlier: Sequence[Message], said: Sequence[Message]) -> None:
    """The same for a request that goes on from a stored reply, once that was found. Raises `BadRequest`."""
    last = earlier[-1] if earlier and earlier[-1].role == "assistant" else Message("assistant")
    asked = Counter(call.id for call in last.calls)
    known = {*asked, *_hosted_calls(last.parts)}
    place = Fields({}, "messages.0", join=".")
    answering = takewhile(lambda message: message.role != "assistant", said)
    for index, result in enumerate(result for message in answering for result in message.results):
        _take(result.call_id, asked, known, place, index, free=False)
    _check_answered(asked, ReadMessage(place, "assistant", last.parts))


def _take(id: str, asked: Counter[str], known: set[str], place: Fields, index: int, *, free: bool) -> None:
    if asked[id] > 0:
        asked[id] -= 1
    elif id in known:
        raise complaint(
            place.at("content", index),
            f"each `tool_use` must have a single result. Found multiple `tool_result` blocks with id: {id}",
        )
    elif not free:
        raise complaint(
            place.at("content", index),
            f"unexpected `tool_use_id` found in `tool_result` blocks: {id}. "
            "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
        )


def _check_answered(asked: Counter[str], asker: ReadMessage | None) -> None:
    missing = [id for id, count in asked.items() if count > 0]
    if missing and asker is not None:
        raise complaint(
            asker.place.path,
            f"`tool_use` ids were found without `tool_result` blocks immediately after: {', '.join(missing)}. "
            "Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
        )


def _hosted_calls(parts: tuple[Part, ...]) -> list[str]:
    """Ids of calls that the provider runs; a client may answer some kinds of them."""
    values = [part.value for part in parts if isinstance(part, Opaque)]
    return [id for value in values if isinstance(value, dict) and isinstance(id := value.get("id"), str)]
