"""Takes an agent's token out of a request before anything else sees it, and says whose it is.

A token comes as the key (`Authorization`, `x-api-key`, `x-goog-api-key`, `api-key`, `?key=`), as `x-callgate-token`, or
in the path, `/agent/TOKEN/v1/…`. Whatever comes after this (routes, journal, captures, logs, providers) gets a request
without it. A token that is not valid, or stands where none belongs, is taken out as well, and the request refused: it
must never reach a provider as a key that it does not know.
"""

import base64
import binascii
import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import unquote, unquote_plus, unquote_to_bytes

from starlette.types import ASGIApp, Receive, Scope, Send

from callgate.core.agent import TOKEN_PREFIX
from callgate.core.errors import Fault

TOKEN_HEADER = "x-callgate-token"
KEY_HEADERS = frozenset({"authorization", "x-api-key", "x-goog-api-key", "api-key"})
_SCOPE_KEY = "callgate.credential"
_SEGMENT = "agent"
_SHAPE = re.compile(rf"(?<![A-Za-z0-9]){TOKEN_PREFIX}[A-Za-z0-9_-]{{20,}}")
"""What looks like a token, wherever it stands."""
_MASK = "cg_hidden"


class Token(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Credential:
    """What the tokens of a request prove."""

    name: str = ""
    """The agent; empty = no token came, or none that is valid."""
    token_id: str = ""
    fault: Fault | None = None
    """Why the request must be refused."""


def credential_of(scope: Scope) -> Credential:
    return scope.get(_SCOPE_KEY) or Credential()


class AgentPath:
    def __init__(self, app: ASGIApp, find: Callable[[str], Token | None], server_token: str = "") -> None:
        """`server_token`: the one token for all, which may look like an agent's."""
        self._app = app
        self._find = find
        self._server_token = server_token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = self._identified(scope)
        await self._app(scope, receive, send)

    def _identified(self, scope: Scope) -> Scope:
        taken = _Taken(self._is_servers)
        fresh: dict[str, Any] = dict(scope)
        taken.from_path(fresh)
        taken.from_headers(fresh)
        taken.from_query(fresh)
        fresh[_SCOPE_KEY] = self._proven(taken)
        return fresh

    def _is_servers(self, key: str) -> bool:
        given = key.encode("utf-8", "surrogatepass")
        return bool(self._server_token) and hmac.compare_digest(given, self._server_token)

    def _proven(self, taken: "_Taken") -> Credential:
        if taken.misplaced:
            return Credential(fault=_refused(f"An agent's token does not belong in {taken.misplaced}."))
        found = [self._find(token) for token in dict.fromkeys(taken.tokens)]
        if not found:
            return Credential()
        first = found[0]
        if first is None or any(other is None for other in found):
            return Credential(fault=_refused("This agent token is not valid: it was revoked, or never made here."))
        if any(other is not None and other.id != first.id for other in found):
            return Credential(fault=_refused("Two different tokens came with one request."))
        return Credential(first.name, first.id)


class _Taken:
    """The tokens of one request, and the request without them."""

    def __init__(self, is_servers: Callable[[str], bool]) -> None:
        self._is_servers = is_servers
        self.tokens: list[str] = []
        self.misplaced = ""
        """Where a token stood that can't be meant as one."""

    def from_path(self, scope: dict[str, Any]) -> None:
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        head, mark, query = raw.partition(b"?")
        segments = [segment for segment in head.split(b"/") if segment not in (b"", b".")]
        if segments and _plain(segments[0]).lower() == _SEGMENT:
            self.tokens.append(_plain(segments[1]) if len(segments) > 1 else "")
            if len(segments) > 2 and _plain(segments[2]).lower() == _SEGMENT:
                self.misplaced = "the path twice"
            head = b"/" + b"/".join(segments[2:])
        if _SHAPE.search(unquote_to_bytes(head).decode("latin-1")):
            self.misplaced = self.misplaced or "the path"
            head = _SHAPE.sub(_MASK, unquote(head.decode("latin-1"))).encode("latin-1", "replace")
        if head != raw.partition(b"?")[0]:
            scope["raw_path"] = head + mark + query
            scope["path"] = unquote_to_bytes(head).decode("utf-8", "replace")

    def from_headers(self, scope: dict[str, Any]) -> None:
        kept: list[tuple[bytes, bytes]] = []
        for name, value in scope["headers"]:
            header, text = name.decode("latin-1").lower(), value.decode("latin-1")
            key = _key_in(text)
            is_key = header in KEY_HEADERS and key.startswith(TOKEN_PREFIX) and not self._is_servers(key)
            if header == TOKEN_HEADER or is_key:
                self.tokens.append(key)
            elif not self._is_servers(key) and _SHAPE.search(text):
                self.misplaced = self.misplaced or f"the header {header}"
            else:
                kept.append((name, value))
        scope["headers"] = kept

    def from_query(self, scope: dict[str, Any]) -> None:
        query: str = scope.get("query_string", b"").decode("latin-1")
        if TOKEN_PREFIX[:2] not in unquote_plus(query):
            return
        kept: list[str] = []
        for part in query.split("&"):
            name, _, value = (unquote_plus(piece) for piece in part.partition("="))
            if name == "key" and value.strip().startswith(TOKEN_PREFIX) and not self._is_servers(value.strip()):
                self.tokens.append(value.strip())
            elif not self._is_servers(value.strip()) and _SHAPE.search(f"{name}={value}"):
                self.misplaced = self.misplaced or "the query"
            else:
                kept.append(part)
        scope["query_string"] = "&".join(kept).encode("latin-1")


def _plain(segment: bytes) -> str:
    return unquote(segment.decode("latin-1"))


def _key_in(value: str) -> str:
    """The key of a header: bare, with a scheme in front, or as the name or password of a base URL."""
    scheme, _, rest = value.strip().partition(" ")
    if not rest:
        return scheme
    if scheme.lower() != "basic":
        return rest.strip()
    try:
        decoded = base64.b64decode(rest.strip(), validate=True).decode("latin-1")
    except (binascii.Error, ValueError):
        return rest.strip()
    name, _, password = decoded.partition(":")
    return next((part for part in (name, password) if part.startswith(TOKEN_PREFIX)), rest.strip())


def _refused(why: str) -> Fault:
    return Fault(
        "authentication", f"{why} `callgate agents list` shows the agents that have one.", code="invalid_api_key"
    )
