"""Which requests are admitted: to loopback names, from programs and confirmed web pages, with the token, in no flood.

A web page in the person's browser can reach loopback; `Host`, `Origin` and `Sec-Fetch-Site` are what tells it from a
program. The last is there because a page's plain GET carries no `Origin`.
"""

import hmac
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from callgate.core.config.settings import ServerSettings
from callgate.core.errors import Fault
from callgate.core.web_origin import LOOPBACK, read_host, read_origin
from callgate.engine.gate.web_origins import WebOrigins
from callgate.proxy.agent_path import Credential

_ANY = frozenset({"0.0.0.0", "::"})
_NO_PAGE = frozenset({"", "none"})
"""`Sec-Fetch-Site` of programs, and of an address that the person typed. No page of Callgate's own exists."""
_SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0}
KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key", "api-key")
_MANY_SENDERS = 1000
"""Beyond so many, those that have been quiet for longest are forgotten."""


@dataclass(frozen=True, slots=True)
class Refused(Exception):
    fault: Fault


class Guard:
    def __init__(
        self,
        settings: ServerSettings,
        clock: Callable[[], float] = time.monotonic,
        *,
        origins: WebOrigins | None = None,
    ) -> None:
        """`origins`: which web pages are admitted; None = none."""
        self._origins = origins
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
        self.check_host(headers.get("host", ""))
        self.page_of(headers)
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

    def page_of(self, headers: Mapping[str, str]) -> str:
        """The web origin that a request comes from; empty = a program. Raises `Refused` if it has no permission."""
        header = headers.get("origin", "")
        if not header:
            if headers.get("sec-fetch-site", "").strip().lower() not in _NO_PAGE:
                raise Refused(
                    Fault(
                        "permission",
                        "This request comes from a web page without saying which. Send it with fetch() in CORS mode.",
                        "sec-fetch-site",
                    )
                )
            return ""
        origin = read_origin(header)
        if origin is None:
            raise Refused(
                Fault("permission", f"Requests with the origin {header!r} are not accepted.", "origin"),
            )
        if self._origins is None or not self._origins.allows(origin):
            said = f"Requests from web pages of {origin} are not accepted."
            raise Refused(
                Fault("permission", said if self._origins is None else self._origins.refusal(origin), "origin")
            )
        return origin

    def check_host(self, host: str) -> None:
        """The name decides, against DNS rebinding. Any port is taken: forwarded and mapped ports differ from ours."""
        read = read_host(host)
        if read is not None and (self._host in _ANY or read[0] in LOOPBACK or read[0] == self._host.lower()):
            return
        raise Refused(Fault("permission", f"Host {host!r} is not served here.", "host"))

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


def _bare(value: str) -> str:
    scheme, _, rest = value.partition(" ")
    return rest.strip() if scheme.lower() == "bearer" else value.strip()
