"""Which messages between Callgate and an MCP server belong to one call. Pure.

A call's request is known by its method, its arguments and its moment; its answer, its progress and its cancelling by
the ids that the request carries. So a call of the model is joined with what really went over the server's wire.
"""

import json
from collections.abc import Sequence
from typing import Final, Protocol, TypeVar, cast

from callgate.core.invocation import Invocation
from callgate.core.json_reach import loaded
from callgate.core.messages import Json

_SLACK: Final = 0.05
"""Seconds by which the clocks of a call and of its messages may disagree."""


class Said(Protocol):
    """One message as it crossed the wire."""

    @property
    def at(self) -> float: ...
    @property
    def direction(self) -> str: ...
    @property
    def text(self) -> str: ...


S = TypeVar("S", bound=Said)


def messages_of_call(said: Sequence[S], call: Invocation) -> tuple[S, ...]:
    """The request of a call and all that answers it, in order; empty = nothing of it is known any more."""
    ran = _span(call)
    if ran is None:
        return ()
    since, until = ran
    near = [(one, _object(one.text)) for one in said if since - _SLACK <= one.at <= until + _SLACK]
    wanted = loaded(call.effective_arguments)
    asked = [message for one, message in near if one.direction == "out" and _asks(message, wanted)]
    # the same arguments at the same time for two tools: then the name decides
    request = next((message for message in asked if _named(message, call.tool)), asked[0] if asked else None)
    if request is None:
        return ()
    identity, token = request.get("id"), _token(request)
    return tuple(one for one, message in near if message is request or _answers(message, identity, token))


def method_of(text: str) -> str:
    """What a message is: its method, `result` or `error`; empty = it is none that can be read."""
    message = _object(text)
    method = message.get("method")
    return method if isinstance(method, str) else "error" if "error" in message else "result" if message else ""


def _span(call: Invocation) -> tuple[float, float] | None:
    for place, phase in enumerate(call.phases):
        if phase.state == "Executing":
            rest = call.phases[place + 1 :]
            return phase.since, rest[0].since if rest else float("inf")
    return None


def _object(text: str) -> dict[str, Json]:
    try:
        value: object = json.loads(text)
    except ValueError:
        return {}
    return cast(dict[str, Json], value) if isinstance(value, dict) else {}


def _params(message: dict[str, Json]) -> dict[str, Json]:
    params = message.get("params")
    return params if isinstance(params, dict) else {}


def _asks(message: dict[str, Json], arguments: Json) -> bool:
    return message.get("method") == "tools/call" and (_params(message).get("arguments") or {}) == (arguments or {})


def _named(message: dict[str, Json], tool: str) -> bool:
    """In the catalog a name may have its source before it."""
    name = _params(message).get("name")
    return isinstance(name, str) and bool(name) and tool.endswith(name)


def _token(request: dict[str, Json]) -> Json:
    meta = _params(request).get("_meta")
    return meta.get("progressToken") if isinstance(meta, dict) else None


def _answers(message: dict[str, Json], identity: Json, token: Json) -> bool:
    if "method" not in message:
        return identity is not None and message.get("id") == identity
    params = _params(message)
    if message["method"] == "notifications/progress":
        return token is not None and params.get("progressToken") == token
    return message["method"] == "notifications/cancelled" and params.get("requestId") == identity
