"""When a waiting call ends by itself, and how: the same words on the card, in the dialog and in the queue. Pure."""

from callgate.core.calls.invocation import Invocation
from callgate.ui.text.format import stopwatch


def late_verb(invocation: Invocation) -> str:
    """What happens to it if nobody decides in time."""
    if invocation.state == "WaitingForPostApproval":
        return "withholds"
    verdict = invocation.verdict
    return "allows" if verdict is not None and verdict.at_deadline == "allow" else "denies"


def deadline_words(invocation: Invocation, now: float) -> str:
    """Empty = it does not end by itself, or not before it was shown."""
    if not invocation.is_waiting or invocation.deadline is None:
        return ""
    if invocation.deferred and invocation.seen_at is None:
        return ""
    return f"Auto-{late_verb(invocation)} in {stopwatch(invocation.deadline - now)}"
