"""A conversation as a reader wants it, top to bottom: who said what, which tools ran, what went wrong. Pure.

What exports for people (HTML, Markdown) are made of; how it is drawn is their business.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from callgate.core.assembly import Assembly
from callgate.core.calls.invocation import Invocation
from callgate.core.errors import Fault
from callgate.core.events import (
    DeltaArrived,
    ExchangeEnded,
    ExchangeStarted,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
)
from callgate.core.messages import Message, Part, Role, ToolCall, ToolResult, Usage
from callgate.export.record import ConversationRecord


@dataclass(frozen=True, slots=True)
class Speech:
    """Somebody's words; calls stand between them as `Call`."""

    role: Role
    who: str
    at: float
    parts: tuple["Part | Call", ...]
    note: str = ""
    """The model and round of an answer."""


@dataclass(frozen=True, slots=True)
class Call:
    tool: str
    arguments: str
    result: ToolResult | None = None
    invocation: Invocation | None = None
    """None: it was never judged, as in an answer that was broken off."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that is worth a line between two speeches."""

    kind: Literal["error", "stopped", "usage"]
    text: str


Entry = Speech | Remark


@dataclass(slots=True)
class _Fold:
    """Everything that has to be known before the first line can be written."""

    invocations: dict[tuple[str, int, int], Invocation] = field(default_factory=dict[tuple[str, int, int], Invocation])
    """By exchange, round and part."""
    brought: dict[str, ToolResult] = field(default_factory=dict[str, ToolResult])
    """Results that a client ran for itself, by call id."""
    broken: dict[tuple[str, int], Assembly] = field(default_factory=dict[tuple[str, int], Assembly])
    """Rounds that never ended."""
    told: set[str] = field(default_factory=set[str])


def transcript(record: ConversationRecord) -> Iterator[Entry]:
    fold = _fold(record)
    rounds: dict[str, set[int]] = {}
    models: dict[tuple[str, int], str] = {}
    called = {call.id for event in record.events if isinstance(event, RoundEnded) for call in event.message.calls}
    for event in record.events:
        match event:
            case ExchangeStarted():
                rounds[event.exchange_id] = set()
                for message in event.fresh:
                    yield from _asked(event, message, called)
            case RoundStarted():
                models[event.exchange_id, event.round] = event.model
                rounds.setdefault(event.exchange_id, set()).add(event.round)
            case RoundEnded():
                model = models.get((event.exchange_id, event.round), "")
                yield _answer(fold, event.exchange_id, event.round, event.message, model, event.at)
                if event.usage is not None:
                    yield Remark("usage", _usage(event.usage))
            case ExchangeEnded():
                yield from _rest(fold, event.exchange_id, event.at, models, rounds)
                yield from _end(event)
            case _:
                pass
    for exchange_id in rounds:  # what is still running
        yield from _rest(fold, exchange_id, record.summary.updated_at, models, rounds)


def _fold(record: ConversationRecord) -> _Fold:
    fold = _Fold()
    for event in record.events:
        match event:
            case ExchangeStarted():
                fold.brought |= {result.call_id: result for message in event.fresh for result in message.results}
            case InvocationChanged():
                invocation = event.invocation
                fold.invocations[invocation.exchange_id, invocation.round, invocation.part] = invocation
            case DeltaArrived():
                fold.broken.setdefault((event.exchange_id, event.round), Assembly()).add(event.delta)
            case RoundEnded():
                fold.broken.pop((event.exchange_id, event.round), None)
            case _:
                pass
    return fold


def _asked(event: ExchangeStarted, message: Message, called: set[str]) -> Iterator[Speech]:
    # a result whose call is in this conversation is shown with the call
    parts = tuple(part for part in message.parts if not (isinstance(part, ToolResult) and part.call_id in called))
    if parts or not message.parts:
        who = {"system": "System prompt", "developer": "Developer message", "assistant": "Assistant", "tool": "Result"}
        yield Speech(message.role, who.get(message.role, event.agent or "User"), event.at, parts)


