"""The second gate: results of calls that a client ran, held before the model sees them where a rule asks for it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from callgate.core.calls.invocation import Invocation, Phase
from callgate.core.ids import new_id
from callgate.core.messages import Message, Part, ToolCall, ToolResult
from callgate.core.tool import CLIENT_SOURCE
from callgate.engine.gate.gate import Gate


class ResultReview:
    def __init__(self, gate: Gate, clock: Callable[[], float]) -> None:
        self._gate = gate
        self._clock = clock

    async def messages(
        self, messages: tuple[Message, ...], answering: Sequence[Message], asking: Invocation
    ) -> tuple[tuple[Message, ...], tuple[ToolResult, ...]]:
        """The messages as the model may have them, and all new results where it is told others than came.

        `answering`: those of the messages that are new and hold results (`answers_in`). `asking`: who sends them.
        """
        if not answering:
            return messages, ()
        calls = {call.id: call for message in messages for call in message.calls if self._may_be_held(call, asking)}
        if not calls:
            return messages, ()
        # all at once: a person shall see them side by side, and one deadline is long enough for a client
        told = await asyncio.gather(*[self._message(message, calls, asking) for message in answering])
        changed = {id(came): message for came, message in zip(answering, told, strict=True) if message is not came}
        if not changed:
            return messages, ()
        results = tuple([result for message in told for result in message.results])
        return tuple([changed.get(id(message), message) for message in messages]), results

    def _may_be_held(self, call: ToolCall, asking: Invocation) -> bool:
        return self._gate.could_review(call.name, asking.source, asking.agent)

    async def _message(self, message: Message, calls: dict[str, ToolCall], asking: Invocation) -> Message:
        return message.with_parts(await asyncio.gather(*[self._part(part, calls, asking) for part in message.parts]))

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


def answers_in(messages: Sequence[Message]) -> list[Message]:
    """Those that hold results."""
    return [message for message in messages if message.results]


def asking(
    exchange_id: str, conversation_id: str, agent: str, model: str, client_until: float | None = None
) -> Invocation:
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
        client_until=client_until,
    )
