"""A row of the traffic table: one exchange, or one round of it, and what the expression language sees of it.

Pure values. `until` grows while a row is live, so that everything derived from it is a function of the row alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from callgate.core.errors import Fault
from callgate.core.invocation import Invocation
from callgate.core.json_reach import loaded, reach
from callgate.core.match import FieldValue
from callgate.core.messages import Usage
from callgate.core.request import WireName

Status = Literal["running", "streaming", "waiting", "completed", "failed", "cancelled"]
LIVE: Final = frozenset[Status]({"running", "streaming", "waiting"})
_HTTP_OK: Final = 200


@dataclass(frozen=True, slots=True)
class Spent:
    """Where the time of a row went, in seconds; what is left over is Callgate's own and the tools' waiting in line."""

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
class TrafficRow:
    exchange_id: str
    conversation_id: str
    round: int
    """0 = the exchange as a whole."""
    at: float
    until: float
    """When it ended, or up to when it has been watched."""
    agent: str
    wire: WireName
    """The client's."""
    upstream_wire: WireName | None = None
    endpoint: str = ""
    model: str = ""
    asked_model: str = ""
    stream: bool = False
    status: Status = "running"
    fault: Fault | None = None
    rounds: int = 0
    offered: int = 0
    calls: tuple[Invocation, ...] = ()
    usage: Usage | None = None
    cost: float | None = None
    first_token_at: float | None = None
    spent: Spent = Spent()
    untouched: bool = False
    repairs: tuple[str, ...] = ()
    folded: str = ""
    """What bare words search, in one case."""

    @property
    def id(self) -> str:
        return f"{self.exchange_id}#{self.round}"

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
        if self.status == "completed":
            return _HTTP_OK
        return self.fault.http_status if self.fault is not None else None

    # ---- the subject of an expression ------------------------------------------------------------------------------

    def values(self, field: str) -> tuple[FieldValue, ...]:
        return values_of(field)(self)

    def text(self) -> str:
        return self.folded


Values = Callable[[TrafficRow], tuple[FieldValue, ...]]


def values_of(field: str) -> Values:
    """How to read one field of many rows."""
    root, _, path = field.partition(".")
    if root == "args":
        return lambda row: tuple(
            value for call in row.calls for value in reach(loaded(call.effective_arguments), path.split("."))
        )
    if root == "result":
        return lambda row: tuple(value for call in row.calls for value in _result_values(call, path))
    return _PLAIN[field]


def _result_values(call: Invocation, path: str) -> tuple[FieldValue, ...]:
    """Of a JSON result its fields; of any other its whole text, as `result.text`."""
    if call.result is None:
        return ()
    text = call.result.text
    value = loaded(text)
    if isinstance(value, dict | list):
        return tuple(reach(value, path.split(".")))
    return (text,) if path == "text" else ()


def _status(row: TrafficRow) -> tuple[FieldValue, ...]:
    code = () if row.code is None else (row.code,)
    fault = () if row.fault is None else (row.fault.kind,)
    return (*code, row.status, *fault)


def _decision(row: TrafficRow) -> tuple[FieldValue, ...]:
    said: dict[str, None] = {}
    for call in row.calls:
        if call.decided_by is not None:
            said["deny" if call.refused else "allow"] = None
            said[call.decided_by] = None
        if call.reason is not None:
            said[call.reason] = None
        if call.verdict is not None:
            said[call.verdict.kind] = None
    return tuple(said)


_PLAIN: Final[dict[str, Values]] = {
    "tool": lambda row: tuple(call.tool for call in row.calls),
    "source": lambda row: tuple(call.source for call in row.calls),
    "agent": lambda row: (row.agent,),
    "model": lambda row: (row.model, row.asked_model),
    "endpoint": lambda row: (row.endpoint,),
    "status": _status,
    "state": lambda row: tuple(call.state for call in row.calls),
    "decision": _decision,
    "dur": lambda row: (row.seconds,),
    "tokens": lambda row: () if row.usage is None else (row.usage.total,),
    "cost": lambda row: () if row.cost is None else (row.cost,),
}
