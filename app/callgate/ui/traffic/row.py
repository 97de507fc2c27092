"""A row of the traffic table: one exchange, or one round of it. Pure values.

`until` grows while a row is live, so that everything derived from it is a function of the row alone. `facts` is what
the expression language sees, worked out once: a filter asks it of every row at every keystroke.
"""

import math
from dataclasses import dataclass
from typing import Final, Literal

from callgate.core.calls.invocation import Invocation
from callgate.core.errors import Fault
from callgate.core.events import ClientWire
from callgate.core.json.dotted_path import reach
from callgate.core.messages import Json, Usage
from callgate.core.request import WireName
from callgate.core.rules.match import FieldValue

Status = Literal["running", "streaming", "waiting", "completed", "failed", "cancelled"]
LIVE: Final = frozenset[Status]({"running", "streaming", "waiting"})
HTTP_OK: Final = 200
NUMBERS: Final = frozenset({"dur", "tokens", "cost"})
"""Fields that hold one number or nothing."""
UNKNOWN: Final = math.nan
"""Neither more nor less than any number, which is just what an expression should find."""
_ABSENT: Final = object()
Step = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Spent:
    """Where the time of a row went, in seconds; what is left over went by between its rounds."""

    provider: float = 0.0
    """Until the first token."""
    streaming: float = 0.0
    person: float = 0.0
    tools: float = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            self.provider + other.provider,
            self.streaming + other.streaming,
            self.person + other.person,
            self.tools + other.tools,
        )


@dataclass(frozen=True, slots=True)
class Facts:
    """The fields of the expression language, each under its own name."""

    agent: tuple[FieldValue, ...] = ()
    model: tuple[FieldValue, ...] = ()
    endpoint: tuple[FieldValue, ...] = ()
    status: tuple[FieldValue, ...] = ()
    tool: tuple[FieldValue, ...] = ()
    source: tuple[FieldValue, ...] = ()
    state: tuple[FieldValue, ...] = ()
    decision: tuple[FieldValue, ...] = ()
    dur: float = UNKNOWN
    tokens: float = UNKNOWN
    cost: float = UNKNOWN
    args: tuple[Json, ...] = ()
    """The arguments of each call, read."""
    result: tuple[Json, ...] = ()
    """The result of each call that has one, read; a plain text is `{"text": …}`."""
    text: str = ""
    """What bare words search, in one case."""

    def under(self, root: str, path: list[str]) -> tuple[FieldValue, ...]:
        held: tuple[Json, ...] = self.args if root == "args" else self.result
        if len(path) == 1 and len(held) == 1 and isinstance(held[0], dict):  # nearly always, and much cheaper
            value = held[0].get(path[0], _ABSENT)
            if value is _ABSENT:
                return ()
            if not isinstance(value, dict | list):
                return (value,)  # type: ignore[return-value]
        return tuple(value for item in held for value in reach(item, path))


@dataclass(frozen=True, slots=True)
class TrafficRow:
    exchange_id: str
    conversation_id: str
    round: int
    """0 = the exchange as a whole."""
    at: float
    until: float
    """When it ended, or up to when it has been watched."""
    agent: str
    wire: ClientWire
    """The client's."""
    upstream_wire: WireName | None
    endpoint: str
    model: str
    asked_model: str
    stream: bool
    status: Status
    fault: Fault | None
    rounds: int
    offered: int
    calls: tuple[Invocation, ...]
    usage: Usage | None
    cost: float | None
    first_token_at: float | None
    spent: Spent
    untouched: bool
    repairs: tuple[str, ...]
    facts: Facts
    warnings: tuple[str, ...] = ()
    """What the provider's wire could not be told."""
    call: str = ""
    """The invocation that the row stands for: a call to an MCP server; empty = an exchange or a round."""
    turn: int = 0
    """Which call of its round it is, from 1; 0 = no call."""
    urls: tuple[str, ...] = ()
    """Where each round of the exchange went, in order; empty = that was not recorded."""
    agent_proven: bool = False
    """Whether a token proved the agent's name."""

    def url_of(self, number: int) -> str:
        """Where a round went; empty = not recorded."""
        return self.urls[number - 1] if 0 < number <= len(self.urls) else ""

    @property
    def id(self) -> str:
        return f"{self.exchange_id}#{self.round}.{self.turn}" if self.turn else f"{self.exchange_id}#{self.round}"

    @property
    def step(self) -> Step:
        """Where it stands among the rows of its exchange."""
        return self.round, self.turn

    @property
    def is_live(self) -> bool:
        return self.status in LIVE

    @property
    def seconds(self) -> float:
        return max(0.0, self.until - self.at)

    @property
    def first_token_seconds(self) -> float | None:
        return None if self.first_token_at is None else max(0.0, self.first_token_at - self.at)

    @property
    def tokens_per_second(self) -> float | None:
        """How fast the model wrote, once it had begun."""
        if self.usage is None or not self.usage.output or self.spent.streaming <= 0:
            return None
        return self.usage.output / self.spent.streaming

    @property
    def code(self) -> int | None:
        """The HTTP status that the client saw; None where there is none yet or never will be."""
        if self.call:
            return None
        if self.status == "completed":
            return HTTP_OK
        return self.fault.http_status if self.fault is not None else None

    # ---- the subject of an expression ------------------------------------------------------------------------------

    def values(self, field: str) -> tuple[FieldValue, ...]:
        root, dot, path = field.partition(".")
        if dot:
            return self.facts.under(root, path.split("."))
        held = getattr(self.facts, field)
        return held if field not in NUMBERS else () if math.isnan(held) else (held,)

    def text(self) -> str:
        return self.facts.text
