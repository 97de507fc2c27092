"""What a call card says of a call: its look, who decided, how long it took, what came back. Pure."""

from typing import Final

from callgate.core.agent import OWN_NAME
from callgate.core.calls.invocation import Invocation
from callgate.engine.gate.verdict_preview import VerdictPreview
from callgate.ui.conversation.blocks import CallBlock
from callgate.ui.decision.deadline_words import deadline_words
from callgate.ui.text import format as figures
from callgate.ui.theme.state_look import CANCELLED, FORMING, StateLook, look_of

EARLIER: Final = StateLook("earlier call", "text3", "tool")
"""A call that a client brought along: Callgate has not seen it happen."""
BROKEN_OFF: Final = StateLook("broken off", CANCELLED.color, CANCELLED.icon)

_SCOPES: Final = {
    "turn": "for this turn",
    "conversation": "for this conversation",
    "session": "for this session",
    "workspace": "for this workspace",
    "always": "for good",
}


def look(block: CallBlock) -> StateLook:
    if block.invocation is not None:
        return look_of(block.invocation)
    if block.broken_off:
        return BROKEN_OFF
    return FORMING if block.forming else EARLIER


def foresight_words(seen: VerdictPreview) -> tuple[str, str]:
    """What will become of a call that is still being written, and in which colour."""
    why = (
        f": {seen.rule}"
        if seen.rule
        else f": {seen.reason}"
        if seen.reason and seen.reason != "no rule matched"
        else ""
    )
    by = f"by rule{why}" if seen.rule else f"by setting{why}"
    match seen.kind:
        case "allow":
            return f"{'Will be allowed' if seen.certain else 'So far allowed'} {by}", "completed"
        case "deny":
            return f"{'Will be denied' if seen.certain else 'So far denied'} {by}", "denied"
        case "ask":
            return f"{'Will ask you' if seen.certain else 'So far it would ask you'}{why}", "waiting"


def clock_words(invocation: Invocation, now: float) -> str:
    """The running clock beside the state, for states that last."""
    state = invocation.state
    if not invocation.is_live or state == "Streaming" or not invocation.phases:
        return ""
    words = figures.stopwatch(now - invocation.phases[-1].since)
    if invocation.is_waiting and invocation.deferred and invocation.seen_at is None:
        return f"{words} · not shown yet"
    return deadline_words(invocation, now) or words


def tool_words(invocation: Invocation) -> str:
    """How the tool itself speaks of the call as it stands; empty = it has no words."""
    said = invocation.wording
    match invocation.state:
        case "Executing":
            return said.invocation_message
        case "Completed" | "WaitingForPostApproval":
            return said.past_tense_message if _went_on(invocation) else ""
        case _:
            return ""


def timings(invocation: Invocation) -> str:
    """How long a finished call waited, ran and was reviewed."""
    if invocation.is_live or not invocation.phases:
        return ""
    end = invocation.phases[-1].since
    spans = (
        ("waited", invocation.seconds_in("WaitingForConfirmation", end)),
        ("ran", invocation.seconds_in("Executing", end)),
        ("reviewed in", invocation.seconds_in("WaitingForPostApproval", end)),
    )
    seen = {phase.state for phase in invocation.phases}
    said = [f"{word} {figures.seconds(span)}" for word, span in spans if span > 0]
    if not said and "Executing" in seen:
        said.append("ran 0 ms")
    return " · ".join(said)


def decided(invocation: Invocation) -> str:
    """Who or what decided, and by which rule; and whether decisions before that did not count."""
    void = len(invocation.voided)
    earlier = (
        f"{void} earlier decision{'s' if void > 1 else ''} void, as what would have run had changed" if void else ""
    )
    return " · ".join(filter(None, (earlier, _last_decision(invocation))))


def _last_decision(invocation: Invocation) -> str:
    if invocation.is_live and invocation.decided_by is None:
        return ""
    refused = invocation.refused
    reviewed = any(phase.state == "WaitingForPostApproval" for phase in invocation.phases)
    verdict = None if reviewed else invocation.verdict  # a review leaves its own, which let nothing through
    if invocation.state == "Completed" and invocation.decided_by == "rule" and not refused and not _went_on(invocation):
        return "not run, without asking"  # what was wrong with it is told by the result
    match invocation.decided_by:
        case "person":
            if invocation.state == "Cancelled":
                return "stopped by you"
            verb = "denied" if invocation.reason == "Denied" else "skipped" if refused else "approved"
            if invocation.state == "Completed" and not refused and not _went_on(invocation):
                verb = "answered"
            if invocation.agent == OWN_NAME and not _asked(invocation) and not refused:
                return "started by you"
            scope = _SCOPES.get(invocation.scope or "", "")
            return " ".join(filter(None, (f"{verb} by you", scope)))
        case "rule":
            why = (verdict.rule or verdict.reason) if verdict is not None else ""
            return f"{'denied' if refused else 'allowed'} by rule" + (f": {why}" if why else "")
        case "setting":
            why = verdict.reason if verdict is not None else ""
            return f"{'denied' if refused else 'allowed'} by setting" + (f": {why}" if why else "")
        case "deadline":
            return "not decided in time" if refused else "allowed without a decision in time"
        case "client":
            return "the client went away"
        case "provider":
            return "the model's answer broke off"
        case "shutdown":
            return "Callgate was closed"
        case "leaving":
            return "you quit Callgate"
        case None:
            return ""


def _asked(invocation: Invocation) -> bool:
    return any(phase.state == "WaitingForConfirmation" for phase in invocation.phases)


def _went_on(invocation: Invocation) -> bool:
    return any(phase.state in ("Executing", "Released") for phase in invocation.phases)
