"""CORS for the pages that were confirmed, each by its own name: never a wildcard, never credentials."""

import re

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Send

_TOKENS = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+(?:\s*,\s*[A-Za-z0-9!#$%&'*+.^_`|~-]+)*")
_OWN = "access-control-"
_EXPOSED = "x-callgate-exchange, x-callgate-conversation, x-callgate-warnings, x-request-id, request-id, retry-after"
_SECONDS = "60"
"""How long a browser may rely on a preflight: a page that is refused later is refused soon."""


def is_preflight(request: Request) -> bool:
    return request.method == "OPTIONS" and {"origin", "access-control-request-method"} <= set(request.headers)


def preflight_answer(request: Request, methods: list[str]) -> Response:
    """For a page that has permission."""
    headers = {"access-control-allow-methods": ", ".join(methods), "access-control-max-age": _SECONDS}
    wanted = request.headers.get("access-control-request-headers", "")
    if _TOKENS.fullmatch(wanted):
        headers["access-control-allow-headers"] = wanted
    if request.headers.get("access-control-request-private-network", "").lower() == "true":
        headers["access-control-allow-private-network"] = "true"
    return Response(status_code=204, headers=headers)


def answering(page: str, send: Send, *, preflight: bool = False) -> Send:
    """`send` for a reply to a page, or to a program where `page` is empty. A provider's own CORS does not pass."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message.get("headers", ())))
            if not preflight:
                for name in [name for name in headers if name.lower().startswith(_OWN)]:
                    del headers[name]
            if page:
                headers["access-control-allow-origin"] = page
                headers.add_vary_header("Origin")
                if not preflight:
                    headers["access-control-expose-headers"] = _EXPOSED
            message = {**message, "headers": headers.raw}
        await send(message)

    return sending
