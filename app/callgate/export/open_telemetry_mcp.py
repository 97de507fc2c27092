"""The messages of an MCP call in an OpenTelemetry trace, by the MCP conventions. Pure.

Where there is an `execute_tool` span, the conventions put the attributes of its `tools/call` on that span instead of
making a second one. A server's own requests (elicitation, sampling, roots) are spans below it, of kind SERVER, as
Callgate serves them; so are the rounds of a call that took several, of kind CLIENT. Every single message is an event
`callgate.mcp.message` of the span, as no convention has a name for it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from callgate.core.events import FrameCaptured
from callgate.core.messages import Json

SERVER: Final = 2
CLIENT: Final = 3
_CARRIED: Final = {"stdio": "pipe", "http": "tcp", "sse": "tcp"}
_CALL: Final = "tools/call"


@dataclass(frozen=True, slots=True)
class McpRequest:
    """A request and what answered it."""

    asked: FrameCaptured
    answer: FrameCaptured | None = None

    @property
    def kind(self) -> int:
        return CLIENT if self.asked.direction == "out" else SERVER

    def attributes(self) -> dict[str, Json]:
        about = call_attributes([self.asked])
        if self.answer is None:
            about["error.type"] = "no_answer"
        elif self.answer.role == "error":
            about["error.type"] = "jsonrpc_error"
        return about


def call_attributes(frames: Sequence[FrameCaptured]) -> dict[str, Json]:
    """What the conventions want of the request that the frames begin with."""
    first = next((frame for frame in frames if frame.role == "request"), None)
    if first is None:
        return {}
    about: dict[str, Json] = {"mcp.method.name": first.method, "jsonrpc.request.id": first.rpc_id}
    if carried := _CARRIED.get(first.transport):
        about["network.transport"] = carried
    return about


def below_the_call(frames: Iterable[FrameCaptured]) -> list[McpRequest]:
    """Requests that have spans of their own: the server's, and those of the call where it took more than one."""
    made = _requests(frames)
    rounds = [request for request in made if request.asked.direction == "out" and request.asked.method == _CALL]
    return [request for request in made if len(rounds) > 1 or request not in rounds]


def message_events(frames: Iterable[FrameCaptured], *, bodies: bool) -> list[tuple[float, dict[str, Json]]]:
    """When, and what is to be said of each message."""
    return [(frame.at, _message(frame, bodies)) for frame in frames]


def _message(frame: FrameCaptured, bodies: bool) -> dict[str, Json]:
    about: dict[str, Json] = {
        "mcp.method.name": frame.method,
        "jsonrpc.request.id": frame.rpc_id,
        "callgate.mcp.direction": "sent" if frame.direction == "out" else "received",
        "callgate.mcp.role": frame.role,
        "callgate.mcp.size": frame.size,
        "callgate.mcp.joined_by": frame.joined,
    }
    if frame.seconds_after is not None:
        about["callgate.mcp.after_ms"] = round(frame.seconds_after * 1000, 3)
    if bodies:
        about["callgate.mcp.body"] = frame.text
    return about


def _requests(frames: Iterable[FrameCaptured]) -> list[McpRequest]:
    made: dict[tuple[str, str, float], McpRequest] = {}
    waiting: dict[tuple[str, str], tuple[str, str, float]] = {}
    for frame in frames:
        if frame.role == "request":
            key = (frame.direction, frame.rpc_id, frame.at)
            made[key] = McpRequest(frame)
            waiting[frame.direction, frame.rpc_id] = key
        elif frame.role in ("response", "error"):
            asker = "in" if frame.direction == "out" else "out"
            found = waiting.pop((asker, frame.rpc_id), None)
            if found is not None:
                made[found] = McpRequest(made[found].asked, frame)
    return list(made.values())
