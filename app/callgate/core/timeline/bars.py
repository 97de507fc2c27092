"""Where the time of a conversation went, as bars on lanes: rounds, streaming, people, tools, MCP. Pure; draws nothing.

`Timeline` is what there is to draw; `core.timeline_fold` makes it from events.
"""

from dataclasses import dataclass
from typing import Final, Literal

MarkKind = Literal["first_token", "progress", "decision", "sent", "received", "notice"]
"""The last three are messages between Callgate and an MCP server."""
SpanKind = Literal[
    "exchange",
    "provider",
    "reasoning",
    "text",
    "arguments",
    "judging",
    "person",
    "tool",
    "mcp",
    "rpc",
    "question",
    "client",
    "gap",
]
KINDS: Final[tuple[tuple[SpanKind, str], ...]] = (
    ("provider", "Until the first token"),
    ("reasoning", "Reasoning"),
    ("text", "Text"),
    ("arguments", "Arguments forming"),
    ("person", "Waiting for a person"),
    ("tool", "Tool running"),
    ("mcp", "MCP server working"),
    ("rpc", "JSON-RPC request"),
    ("question", "Server asks back"),
    ("client", "Client runs the tool"),
)
"""What a legend tells, in the order in which things happen."""
LaneKind = Literal["exchange", "round", "call", "mcp"]


@dataclass(frozen=True, slots=True)
class Lane:
    kind: LaneKind
    title: str
    about: str = ""
    """More, where there is room."""
    exchange_id: str = ""
    round: int = 0
    call_id: str = ""
    """A call's, as the model named it: what joins the bars of a call."""
    state: str = ""
    """`live`, `failed`, `denied`, or empty."""
    invocation_id: str = ""
    """Ours for the call."""


@dataclass(frozen=True, slots=True)
class Span:
    kind: SpanKind
    lane: int
    start: float
    end: float
    words: str
    """What it is, in full: shown on hover."""
    is_live: bool = False
    is_bad: bool = False
    """It failed, was denied or cancelled."""

    @property
    def seconds(self) -> float:
        return max(0.0, self.end - self.start)


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment."""

    kind: MarkKind
    lane: int
    at: float
    words: str
    frame_id: str = ""
    """The message that passed then."""
    is_bad: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """What led to what: a round to its calls, a call to the round that got its result."""

    start: float
    from_lane: int
    end: float
    to_lane: int


@dataclass(frozen=True, slots=True)
class Timeline:
    lanes: tuple[Lane, ...] = ()
    spans: tuple[Span, ...] = ()
    marks: tuple[Mark, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def start(self) -> float:
        return min((span.start for span in self.spans), default=0.0)

    @property
    def end(self) -> float:
        return max((span.end for span in self.spans), default=0.0)

    @property
    def is_live(self) -> bool:
        return any(span.is_live for span in self.spans)

    def spent(self) -> dict[SpanKind, float]:
        """How many seconds went into what; bars that lie over each other count once."""
        return {kind: _covered([s for s in self.spans if s.kind == kind]) for kind, _ in KINDS}


def _covered(spans: list[Span]) -> float:
    total, until = 0.0, float("-inf")
    for span in sorted(spans, key=lambda span: span.start):
        total += max(0.0, span.end - max(span.start, until))
        until = max(until, span.end)
    return total
