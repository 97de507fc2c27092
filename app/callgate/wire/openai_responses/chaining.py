"""How a client goes on from a stored response: by `previous_response_id`, or by `item_reference`s to its items."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from callgate.core.errors import BadRequest
from callgate.core.messages import Json, Message
from callgate.core.request import ChatRequest, ChatResponse
from callgate.core.tool import ToolSpec
from callgate.wire.openai_responses.items import came_as_item, check_chained, is_instructions, results_first
from callgate.wire.openai_responses.listed import listed_items
from callgate.wire.openai_responses.output import output_items


class ResponseChaining:
    def keeps(self, request: ChatRequest) -> bool:
        return request.store is not False

    def is_leading(self, message: Message) -> bool:
        return is_instructions(message)

    def carried_on(self, earlier: tuple[Message, ...]) -> tuple[Message, ...]:
        return tuple(message for message in earlier if not is_instructions(message))

    def in_order(self, said: tuple[Message, ...], earlier: tuple[Message, ...]) -> tuple[Message, ...]:
        return results_first(said, earlier)

    def check(self, earlier: Sequence[Message], said: Sequence[Message]) -> None:
        check_chained(earlier, said)

    def with_earlier_tools(self, request: ChatRequest, chain: Sequence[ChatRequest]) -> ChatRequest:
        """A chain has the tools of each request anew, but for those that came as items of its history."""
        tools = list(request.tools)
        named = {(tool.namespace, tool.name) for tool in tools if isinstance(tool, ToolSpec)}
        for tool in (tool for earlier in chain for tool in earlier.tools if came_as_item(tool)):
            if isinstance(tool, ToolSpec):
                key = (tool.namespace, tool.name)
                tools += [] if key in named else [tool]
                named.add(key)
            elif tool not in tools:
                tools.append(tool)
        return replace(request, tools=tuple(tools))

    def unknown(self, previous_id: str) -> BadRequest:
        return BadRequest(
            f"Previous response with id '{previous_id}' not found.",
            "previous_response_id",
            code="previous_response_not_found",
        )

    def references(self, body: Mapping[str, Json]) -> list[str]:
        items = body.get("input")
        return list(filter(None, map(_reference, items))) if isinstance(items, list) else []

    def resolved(self, body: dict[str, Json], found: Mapping[str, Json]) -> dict[str, Json]:
        items = body.get("input")
        return {
            **body,
            "input": [found.get(_reference(item), item) for item in (items if isinstance(items, list) else ())],
        }

    def items_said(self, messages: Sequence[Message]) -> list[dict[str, Json]]:
        return listed_items(messages)

    def items_answered(self, response: ChatResponse) -> list[dict[str, Json]]:
        return [item for item in output_items(response) if isinstance(item, dict)]


def _reference(item: Json) -> str:
    """The id in a reference, whose type may be left out."""
    if not isinstance(item, dict) or item.get("type") not in ("item_reference", None) or "role" in item:
        return ""
    named = item.get("id")
    return named if isinstance(named, str) else ""
