"""Headers of a request upstream: which of the client's are passed on, and how each wire is told the key.

Must not know endpoints or transports. A key is never part of an error text here.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from callgate import __version__
from callgate.core.errors import UserFault
from callgate.core.request import WireName
from callgate.core.wire_traits import KeyForm
from callgate.wire.registry import TRAITS

USER_AGENT = f"callgate/{__version__}"
HOP_BY_HOP = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)

Auth = KeyForm | Literal["google-token"]
"""How a provider is told its key; Google's own login gives a token instead of one."""

_KEYS = frozenset({"authorization", "x-api-key", "x-goog-api-key"})
_FORWARDED = frozenset({"user-agent", "originator", "version", "session-id", "session_id", "thread-id", "thread_id"})
_FORWARDED_PREFIXES = ("anthropic-", "openai-", "x-")
_OF_THE_BODY = frozenset({"content-type", "content-encoding", "accept", "range", "if-none-match"})
_SECRETS = _KEYS | {"cookie", "set-cookie", "proxy-authorization"}
_OURS = ("x-callgate-", "x-forwarded-")
_FIT_FOR_HEADER = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_FIT_FOR_KEY = re.compile(r"[\x21-\x7e]+")


def request_headers(
    endpoint: str,
    wire: WireName,
    auth: Auth,
    key: str,
    client_headers: Mapping[str, str],
    client_wire: WireName,
) -> dict[str, str]:
    """All headers of a request. Without a configured key the client's own is passed on."""
    given = {name.lower(): value for name, value in client_headers.items() if _FIT_FOR_HEADER.fullmatch(value)}
    headers = {"user-agent": USER_AGENT}
    headers.update(_forwarded(given, wire, client_wire))
    headers.update(_auth(auth, key, endpoint) if key else _client_auth(auth, given, endpoint))
    if version := TRAITS[wire].version_header:
        if auth == "google-token":
            headers.pop(version[0], None)  # Vertex is told the version in the body
        else:
            headers.setdefault(*version)
    headers["accept-encoding"] = "identity"
    headers["content-type"] = "application/json"
    return headers


def relay_headers(
    endpoint: str, wire: WireName, auth: Auth, key: str, client_headers: Mapping[str, str]
) -> dict[str, str]:
    """Headers of a request that is relayed unread: the body's own description stays."""
    headers = request_headers(endpoint, wire, auth, key, client_headers, wire)
    headers.pop("content-type")
    for name, value in client_headers.items():
        if name.lower() in _OF_THE_BODY:
            headers[name.lower()] = value
    return headers


def reply_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """A provider's headers without those that belong to one connection, or to nobody but the provider."""
    kept = ((name.lower(), value) for name, value in headers)
    return {name: value for name, value in kept if name not in HOP_BY_HOP and name not in ("set-cookie", "alt-svc")}


def shown_headers(headers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Headers as a person may see them and the journal may keep them: no secrets."""
    return tuple((name, "•••" if name.lower() in _SECRETS else value) for name, value in headers.items())


def client_key(client_headers: Mapping[str, str]) -> str:
    """The key a client sent, in whichever of the three headers; empty if none."""
    given = {name.lower(): value for name, value in client_headers.items()}
    return given.get("x-api-key", "") or given.get("x-goog-api-key", "") or _bearer(given)


def _forwarded(given: Mapping[str, str], wire: WireName, client_wire: WireName) -> dict[str, str]:
    if TRAITS[wire].provider != TRAITS[client_wire].provider:
        # another wire's headers mean nothing there; who is asking still does
        return {name: value for name, value in given.items() if name == "user-agent"}
    return {name: value for name, value in given.items() if _matters(name)}


def _matters(name: str) -> bool:
    if name in _KEYS or name.startswith(_OURS):
        return False
    return name in _FORWARDED or name.startswith(_FORWARDED_PREFIXES)


def _auth(auth: Auth, key: str, endpoint: str) -> dict[str, str]:
    if not _FIT_FOR_KEY.fullmatch(key):
        raise UserFault(f"upstream '{endpoint}': its key has spaces or characters that no header can carry")
    match auth:
        case "bearer" | "google-token":
            return {"authorization": f"Bearer {key}"}
        case _:
            return {auth: key}


def _client_auth(auth: Auth, given: Mapping[str, str], endpoint: str) -> dict[str, str]:
    # Anthropic tells API keys from OAuth tokens by the header: what came as Bearer must go as Bearer
    if auth == "x-api-key" and not given.get(auth) and _bearer(given):
        return _auth("bearer", _bearer(given), endpoint)
    key = client_key(given)
    return _auth(auth, key, endpoint) if key else {}


def _bearer(given: Mapping[str, str]) -> str:
    scheme, _, token = given.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


_TOLD = frozenset(
    {"x-request-id", "request-id", "retry-after", "retry-after-ms", "x-should-retry", "x-goog-request-id"}
)
_TOLD_FAMILIES = ("x-ratelimit-", "anthropic-", "openai-")


def told_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """What of a provider's answer concerns its client: ids for support, limits to slow down by."""
    return {
        name.lower(): value
        for name, value in headers.items()
        if name.lower() in _TOLD or name.lower().startswith(_TOLD_FAMILIES)
    }
