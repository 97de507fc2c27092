"""A conversation at a glance: the fold of its events that lists show and the journal keeps beside them."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from callgate.core.calls.invocation import LIVE
from callgate.core.catalog.prices import PriceTable
from callgate.core.events import (
    ConversationMarked,
    Event,
    ExchangeEnded,
    ExchangeStarted,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
    conversation_of,
)
from callgate.core.marks import Marks
from callgate.core.messages import Message, Usage
from callgate.core.text.markdown_marks import without_marks

_TITLE_LENGTH = 80
_READ = 2000
"""Letters in which a title is looked for."""
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    id: str
    agent: str = ""
    title: str = ""
    model: str = ""
    started_at: float = 0.0
    updated_at: float = 0.0
    exchanges: int = 0
    calls: int = 0
    usage: Usage = Usage()
    live: frozenset[str] = frozenset()
    """Exchanges that are still running."""
    waiting: frozenset[str] = frozenset()
    """Invocations that wait for a person."""
    running_calls: frozenset[str] = frozenset()
    """Invocations in any live state."""
    failed: bool = False
    """The last exchange failed."""
    marks: Marks = Marks()
    """What the person said about it."""
    spent: tuple[tuple[str, Usage], ...] = ()
    """Tokens by the model that used them; conversations stored by earlier versions know only the sum."""
    asked: tuple[tuple[str, str], ...] = ()
    """Running exchanges, each with the model that it asked last."""
    agent_proven: bool = False
    """Whether a token proved the agent's name, every time."""
    agent_process: str = ""
    """The program behind the last connection, where it was known."""
    agent_thread: str = ""
    """The id that its agent gives it, where it does."""
    parent_agent: str = ""
    """Of a sub-agent's conversation: the thread of the agent that started it."""

    @property
    def shown_title(self) -> str:
        return self.marks.name or _in_words(self.title)

    @property
    def imported(self) -> bool:
        return bool(self.marks.origin)

    def cost(self, prices: PriceTable) -> float | None:
        """US dollars; None = nothing was used, or no price is known for a model that was."""
        spent = self.spent or (((self.model, self.usage),) if self.usage.total else ())
        costs = [prices.cost(model, usage) for model, usage in spent]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if known and len(known) == len(costs) else None


def summarize(before: ConversationSummary | None, event: Event) -> ConversationSummary | None:
    """The summary after an event; None for events of no conversation."""
    conversation_id = conversation_of(event)
    if not conversation_id:
        return before
    summary = before or ConversationSummary(conversation_id)
    match event:
        case ExchangeStarted():
            return replace(
                summary,
                agent=summary.agent or event.agent,
                agent_proven=event.agent_proven and (summary.agent_proven or not summary.exchanges),
                agent_process=event.agent_process or summary.agent_process,
                agent_thread=summary.agent_thread or event.agent_thread,
                parent_agent=summary.parent_agent or event.parent_agent,
                title=summary.title or _title(event.fresh),
                model=event.model,
                started_at=summary.started_at or event.at,
                updated_at=event.at,
                exchanges=summary.exchanges + 1,
                live=summary.live | {event.exchange_id},
                failed=False,
            )
        case RoundStarted():
            asked = _with(summary.asked, event.exchange_id, event.model)
            return replace(summary, model=event.model, asked=asked, updated_at=event.at)
        case RoundEnded():
            return _with_usage(summary, event)
        case InvocationChanged():
            return _with_invocation(summary, event)
        case ExchangeEnded():
            return replace(
                summary,
                live=summary.live - {event.exchange_id},
                asked=tuple(pair for pair in summary.asked if pair[0] != event.exchange_id),
                failed=event.outcome == "failed",
                updated_at=event.at,
            )
        case ConversationMarked():
            return replace(summary, marks=event.marks)  # nothing happened in it: its time stays
        case _:
            return summary


def _with_usage(summary: ConversationSummary, event: RoundEnded) -> ConversationSummary:
    used = event.usage or Usage()
    model = dict(summary.asked).get(event.exchange_id, summary.model)
    spent = _with(summary.spent, model, dict(summary.spent).get(model, Usage()) + used)
    if summary.usage.total and not summary.spent:
        spent = ()  # begun by an earlier version: a part would pass for the whole
    return replace(summary, usage=summary.usage + used, spent=spent, updated_at=event.at)


def _with(pairs: tuple[tuple[str, V], ...], key: str, value: V) -> tuple[tuple[str, V], ...]:
    return tuple({**dict(pairs), key: value}.items())


def _with_invocation(summary: ConversationSummary, event: InvocationChanged) -> ConversationSummary:
    invocation = event.invocation
    known = invocation.id in summary.running_calls or len(invocation.phases) > 1
    waiting = summary.waiting - {invocation.id}
    running = summary.running_calls - {invocation.id}
    return replace(
        summary,
        title=summary.title or ("" if invocation.model else invocation.tool),  # no model: nobody said a word in it
        calls=summary.calls + (0 if known else 1),
        waiting=waiting | {invocation.id} if invocation.is_waiting else waiting,
        running_calls=running | {invocation.id} if invocation.state in LIVE else running,
        updated_at=event.at,
    )


@lru_cache(maxsize=8192)
def _in_words(title: str) -> str:
    """A list asks for the same titles again and again; those of earlier versions have their marks still."""
    return without_marks(title)


def _title(messages: tuple[Message, ...]) -> str:
    for message in messages:
        if message.role == "user" and message.text.strip():
            said = message.text.strip()[:_READ]
            line = " ".join((without_marks(said).strip() or said).split())
            return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 1] + "…"
    return ""
