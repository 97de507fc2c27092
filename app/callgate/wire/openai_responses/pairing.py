"""Calls and their results: which belongs to which, wherever in the history they stand.

The wire lets text, or even a user's message, come between a call and its output, and pairs by `call_id` alone. Other
wires want a result directly behind the turn with its call, so the neutral form has it there.
"""

from collections.abc import Sequence
from dataclasses import replace

from callgate.core.errors import BadRequest
from callgate.core.messages import Message, Opaque, Part, ToolCall, ToolResult
from callgate.wire.openai_responses.marks import WIRE

_OUTPUT_NAMES = {"function": "function call output", "custom": "custom tool call output"}
_CALL_NAMES = {"function": "function call", "custom": "custom tool call"}


def paired(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The same messages with distinct call ids, each result behind its call's turn.

    Outputs of calls that were declared `async` stay where they are: there, the order tells when they came.
    """
    return _moved(_distinct(messages))


def check_pairs(messages: Sequence[Message]) -> None:
    """Raises `BadRequest` for a result without its call, a call without its result, and a second result.

    For a history that is complete in itself: nothing to be looked up by `previous_response_id` or reference.
    """
    waiting: dict[str, ToolCall] = {}
    answered: set[str] = set()
    for part in (part for message in messages for part in message.parts):
        match part:
            case ToolCall():
                waiting[part.id] = part
            case ToolResult() if part.call_id in waiting:
                del waiting[part.call_id]
                answered.add(part.call_id)
            case ToolResult(variant="built_in"):
                pass  # its call may be the provider's own
            case ToolResult():
                raise _unmatched(part, twice=part.call_id in answered)
            case _:
                pass
    for call in waiting.values():
        if not _is_async(call) and call.variant != "built_in":
            raise BadRequest(f"No tool output found for {_CALL_NAMES[call.variant]} {call.id}.", "input")


def check_chained(earlier: Sequence[Message], said: Sequence[Message]) -> None:
    """The same for a request that goes on from a stored reply, once that was found."""
    if not has_references(said):
        check_pairs((*earlier, *said))


def results_first(said: Sequence[Message], earlier: Sequence[Message]) -> tuple[Message, ...]:
    """What is said after a stored reply, the outputs of its calls in front: they belong behind those."""
    calls = {call.id for message in earlier for call in message.calls if not _is_async(call)}
    return tuple(sorted(said, key=lambda message: not any(result.call_id in calls for result in message.results)))


def has_references(messages: Sequence[Message]) -> bool:
    """True: something is said by `item_reference` and has to be looked up."""
    return any(
        isinstance(part, Opaque) and part.wire == WIRE and is_reference(part)
        for message in messages
        for part in message.parts
    )


def is_reference(part: Opaque) -> bool:
    if not isinstance(part.value, dict):
        return False
    kind = part.value.get("type")
    return kind == "item_reference" or (kind is None and "id" in part.value and "role" not in part.value)


def _unmatched(result: ToolResult, *, twice: bool) -> BadRequest:
    name = _OUTPUT_NAMES[result.variant]
    if twice:
        return BadRequest(f"Duplicate {name.replace(' ', '_')} for call_id {result.call_id}.", "input")
    return BadRequest(f"No tool call found for {name} with call_id {result.call_id}.", "input")


def _distinct(messages: Sequence[Message]) -> Sequence[Message]:
    """Some models repeat ids (`call_0` in every round): the n-th use gets its own, and results answer in order."""
    ids = [call.id for message in messages for call in message.calls]
    if len(ids) == len(set(ids)):
        return messages
    uses: dict[str, int] = {}
    open_ids: dict[str, list[str]] = {}

    def renamed(part: Part) -> Part:
        match part:
            case ToolCall():
                uses[part.id] = uses.get(part.id, 0) + 1
                fresh = part.id if uses[part.id] == 1 else f"{part.id}_d{uses[part.id]}"
                open_ids.setdefault(part.id, []).append(fresh)
                return part if fresh == part.id else replace(part, id=fresh)
            case ToolResult() if open_ids.get(part.call_id):
                fresh = open_ids[part.call_id].pop(0)
                return part if fresh == part.call_id else replace(part, call_id=fresh)
            case _:
                return part

    return [message.with_parts([renamed(part) for part in message.parts]) for message in messages]


def _moved(messages: Sequence[Message]) -> tuple[Message, ...]:
    turns: dict[str, int] = {}
    """Call id → which slot holds its turn."""
    slots: list[list[Message]] = []
    """Each message with the results that belong behind it."""
    for message in messages:
        for part in message.parts if message.role == "assistant" else ():
            if isinstance(part, ToolCall) and not _is_async(part):
                turns[part.id] = len(slots)
        results = message.results if message.role == "tool" else ()
        home = turns.get(results[0].call_id) if results else None
        if home is None:
            slots.append([message])
        else:
            slots[home].append(message)
    return tuple(message for slot in slots for message in slot)


def _is_async(call: ToolCall) -> bool:
    return call.extras.get("async") is True
