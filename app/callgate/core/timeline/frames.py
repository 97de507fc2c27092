"""The JSON-RPC messages of one call on a timeline: each at its moment, requests as bars until their answers. Pure."""

from collections.abc import Iterable, Sequence
from typing import Final

from callgate.core.calls.invocation import Invocation
from callgate.core.events import FrameCaptured
from callgate.core.timeline.bars import Lane, Mark, MarkKind, Span, SpanKind

MOST_NOTICES: Final = 200
"""Notifications kept of one call: a chatty server reports progress by the thousand."""
MOST_MESSAGES: Final = 500
"""And anything else: a server that asks and asks is cut off long before."""
_PROGRESS: Final = "notifications/progress"


class FrameTrace:
    """The messages of a call, as they become known; each once, also where it is read and heard."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._held: list[FrameCaptured] = []
        self._notices = 0
        self.left_out = 0

    def __len__(self) -> int:
        return len(self._held)

    def take(self, frame: FrameCaptured) -> None:
        if frame.id in self._known:
            return
        self._known.add(frame.id)
        is_notice = frame.role == "notification"
        if (self._notices >= MOST_NOTICES) if is_notice else (len(self._held) - self._notices >= MOST_MESSAGES):
            self.left_out += 1
            return
        self._notices += is_notice
        self._held.append(frame)

    @property
    def frames(self) -> Sequence[FrameCaptured]:
        return self._held

    @property
    def tells_progress(self) -> bool:
        return any(frame.method == _PROGRESS for frame in self._held)


def frame_lane(call: Invocation, trace: FrameTrace) -> Lane:
    over = {"stdio": "stdio", "http": "HTTP", "sse": "SSE"}.get(trace.frames[0].transport, "")
    count = len(trace) + trace.left_out
    told = f"{count:,} message{'' if count == 1 else 's'}"
    about = f"{told} · {over}" if over else told
    return Lane("mcp", "JSON-RPC", about, call.exchange_id, call.round, call.call_id, "", call.id)


def frame_spans(call: Invocation, frames: Iterable[FrameCaptured], lane: int, now: float) -> list[Span]:
    """From each request to its answer; one that was never answered lasts as long as the call did."""
    spans: list[Span] = []
    waiting: dict[tuple[str, str], FrameCaptured] = {}
    for frame in frames:
        if frame.role == "request":
            waiting[frame.direction, frame.rpc_id] = frame
        elif frame.role in ("response", "error") or frame.method == "notifications/cancelled":
            asker = frame.direction if frame.role == "notification" else _other(frame.direction)
            asked = waiting.pop((asker, frame.rpc_id), None)
            if asked is not None:
                spans.append(_span(asked, lane, frame.at, frame.role != "response"))
    end = now if call.is_live else call.phases[-1].since if call.phases else now
    for asked in waiting.values():
        spans.append(_span(asked, lane, max(asked.at, end), not call.is_live, call.is_live))
    return sorted(spans, key=lambda span: span.start)


def frame_marks(frames: Iterable[FrameCaptured], lane: int) -> list[Mark]:
    return [Mark(_mark(frame), lane, frame.at, frame_words(frame), frame.id, frame.role == "error") for frame in frames]


def frame_words(frame: FrameCaptured) -> str:
    """`← answer to tools/call · id 3 · 812 bytes · 41.0 ms after the request`"""
    way = "→" if frame.direction == "out" else "←"
    match frame.role:
        case "request" | "notification":
            what = frame.method
        case "response":
            what = f"answer to {frame.method}" if frame.method else "answer"
        case "error":
            what = f"error, for {frame.method}" if frame.method else "error"
    about = "of" if frame.role == "notification" else "id"
    named = f" · {about} {frame.rpc_id}" if frame.rpc_id else ""
    after = frame.seconds_after
    since = f" · {after * 1000:,.1f} ms after the request" if after is not None else ""
    return f"{way} {what}{named} · {frame.size:,} bytes{since}{_certainty(frame)}"


def _certainty(frame: FrameCaptured) -> str:
    match frame.joined:
        case "alone":
            return "\nIt names no call; this was the only one that ran."
        case "stream":
            return "\nIt came on the HTTP stream of this call."
        case _:
            return ""


def _span(asked: FrameCaptured, lane: int, until: float, is_bad: bool, is_live: bool = False) -> Span:
    kind: SpanKind = "rpc" if asked.direction == "out" else "question"
    who = f"{asked.method} {asked.rpc_id}".strip()
    words = f"{who} at the server {asked.source}" if kind == "rpc" else f"{asked.source} asks: {who}"
    return Span(kind, lane, asked.at, until, words, is_live, is_bad)


def _mark(frame: FrameCaptured) -> MarkKind:
    if frame.role == "notification" and frame.direction == "in":
        return "notice"
    return "sent" if frame.direction == "out" else "received"


def _other(direction: str) -> str:
    return "in" if direction == "out" else "out"
