"""The second gate: results of calls that a client ran, held before the model sees them where a rule asks for it."""

from collections.abc import Callable
from dataclasses import replace

from callgate.core.ids import new_id
from callgate.core.invocation import Invocation, Phase
from callgate.core.messages import Message, Part, ToolCall, ToolResult
from callgate.core.tool import CLIENT_SOURCE
from callgate.engine.gate import Gate


class ResultReview:
    def __init__(self, gate: Gate, clock: Callable[[], float]) -> None:
        self._gate = gate
        self._clock = clock

    async def messages(self, messages: tuple[Message, ...], fresh_from: int, asking: Invocation) -> tuple[Message, ...]:
        """The messages as the model may have them; results before `fresh_from` are old. `asking`: who sends them."""
        calls = {call.id: call for message in messages for call in message.calls}
        out: list[Message] = list(messages[:fresh_from])
        for message in messages[fresh_from:]:
            parts = [await self._part(part, calls, asking) for part in message.parts]
            out.append(
                message if all(a is b for a, b in zip(parts, message.parts, strict=True)) else _with(message, parts)
            )
        return tuple(out)

    async def _part(self, part: Part, calls: dict[str, ToolCall], asking: Invocation) -> Part:
        call = calls.get(part.call_id) if isinstance(part, ToolResult) else None
        if call is None or not isinstance(part, ToolResult):
            return part
        ran = replace(
            asking,
            id=new_id("inv"),
            call_id=call.id,
            tool=call.name,
            arguments=call.arguments,
            variant=call.variant,
            phases=(Phase("Executing", self._clock()),),
        )
        return await self._gate.review(ran, part)


def _with(message: Message, parts: list[Part]) -> Message:
    return replace(message, parts=tuple(parts))


def asking(exchange_id: str, conversation_id: str, agent: str, model: str) -> Invocation:
    """A call that a client has run, as far as its sender is known; it was decided when it was released."""
    return Invocation(
        "",
        exchange_id,
        conversation_id,
        0,
        0,
        "",
        "",
        "client",
        CLIENT_SOURCE,
        agent,
        model,
        "Executing",
        reason="ConfirmationNotNeeded",
        decided_by="client",
    )
