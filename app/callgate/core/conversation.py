"""A conversation at a glance: the fold of its events that lists show and the journal keeps beside them."""

from dataclasses import dataclass, replace

from callgate.core.events import (
    Event,
    ExchangeEnded,
    ExchangeStarted,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
    conversation_of,
)
from callgate.core.invocation import LIVE
from callgate.core.messages import Message, Usage

_TITLE_LENGTH = 80


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
                title=summary.title or _title(event.fresh),
                model=event.model,
                started_at=summary.started_at or event.at,
                updated_at=event.at,
                exchanges=summary.exchanges + 1,
                live=summary.live | {event.exchange_id},
                failed=False,
            )
        case RoundStarted():
            return replace(summary, model=event.model, updated_at=event.at)
        case RoundEnded():
            return replace(summary, usage=summary.usage + (event.usage or Usage()), updated_at=event.at)
        case InvocationChanged():
            return _with_invocation(summary, event)
        case ExchangeEnded():
            return replace(
                summary,
                live=summary.live - {event.exchange_id},
                failed=event.outcome == "failed",
                updated_at=event.at,
            )
        case _:
            return summary


def _with_invocation(summary: ConversationSummary, event: InvocationChanged) -> ConversationSummary:
    invocation = event.invocation
    known = invocation.id in summary.running_calls or len(invocation.phases) > 1
    waiting = summary.waiting - {invocation.id}
    running = summary.running_calls - {invocation.id}
    return replace(
        summary,
        calls=summary.calls + (0 if known else 1),
        waiting=waiting | {invocation.id} if invocation.is_waiting else waiting,
        running_calls=running | {invocation.id} if invocation.state in LIVE else running,
        updated_at=event.at,
    )


def _title(messages: tuple[Message, ...]) -> str:
    for message in messages:
        if message.role == "user" and message.text.strip():
            line = " ".join(message.text.split())
            return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 1] + "…"
    return ""
