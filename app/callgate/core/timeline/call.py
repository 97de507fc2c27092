"""One call on a timeline: its arguments forming, its judging, its waiting, its run. Pure."""

from dataclasses import dataclass, field
from typing import Final

from callgate.core.calls.invocation import Invocation, Phase
from callgate.core.timeline.bars import Lane, Mark, Span
from callgate.core.timeline.frames import FrameTrace

_NOTICED: Final = 0.001
"""Seconds; judging that takes less is not worth a bar."""


@dataclass(slots=True)
class CallTrace:
    """What is known of a call so far."""

    call: Invocation
    progress: list[tuple[float, str, float | None, float | None]] = field(
        default_factory=list[tuple[float, str, "float | None", "float | None"]]
    )
    """When, the words, done, total."""
    frames: FrameTrace = field(default_factory=FrameTrace)
    """What it caused at an MCP server."""


def call_lane(call: Invocation) -> Lane:
    bad = call.refused or (call.result is not None and call.result.is_error)
    state = "live" if call.is_live else "denied" if bad or call.state == "Cancelled" else ""
    return Lane("call", call.tool, call.source, call.exchange_id, call.round, call.call_id, state, call.id)


def call_spans(trace: CallTrace, lane: int, formed: tuple[float, float] | None, now: float, is_mcp: bool) -> list[Span]:
    """`formed`: when its arguments began and ended to arrive, where that is known."""
    call = trace.call
    spans: list[Span] = []
    for index, phase in enumerate(call.phases):
        last = index + 1 == len(call.phases)
        until = now if last else call.phases[index + 1].since
        span = _span(call, phase, until, last and call.is_live, lane, formed, is_mcp)
        if span is not None:
            spans += span
    return spans


def call_marks(trace: CallTrace, lane: int) -> list[Mark]:
    # progress that came as a message stands among the messages
    progress = [] if trace.frames.tells_progress else trace.progress
    marks = [Mark("progress", lane, at, _told(text, done, total)) for at, text, done, total in progress]
    call = trace.call
    decided = next((p for p in call.phases if p.state in ("Executing", "Released", "Completed", "Cancelled")), None)
    if decided is not None and call.decided_by is not None:
        marks.append(Mark("decision", lane, decided.since, decision_words(call)))
    marks += [Mark("decision", lane, one.at, f"Void: {one.why}") for one in call.voided]
    return marks


def decision_words(call: Invocation) -> str:
    verb = "Denied" if call.reason == "Denied" else "Skipped" if call.reason == "Skipped" else "Decided"
    verb = "Allowed" if call.state in ("Executing", "Released") or _ran(call) else verb
    verb = "Cancelled" if call.state == "Cancelled" else verb
    why = f": {call.explanation}" if call.explanation else ""
    return f"{verb} by {call.decided_by}{why}"


def _ran(call: Invocation) -> bool:
    return any(phase.state in ("Executing", "Released") for phase in call.phases)


def _span(
    call: Invocation,
    phase: Phase,
    until: float,
    live: bool,
    lane: int,
    formed: tuple[float, float] | None,
    is_mcp: bool,
) -> list[Span] | None:
    since = phase.since
    match phase.state:
        case "Streaming":
            end = min(formed[1], until) if formed is not None else until
            words = f"The arguments of {call.tool} form"
            spans = [Span("arguments", lane, since, max(since, end), words, live)]
            if until - end > _NOTICED and formed is not None:
                spans.append(Span("judging", lane, end, until, f"{call.tool} is judged", live))
            return spans
        case "WaitingForConfirmation":
            return [Span("person", lane, since, until, f"{call.tool} waits for a person", live)]
        case "WaitingForPostApproval":
            return [Span("person", lane, since, until, f"The result of {call.tool} waits for a person", live)]
        case "Executing":
            kind = "mcp" if is_mcp else "tool"
            how = f"{call.tool} runs at the MCP server {call.source}" if is_mcp else f"{call.tool} runs ({call.source})"
            failed = call.result is not None and call.result.is_error
            return [Span(kind, lane, since, until, how, live, failed)]
        case _:
            return None


def _told(text: str, done: float | None, total: float | None) -> str:
    share = f" ({done:g} of {total:g})" if done is not None and total else ""
    return f"Progress{share}: {text[:200]}" if text.strip() else f"Progress{share}"
