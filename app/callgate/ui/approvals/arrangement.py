"""The queue in the order that a person wants: as it came, by conversation, or with identical calls as one. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.subject import Call, Facet
from callgate.core.calls.targets import Targets
from callgate.core.calls.tool_kinds import TARGET_FIELDS
from callgate.core.json.dotted_path import loaded
from callgate.core.rules.expression import Expression, fields_of
from callgate.core.rules.glob import MatchTimeout
from callgate.ui.approvals.waiting import WaitingCall
from callgate.ui.decision.draft import asked

Order = Literal["age", "conversation", "identical"]


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """One row of the queue."""

    call: WaitingCall
    heading: str = ""
    """Stands above the row: it is the first of its group."""
    twins: tuple[WaitingCall, ...] = ()
    """Other calls that are letter for letter the same; they are behind this row."""
    sibling: tuple[int, int] = (1, 1)
    """Which of how many calls of one turn that wait."""

    @property
    def id(self) -> str:
        return self.call.id

    @property
    def calls(self) -> tuple[WaitingCall, ...]:
        return (self.call, *self.twins)


def arranged(calls: Sequence[WaitingCall], order: Order = "age", wanted: Expression | None = None) -> list[QueueEntry]:
    """`calls`: the oldest first. `wanted`: only those for which it holds; None = all."""
    siblings = siblings_of(call.invocation for call in calls)
    shown = calls if wanted is None else _fitting(calls, wanted)
    match order:
        case "age":
            return [QueueEntry(call, sibling=siblings[call.id]) for call in shown]
        case "conversation":
            return [
                QueueEntry(call, _conversation(group) if place == 0 else "", sibling=siblings[call.id])
                for group in _groups(shown, identical=False)
                for place, call in enumerate(group)
            ]
        case "identical":
            return [
                QueueEntry(group[0], twins=tuple(group[1:]), sibling=siblings[group[0].id])
                for group in _groups(shown, identical=True)
            ]


def siblings_of(calls: Iterable[Invocation]) -> dict[str, tuple[int, int]]:
    """By call: which of how many it is of those of the same turn."""
    turns: dict[tuple[str, int], list[Invocation]] = {}
    for call in calls:
        turns.setdefault((call.exchange_id, call.round), []).append(call)
    return {
        call.id: (place, len(turn))
        for turn in turns.values()
        for place, call in enumerate(sorted(turn, key=lambda call: call.part), 1)
    }


def sibling_words(sibling: tuple[int, int]) -> str:
    place, count = sibling
    return f"{place} of {count} in this turn" if count > 1 else ""


def _groups(calls: Sequence[WaitingCall], *, identical: bool) -> list[list[WaitingCall]]:
    """In the order in which the first of each group came."""
    groups: dict[object, list[WaitingCall]] = {}
    for call in calls:
        key = _content(call) if identical else (call.invocation.conversation_id, call.snoozed)
        groups.setdefault(key, []).append(call)
    return list(groups.values())


def _content(call: WaitingCall) -> tuple[object, ...]:
    one = call.invocation
    return (one.tool, one.source, one.owner, asked(one)[1], one.ran_result, call.snoozed)


def _conversation(group: Sequence[WaitingCall]) -> str:
    agent = group[0].invocation.agent or "An agent"
    return f"{agent}, one conversation: {len(group)} calls" if len(group) > 1 else f"{agent}: 1 call"


def _fitting(calls: Sequence[WaitingCall], wanted: Expression) -> list[WaitingCall]:
    fields = fields_of(wanted)
    # taking shell lines apart, and reading arguments, is done only for what asks for it
    reaches, reads = bool(fields & TARGET_FIELDS), any(field.startswith("args") for field in fields)
    return [call for call in calls if _holds(wanted, call.invocation, reaches=reaches, reads=reads or reaches)]


def _holds(wanted: Expression, one: Invocation, *, reaches: bool, reads: bool) -> bool:
    text = one.effective_arguments
    call = Call(one.tool, one.source, one.agent, one.model, text, one.fingerprint)
    try:
        return wanted.holds(Facet(call, loaded(text) if reads else None, call.reached() if reaches else Targets()))
    except MatchTimeout:
        return True  # rather a row too many than a call that nobody sees
