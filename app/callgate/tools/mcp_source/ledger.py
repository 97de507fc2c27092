"""Which request a message on a connection belongs to, and which tool call caused it. Sends and shows nothing itself.

What a call sends is known by the context in which it is sent; all else by the ids that the protocol repeats, or by the
HTTP stream that it comes on. So two calls with the same arguments at the same moment are never taken for each other.
"""

from collections import OrderedDict
from contextvars import Context, ContextVar
from dataclasses import dataclass
from typing import Literal

from mcp.shared.dispatcher import as_request_id, coerce_request_id
from mcp_types import JSONRPCError, JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse, RequestId

from callgate.core.events import FrameJoin, FrameRole

Direction = Literal["in", "out"]
MOST_ANSWERED = 1000
"""Requests that are remembered after their answer: progress and a second answer may come late."""
_ABOUT_CALLS = frozenset({"elicitation/create", "sampling/createMessage", "roots/list", "notifications/message"})
"""What a server of the older era says while it serves a call, without saying which."""


@dataclass(frozen=True, slots=True)
class Serving:
    """The tool call on whose behalf something is sent."""

    invocation_id: str
    conversation_id: str


SERVING: ContextVar[Serving | None] = ContextVar("callgate_mcp_serving", default=None)


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one message."""

    role: FrameRole
    method: str
    rpc_id: str = ""
    asked_at: float | None = None
    serving: Serving | None = None
    joined: FrameJoin = ""


@dataclass(frozen=True, slots=True)
class _Asked:
    method: str
    at: float
    serving: Serving | None
    joined: FrameJoin


class Ledger:
    def __init__(self) -> None:
        self._open: dict[tuple[Direction, RequestId], _Asked] = {}
        """Requests without an answer, by who asked and their id."""
        self._answered: OrderedDict[tuple[Direction, RequestId], _Asked] = OrderedDict()

    def sent(self, message: JSONRPCMessage, at: float) -> Entry:
        return self._enter("out", message, at, SERVING.get())

    def arrived(self, message: JSONRPCMessage, at: float, context: Context | None) -> Entry:
        """`context`: where the transport carries along the one in which the request was sent that this came for."""
        return self._enter("in", message, at, context.get(SERVING) if context is not None else None)

    def _enter(self, way: Direction, message: JSONRPCMessage, at: float, serving: Serving | None) -> Entry:
        other: Direction = "in" if way == "out" else "out"
        match message:
            case JSONRPCRequest():
                joined = self._join(way, message.method, serving)
                self._open[way, coerce_request_id(message.id)] = _Asked(message.method, at, *joined)
                return Entry("request", message.method, str(message.id), None, *joined)
            case JSONRPCResponse() | JSONRPCError():
                role: FrameRole = "error" if isinstance(message, JSONRPCError) else "response"
                if message.id is None:
                    return Entry(role, "")
                return _of(role, "", message.id, self._answer(other, message.id))
            case JSONRPCNotification():
                told = _request_told_of(message)
                if told is not None:
                    # progress tells of the other side's request; a cancellation of one's own, and is the end of it
                    is_end = message.method == "notifications/cancelled"
                    asked = self._answer(way, told) if is_end else self._find(other, told)
                    return _of("notification", message.method, told, asked)
                return Entry("notification", message.method, "", None, *self._join(way, message.method, serving))

    def _join(self, way: Direction, method: str, serving: Serving | None) -> tuple[Serving | None, FrameJoin]:
        if serving is not None:
            return serving, "id" if way == "out" else "stream"
        if way == "in" and method in _ABOUT_CALLS:
            running = {asked.serving for (asker, _), asked in self._open.items() if asker == "out" and asked.serving}
            if len(running) == 1:
                return running.pop(), "alone"
        return None, ""

    def _answer(self, asker: Direction, request_id: RequestId) -> _Asked | None:
        key = asker, coerce_request_id(request_id)
        asked = self._open.pop(key, None)
        if asked is None:
            return self._answered.get(key)
        self._answered[key] = asked
        if len(self._answered) > MOST_ANSWERED:
            self._answered.popitem(last=False)
        return asked

    def _find(self, asker: Direction, request_id: RequestId) -> _Asked | None:
        key = asker, coerce_request_id(request_id)
        return self._open.get(key) or self._answered.get(key)


def _of(role: FrameRole, method: str, request_id: RequestId, asked: _Asked | None) -> Entry:
    if asked is None:
        return Entry(role, method, str(request_id))
    # what names the request is as certain as the request itself was
    return Entry(role, method or asked.method, str(request_id), asked.at, asked.serving, asked.joined)


def _request_told_of(message: JSONRPCNotification) -> RequestId | None:
    params = message.params or {}
    match message.method:
        case "notifications/progress":
            return as_request_id(params.get("progressToken"))
        case "notifications/cancelled":
            return as_request_id(params.get("requestId"))
        case _:
            return None
