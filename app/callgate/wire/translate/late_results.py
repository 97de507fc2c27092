"""Results that came after the model had gone on: OpenAI Responses lets calls be asynchronous, no other wire does.

Others want a result right behind its call. They are told there that it is still to come, and get it as the user's words
where it came.
"""

from collections.abc import Sequence

from callgate.core.messages import Message, Part, Text, ToolCall, ToolResult

STILL_RUNNING = "Still running: the output is given as soon as it is there."


def in_time(messages: Sequence[Message]) -> Sequence[Message]:
    """The same messages with a result directly behind the turn of every call."""
    late = {call.id: call for message in messages for call in message.calls if call.extras.get("async") is True}
    if not late:
        return messages
    written: list[Message] = []
    running: dict[str, ToolCall] = {}
    """Calls of the last turn that have no result yet."""
    for message in messages:
        if message.role == "assistant":
            _put_off(written, running)
            running = {call.id: call for call in message.calls if call.id in late}
            written.append(message)
            continue
        for result in message.results:
            if running.pop(result.call_id, None) is not None:
                late.pop(result.call_id)
        written.append(_told(message, late))
    _put_off(written, running)
    return written


def _put_off(written: list[Message], running: dict[str, ToolCall]) -> None:
    if not running:
        return
    place = max(at for at, message in enumerate(written) if message.role == "assistant") + 1
    written[place:place] = [
        Message("tool", (ToolResult(call.id, (Text(STILL_RUNNING),), name=call.name, variant=call.variant),))
        for call in running.values()
    ]


def _told(message: Message, late: dict[str, ToolCall]) -> Message:
    """A result that comes too late, as words."""
    match message.parts:
        case (ToolResult(call_id=call_id) as result,) if call_id in late:
            said: tuple[Part, ...] = (Text(f"The output of {late[call_id].name} ({call_id}):"), *result.parts)
            return Message("user", said)
        case _:
            return message
