"""How a client goes on from a stored message: by a thread, which keeps its tools."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from callgate.core.errors import BadRequest
from callgate.core.messages import Json, Message
from callgate.core.request import ChatRequest, ChatResponse
from callgate.wire.anthropic_messages.pairing import check_continued


class ThreadChaining:
    def keeps(self, request: ChatRequest) -> bool:
        return "thread" in request.extras

    def is_leading(self, message: Message) -> bool:
        return message.role == "system"

    def carried_on(self, earlier: tuple[Message, ...]) -> tuple[Message, ...]:
        return earlier

    def in_order(self, said: tuple[Message, ...], earlier: tuple[Message, ...]) -> tuple[Message, ...]:
        del earlier
        return said

    def check(self, earlier: Sequence[Message], said: Sequence[Message]) -> None:
        check_continued(earlier, said)

    def with_earlier_tools(self, request: ChatRequest, chain: Sequence[ChatRequest]) -> ChatRequest:
        """The client does not send them again."""
        if request.tools:
            return request
        before = chain[-1]
        return replace(request, tools=before.tools, tool_choice=request.tool_choice or before.tool_choice)

    def unknown(self, previous_id: str) -> BadRequest:
        # SDKs that get this send the whole history, as the beginning of a new thread; told that threads are not
        # supported, only those would go on that were made to
        return BadRequest(
            f"Thread cannot be continued: message '{previous_id}' is not known here.",
            "thread.previous_message_id",
            code="thread_not_found",
            kind="not_found",
        )

    def references(self, body: Mapping[str, Json]) -> list[str]:
        del body  # only whole messages can be named
        return []

    def resolved(self, body: dict[str, Json], found: Mapping[str, Json]) -> dict[str, Json]:
        del found
        return body

    def items_said(self, messages: Sequence[Message]) -> list[dict[str, Json]]:
        del messages
        return []

    def items_answered(self, response: ChatResponse) -> list[dict[str, Json]]:
        del response
        return []
