"""What can go wrong, and who has to hear of it.

    CallgateError
    ├── UserFault            the person or the client did something that can't work; shown as it is
    │   ├── BadRequest       a request that breaks a rule; names the field
    │   └── Unspeakable      a value that the target wire cannot spell
    ├── PeerFault            a provider, tool or server failed; kept as data on the exchange or invocation
    └── NotRecorded          the journal cannot be written; what has effects must not go on by itself

Anything else is a bug: it is logged and shown in a banner, never swallowed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

FaultKind = Literal[
    "invalid_request",
    "context_overflow",
    "authentication",
    "billing",
    "permission",
    "not_found",
    "timeout",
    "too_large",
    "rate_limit",
    "overloaded",
    "upstream",
]

STATUS_OF: dict[FaultKind, int] = {
    "invalid_request": 400,
    "context_overflow": 400,
    "authentication": 401,
    "billing": 402,
    "permission": 403,
    "not_found": 404,
    "timeout": 504,
    "too_large": 413,
    "rate_limit": 429,
    "overloaded": 503,
    "upstream": 502,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure as data, in no wire's words; each codec spells it with `write_error`."""

    kind: FaultKind
    message: str
    param: str | None = None
    """The field at fault, as a path such as `tools[0].function.name`."""
    code: str | None = None
    status: int = 0
    """The HTTP status a peer gave; 0 = the usual one of the kind."""
    retry_after: float | None = None
    """Seconds, where the peer said so."""
    should_retry: bool | None = None
    """What the peer itself advises; None = it says nothing of it."""

    @property
    def http_status(self) -> int:
        return self.status or STATUS_OF[self.kind]


class CallgateError(Exception):
    """Root of everything that Callgate raises on purpose."""


class UserFault(CallgateError):
    """Something the person or the client can mend; its text is shown as it is."""


class BadRequest(UserFault):
    """A request that breaks a rule of its wire or of Callgate."""

    def __init__(
        self,
        message: str,
        param: str | None = None,
        *,
        code: str | None = None,
        kind: FaultKind = "invalid_request",
    ) -> None:
        super().__init__(message)
        self.fault = Fault(kind, message, param, code)


class Unspeakable(BadRequest):
    """A value that cannot be spelled in the target wire: refused, never silently dropped."""


@dataclass(frozen=True, slots=True)
class RefusedReply:
    """A provider's refusal exactly as it came, for clients that speak its wire."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Those that concern the client: ids for support, limits, when to try again."""
    as_usual: bool = True
    """Whether it has the shape that clients of its wire know; else they are told in that."""


class PeerFault(CallgateError):
    """A provider, tool or server failed; harms only its own exchange."""

    def __init__(self, fault: Fault, reply: RefusedReply | None = None) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.reply = reply


class NotRecorded(CallgateError):
    """What happened is not in the journal, and cannot be written there now; the text says why."""
