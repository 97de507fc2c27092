"""Who may come in: loopback names only, no pages of other sites, the token if one is set, and no flood.

A web page in the person's browser can reach loopback; `Host`, `Origin` and `Sec-Fetch-Site` are what tells it from a
program. The last is there because a page's plain GET carries no `Origin`.
"""

import hmac
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from callgate.core.errors import Fault
from callgate.core.settings import ServerSettings
from callgate.proxy.agent_path import Credential

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_ANY = frozenset({"0.0.0.0", "::"})
_OWN_SITES = frozenset({"", "none", "same-origin", "same-site"})
"""Pages that this machine itself serves, at whatever port, as their `Origin` is accepted too."""
_SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0}
KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key", "api-key")
_MANY_SENDERS = 1000
"""Beyond so many, those that have been quiet for longest are forgotten."""


@dataclass(frozen=True, slots=True)
class Refused(Exception):
    fault: Fault


class Guard:
    def __init__(self, settings: ServerSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self._token = settings.token
        self._host = settings.host
        self._clock = clock
        self._limit, self._per = _rate(settings.rate_limit)
        self._allowance: dict[str, tuple[float, float]] = {}
        """Sender → (requests it may still make, when that was counted): a leaking bucket each."""

    def admit(
        self, headers: Mapping[str, str], query_key: str, sender: str, *, credential: Credential | None = None
    ) -> None:
        """Raises `Refused`. Header names are lower case. `sender`: by what requests are counted; never by a name that
        the client claims."""
        credential = credential or Credential()
        self._check_host(headers.get("host", ""))
        origin = headers.get("origin", "")
        self._check_origin(origin)
        if not origin:
            self._check_site(headers.get("sec-fetch-site", ""))
        if credential.fault is not None:
            raise Refused(credential.fault)
        if self._token and not credential.name and not self._has_token(headers, query_key):
            raise Refused(
                Fault("authentication", "This Callgate wants its token as the API key.", code="invalid_api_key")
            )
        self._check_rate(f"token {credential.token_id}" if credential.name else sender, credential.name or sender)

    def cleaned(self, headers: Mapping[str, str], query_key: str) -> dict[str, str]:
        """The headers as they may go on: without Callgate's own token, and with a key from the query as a header."""
        kept = {
            name: value
            for name, value in headers.items()
            if not (name in KEY_HEADERS and self._token and self._is_token(_bare(value)))
        }
        if query_key and not (self._token and self._is_token(query_key)):
            kept.setdefault("x-goog-api-key", query_key)
        return kept

    def _check_host(self, host: str) -> None:
        name = _name_in(f"//{host}")
        if self._host in _ANY or name in _LOOPBACK or name == self._host:
            return
        raise Refused(Fault("permission", f"Host {host!r} is not served here.", "host"))

    def _check_origin(self, origin: str) -> None:
        if not origin:
            return
        name = _name_in(origin)
        if name not in _LOOPBACK:
            raise Refused(Fault("permission", f"Requests from {origin} are not accepted.", "origin"))

    def _check_site(self, site: str) -> None:
        """Browsers say where a request comes from; `none` = the person typed the address. Programs say nothing."""
        if site.strip().lower() not in _OWN_SITES:
            raise Refused(Fault("permission", "Requests from pages of other sites are not accepted.", "sec-fetch-site"))

    def _has_token(self, headers: Mapping[str, str], query_key: str) -> bool:
        given = [_bare(headers[name]) for name in KEY_HEADERS if name in headers]
        return any(self._is_token(key) for key in (*given, query_key) if key)

    def _is_token(self, key: str) -> bool:
        return hmac.compare_digest(key.encode(), self._token.encode())

    def _check_rate(self, sender: str, shown: str) -> None:
        if not self._limit:
            return
        now = self._clock()
        left, counted = self._allowance.pop(sender, (self._limit, now))
        left = min(self._limit, left + (now - counted) * self._limit / self._per)
        if left < 1:
            wait = (1 - left) * self._per / self._limit
            self._allowance[sender] = (left, now)
            raise Refused(
                Fault(
                    "rate_limit",
                    f"{shown} sends more than {self._limit:.0f} requests per {self._per:.0f} s.",
                    retry_after=wait,
                )
            )
        self._allowance[sender] = (left - 1, now)
        while len(self._allowance) > _MANY_SENDERS:
            # in the order in which they were last heard of: the first have been quiet for longest
            del self._allowance[next(iter(self._allowance))]

    def __len__(self) -> int:
        """How many senders are counted."""
        return len(self._allowance)


def _rate(text: str) -> tuple[float, float]:
    if not text:
        return 0.0, 1.0
    count, _, unit = text.partition("/")
    return float(count), _SECONDS[unit]


def _name_in(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:  # half an IPv6 address
        return ""


def _bare(value: str) -> str:
    scheme, _, rest = value.partition(" ")
    return rest.strip() if scheme.lower() == "bearer" else value.strip()
