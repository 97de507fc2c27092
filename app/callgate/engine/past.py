"""What a client would resend of a conversation: its messages as that client saw them, folded from events."""

from collections.abc import Iterable

from callgate.core.events import Event, ExchangeEnded, ExchangeStarted
from callgate.core.messages import Message


def visible_messages(events: Iterable[Event]) -> tuple[Message, ...]:
    """The latest branch of a conversation, each exchange followed by its answer; failed ones are left out."""
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
    return latest
