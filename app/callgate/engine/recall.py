"""What a request leaves out because the server is meant to know it: found again before the exchange starts."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile

from callgate.core.errors import BadRequest
from callgate.core.events import ReplyKept
from callgate.core.history_repair import repaired
from callgate.core.messages import Json, Message
from callgate.core.request import ChatRequest, WireName
from callgate.core.tool import ToolSpec
from callgate.engine.arrival import Arrival
from callgate.engine.replies import Replies
from callgate.upstream.routing import Routing
from callgate.wire.anthropic_messages.pairing import check_continued
from callgate.wire.openai_responses.items import came_as_item, check_chained, is_instructions, results_first


class Recall:
    def __init__(self, replies: Replies, routing: Routing) -> None:
        self._replies = replies
        self._routing = routing

    async def complete(self, arrival: Arrival) -> Arrival:
        """The arrival with everything that its `previous_id` stands for.

        The client's bytes may still go on as they are where the provider itself knows that reply; a reply that is
        unknown here is left to a provider that speaks the same wire.
        """
        request = arrival.request
        if not request.previous_id:
            return arrival
        route = self._routing.pick(request.model, request.wire)
        native = route.wire == request.wire
        try:
            kept = await self._replies.find(request.previous_id, arrival.identity)
        except BadRequest as foreign:
            raise _unknown(request) from foreign
        if kept is None:
            if native:
                return arrival
            raise _unknown(request)
        earlier = await self._replies.said_until(kept)
        if request.wire == "openai-responses":
            earlier = tuple(message for message in earlier if not is_instructions(message))
        leading = _instructions(request)
        told, said = request.messages[:leading], request.messages[leading:]
        if request.wire == "openai-responses":
            said = results_first(said, earlier)
        knows = native and kept.endpoint == route.endpoint.name
        repairs: tuple[str, ...] = ()
        history = (*earlier, *said)
        if not knows:  # else it is the provider's own history, and its own to judge
            history, repairs = _matched(request.wire, earlier, said, repair=arrival.repairs_history)
        whole = replace(request, messages=(*told, *history), previous_id="")
        if request.wire == "anthropic":
            whole = _with_thread(whole, kept.request)
        else:
            whole = _with_brought_tools(whole, await self._replies.chain(kept))
        return replace(
            arrival,
            request=whole,
            chain=(),
            pristine=arrival.pristine and knows,
            continues=request.previous_id,
            recalled=range(leading, leading + len(earlier)),
            repairs=repairs,
        )

    async def resolve_references(self, body: dict[str, Json], agent: str) -> dict[str, Json]:
        """Responses' `item_reference`s that were given out here become the items themselves."""
        items = body.get("input")
        if not isinstance(items, list) or not any(_reference(item) for item in items):
            return body
        resolved = [
            await self._replies.find_item(named, agent) or item if (named := _reference(item)) else item
            for item in items
        ]
        return body if resolved == items else {**body, "input": resolved}


def _matched(
    wire: WireName, earlier: tuple[Message, ...], said: tuple[Message, ...], *, repair: bool
) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """A history put together here, whose calls and results nobody has compared yet; raises `BadRequest`."""
    try:
        (check_continued if wire == "anthropic" else check_chained)(earlier, said)
    except BadRequest:
        mended = repaired((*earlier, *said))
        if not repair or not mended.repairs:
            raise
        return mended.messages, mended.repairs
    return (*earlier, *said), ()


def _instructions(request: ChatRequest) -> int:
    """How many messages hold for this request as a whole: they stay first, never between a call and its result."""
    told = takewhile(lambda message: is_instructions(message) or _is_system(request, message), request.messages)
    return len(list(told))


def _is_system(request: ChatRequest, message: Message) -> bool:
    return request.wire == "anthropic" and message.role == "system"


def _reference(item: Json) -> str:
    """The id in a reference, whose type may be left out."""
    if not isinstance(item, dict) or item.get("type") not in ("item_reference", None) or "role" in item:
        return ""
    named = item.get("id")
    return named if isinstance(named, str) else ""


def _with_thread(request: ChatRequest, before: ChatRequest) -> ChatRequest:
    """A thread keeps its tools; the client does not send them again."""
    if request.tools:
        return request
    return replace(request, tools=before.tools, tool_choice=request.tool_choice or before.tool_choice)


def _with_brought_tools(request: ChatRequest, chain: Iterable[ReplyKept]) -> ChatRequest:
    """A chain has the tools of each request anew, but for those that came as items of its history."""
    tools = list(request.tools)
    named = {(tool.namespace, tool.name) for tool in tools if isinstance(tool, ToolSpec)}
    for tool in (tool for reply in chain for tool in reply.request.tools if came_as_item(tool)):
        if isinstance(tool, ToolSpec):
            key = (tool.namespace, tool.name)
            tools += [] if key in named else [tool]
            named.add(key)
        elif tool not in tools:
            tools.append(tool)
    return replace(request, tools=tuple(tools))


def _unknown(request: ChatRequest) -> BadRequest:
    if request.wire == "anthropic":
        # SDKs that get this send the whole history, as the beginning of a new thread; told that threads are not
        # supported, only those would go on that were made to
        return BadRequest(
            f"Thread cannot be continued: message '{request.previous_id}' is not known here.",
            "thread.previous_message_id",
            code="thread_not_found",
            kind="not_found",
        )
    return BadRequest(
        f"Previous response with id '{request.previous_id}' not found.",
        "previous_response_id",
        code="previous_response_not_found",
    )