def _answer(fold: _Fold, exchange_id: str, number: int, message: Message, model: str, at: float) -> Speech:
    parts: list[Part | Call] = []
    for place, part in enumerate(message.parts):
        if not isinstance(part, ToolCall):
            parts.append(part)
            continue
        invocation = fold.invocations.get((exchange_id, number, place))
        if invocation is not None:
            result = invocation.result or fold.brought.get(part.id)
            parts.append(Call(part.name, invocation.effective_arguments or part.arguments, result, invocation))
        else:
            parts.append(Call(part.name, part.arguments, fold.brought.get(part.id)))
    note = " · ".join(filter(None, (model, f"round {number}" if number > 1 else "")))
    return Speech("assistant", "Assistant", at, tuple(parts), note)


def _rest(
    fold: _Fold, exchange_id: str, at: float, models: dict[tuple[str, int], str], rounds: dict[str, set[int]]
) -> Iterator[Speech]:
    """Rounds that were broken off, and calls without a round; each once."""
    if exchange_id in fold.told:
        return
    fold.told.add(exchange_id)
    for (owner, number), assembly in fold.broken.items():
        if owner == exchange_id and assembly.message().parts:
            yield _answer(fold, exchange_id, number, assembly.message(), models.get((owner, number), ""), at)
    if not rounds.get(exchange_id):
        yield from _direct(fold, exchange_id)


def _direct(fold: _Fold, exchange_id: str) -> Iterator[Speech]:
    """Calls that a program made itself, with no model asked."""
    for (owner, _, _), invocation in fold.invocations.items():
        if owner == exchange_id:
            call = Call(invocation.tool, invocation.effective_arguments, invocation.result, invocation)
            yield Speech("user", invocation.agent or "Agent", invocation.started, (call,))


def _end(event: ExchangeEnded) -> Iterator[Remark]:
    if event.outcome == "cancelled":
        why = f": {event.fault.message}" if event.fault is not None and event.fault.message else ""
        yield Remark("stopped", f"Stopped before the answer was complete{why}.")
    elif event.fault is not None:
        yield Remark("error", _fault(event.fault))


def _fault(fault: Fault) -> str:
    return f"{fault.kind.replace('_', ' ')}: {fault.message}"


def _usage(usage: Usage) -> str:
    cached = f" ({usage.cached:,} cached)" if usage.cached else ""
    about = "about " if usage.estimated else ""
    return f"{about}{usage.input:,} tokens in{cached}, {usage.output:,} out"


def decision_words(invocation: Invocation) -> str:
    """How a call came to run or not, in a few words."""
    by = {
        "person": "by a person",
        "rule": "by a rule",
        "setting": "by a setting",
        "deadline": "by the deadline",
        "leaving": "as the person quit Callgate",
    }
    who = by.get(invocation.decided_by or "", "")
    if invocation.state == "Cancelled":
        return f"cancelled {who}".strip()
    if invocation.reason == "Denied":
        return f"denied {who}".strip()
    if invocation.reason == "Skipped":
        return "skipped"
    if invocation.is_waiting:
        return "waiting for a person"
    failed = invocation.result is not None and invocation.result.is_error
    if invocation.state == "Completed" and not any(p.state in ("Executing", "Released") for p in invocation.phases):
        return "answered by a person, not run" if invocation.decided_by == "person" else "not run"
    completed = "failed" if failed else "completed"
    words = {"Released": "allowed, run by the client", "Completed": completed}.get(invocation.state, "unfinished")
    edited = ", arguments edited" if invocation.edited_arguments is not None else ""
    changed = ", result changed in review" if invocation.ran_result is not None else ""
    return f"{words}{edited}{changed}" + (f", allowed {who}" if who and invocation.state == "Completed" else "")
