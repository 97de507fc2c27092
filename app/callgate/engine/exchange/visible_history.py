"""What a client would resend of a conversation: its messages as that client saw them, folded from events."""

from collections.abc import Iterable

from callgate.core.events import Event, ExchangeEnded, ExchangeStarted
from callgate.core.messages import Message, Text


def visible_messages(events: Iterable[Event], after: str | None = None) -> tuple[Message, ...]:
    """One branch of a conversation, each exchange followed by its answer; failed ones are left out.

    `after`: the exchange that the branch ends with, "" = before the first; None = the one that was completed last.
    """
    before: dict[str, tuple[Message, ...]] = {"": ()}
    asked: dict[str, tuple[Message, ...]] = {}
    latest: tuple[Message, ...] = ()
    for event in events:
        match event:
            case ExchangeStarted():
                asked[event.exchange_id] = (*before.get(event.parent_id, ()), *event.fresh)
            case ExchangeEnded() if event.outcome == "completed" and event.exchange_id in asked:
                answer = (event.answer,) if event.answer is not None else ()
                latest = (*asked[event.exchange_id], *answer)
                before[event.exchange_id] = latest
            case _:
                pass
    return latest if after is None else before.get(after, latest)


def with_system(messages: Iterable[Message], system: str) -> tuple[Message, ...]:
    """The messages under another system prompt; an empty one changes nothing."""
    if not system.strip():
        return tuple(messages)
    rest = (message for message in messages if message.role not in ("system", "developer"))
    return (Message("system", (Text(system),)), *rest)
