"""How a tool has been used: pure numbers of calls that are over."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from callgate.core.calls.invocation import Decider, Invocation, Reason, State

DAYS: Final = 14
"""Days that are shown one by one, today included."""
MOST_TIMES: Final = 60
"""Times that are shown one by one, the latest of all."""


@dataclass(frozen=True, slots=True)
class PastCall:
    """A call that is over, as far as numbers need it."""

    invocation_id: str
    conversation_id: str
    agent: str
    at: float
    """When it was over."""
    state: State
    reason: Reason | None = None
    decided_by: Decider | None = None
    is_error: bool = False
    ran: float | None = None
    """Seconds that the tool took; None = it did not run here."""
    waited: float | None = None
    """Seconds that it waited for a person; None = it did not."""

    @property
    def was_refused(self) -> bool:
        return self.reason in ("Denied", "Skipped", "Timeout")

    @property
    def failed(self) -> bool:
        return self.is_error and not self.was_refused

    @property
    def word(self) -> str:
        """How it ended, in a word."""
        match self.reason, self.state:
            case "Denied", _:
                return "denied"
            case "Skipped", _:
                return "skipped"
            case "Timeout", _:
                return "timed out"
            case _, "Cancelled":
                return "cancelled"
            case _, "Released":
                return "released"
            case _:
                return "failed" if self.is_error else "completed"


@dataclass(frozen=True, slots=True)
class ToolStatistics:
    calls: int = 0
    approved: int = 0
    """By a person."""
    allowed: int = 0
    """By a rule or a setting, unasked."""
    denied: int = 0
    """By anybody, skipped and timed-out ones included."""
    failed: int = 0
    """Ran, and returned an error."""
    cancelled: int = 0
    p50: float | None = None
    """Seconds; None = none has run here."""
    p95: float | None = None
    waited_p50: float | None = None
    days: tuple[int, ...] = (0,) * DAYS
    """Calls of each of the last days, today last."""
    failed_days: tuple[int, ...] = (0,) * DAYS
    times: tuple[float, ...] = ()
    """Seconds of the latest runs, the newest last."""
    agents: tuple[tuple[str, int], ...] = ()
    """Who called it how often, the most frequent first."""
    latest: tuple[PastCall, ...] = ()
    """The last calls, newest first."""


def past_call(invocation: Invocation, at: float) -> PastCall:
    """Of a call that is over."""
    states = {phase.state for phase in invocation.phases}
    ran = invocation.seconds_in("Executing", at) if "Executing" in states else None
    waited = invocation.seconds_in("WaitingForConfirmation", at) if "WaitingForConfirmation" in states else None
    result = invocation.ran_result or invocation.result
    return PastCall(
        invocation.id,
        invocation.conversation_id,
        invocation.agent,
        at,
        invocation.state,
        invocation.reason,
        invocation.decided_by,
        result is not None and result.is_error,
        ran,
        waited,
    )


def statistics_of(calls: Sequence[PastCall], now: float, latest: int = 10) -> ToolStatistics:
    """Of all calls of one tool, newest first."""
    days, failed_days = [0] * DAYS, [0] * DAYS
    agents: dict[str, int] = {}
    today = _day(now)
    for call in calls:
        agents[call.agent] = agents.get(call.agent, 0) + 1
        age = today - _day(call.at)
        if 0 <= age < DAYS:
            days[DAYS - 1 - age] += 1
            failed_days[DAYS - 1 - age] += call.failed
    ran = [call.ran for call in calls if call.ran is not None]
    waited = [call.waited for call in calls if call.waited is not None]
    live = [call for call in calls if not call.was_refused and call.state != "Cancelled"]
    return ToolStatistics(
        calls=len(calls),
        approved=sum(call.decided_by == "person" for call in live),
        allowed=sum(call.decided_by in ("rule", "setting") for call in live),
        denied=sum(call.was_refused for call in calls),
        failed=sum(call.failed for call in calls),
        cancelled=sum(call.state == "Cancelled" and not call.was_refused for call in calls),
        p50=percentile(ran, 0.5),
        p95=percentile(ran, 0.95),
        waited_p50=percentile(waited, 0.5),
        days=tuple(days),
        failed_days=tuple(failed_days),
        times=tuple(reversed(ran[:MOST_TIMES])),
        agents=tuple(sorted(agents.items(), key=lambda pair: (-pair[1], pair[0]))),
        latest=tuple(calls[:latest]),
    )


def percentile(values: Iterable[float], share: float) -> float | None:
    """The smallest value that at least this share of all does not exceed; None of nothing."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


def _day(at: float) -> int:
    """The day on the calendar that people have on the wall."""
    return date.fromtimestamp(at).toordinal()
