"""How each state of an invocation looks: word, colour and icon always together. Knows values, no widgets."""

from dataclasses import dataclass
from typing import Final, assert_never

from callgate.core.calls.invocation import Invocation


@dataclass(frozen=True, slots=True)
class StateLook:
    word: str
    color: str
    """A name of `Tokens`."""
    icon: str
    """A key of `ICONS`."""


FORMING: Final = StateLook("forming", "accent", "forming")
WAITING: Final = StateLook("waiting", "waiting", "waiting")
RUNNING: Final = StateLook("running", "executing", "running")
REVIEW: Final = StateLook("review", "waiting", "review")
DONE: Final = StateLook("done", "completed", "done")
ANSWERED: Final = StateLook("answered", "completed", "answered")
FAILED: Final = StateLook("failed", "denied", "failed")
DENIED: Final = StateLook("denied", "denied", "denied")
SKIPPED: Final = StateLook("skipped", "cancelled", "skipped")
TIMED_OUT: Final = StateLook("timed out", "denied", "timed_out")
CANCELLED: Final = StateLook("cancelled", "cancelled", "cancelled")
RELEASED: Final = StateLook("released", "released", "released")


def look_of(invocation: Invocation) -> StateLook:
    match invocation.state:
        case "Streaming":
            return FORMING
        case "WaitingForConfirmation":
            return WAITING
        case "Executing":
            return RUNNING
        case "WaitingForPostApproval":
            return REVIEW
        case "Completed":
            return _completed(invocation)
        case "Cancelled":
            return TIMED_OUT if invocation.reason == "Timeout" else CANCELLED
        case "Released":
            return RELEASED
        case _:
            assert_never(invocation.state)


def _completed(invocation: Invocation) -> StateLook:
    if invocation.reason == "Denied":
        return DENIED
    if invocation.reason == "Skipped":
        return SKIPPED
    if invocation.reason == "Timeout":
        return TIMED_OUT
    if invocation.result is not None and invocation.result.is_error:
        return FAILED
    ran = any(phase.state == "Executing" for phase in invocation.phases)
    if invocation.decided_by == "person" and not ran:
        return ANSWERED
    return DONE
