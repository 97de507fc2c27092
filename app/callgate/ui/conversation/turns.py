"""What was asked in a conversation, turn by turn: where it ends, what can be asked again, which tries are shown. Pure.

Knows exchanges, not blocks.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from callgate.core.events import ExchangeStarted
from callgate.core.messages import Message, Text
from callgate.ui.conversation.branches import Branches

OWN_AGENT = "callgate"
"""The agent that speaks for the person at the composer."""


@dataclass(frozen=True, slots=True)
class LastTurn:
    """What the person said last at the composer, and the exchange that it continued."""

    exchange_id: str
    parent_id: str
    message: Message


@dataclass(slots=True)
class _Asked:
    own: bool
    parent: str
    said: Message | None
    completed: bool = False


class Turns:
    def __init__(self) -> None:
        self.branches = Branches()
        self.model = ""
        """The model that was asked last."""
        self._asked: dict[str, _Asked] = {}

    def add(self, event: ExchangeStarted) -> tuple[str, ...]:
        """Takes an exchange in; all tries of its turn, where it is one of several."""
        said = next((message for message in reversed(event.fresh) if message.role == "user"), None)
        self._asked[event.exchange_id] = _Asked(event.agent == OWN_AGENT, event.parent_id, said)
        self.model = event.model
        if not event.parent_id and event.known:
            return ()
        tries = self.branches.add(event.exchange_id, event.parent_id)
        if len(tries) > 1 and event.agent == OWN_AGENT:
            self.branches.choose(event.exchange_id)  # what was just asked is what one wants to see
        return tries if len(tries) > 1 else ()

    def end(self, exchange_id: str, completed: bool) -> None:
        if exchange_id in self._asked:
            self._asked[exchange_id].completed = completed

    def title(self, exchange_id: str) -> str:
        """What was asked, in a line."""
        asked = self._asked.get(exchange_id)
        return "" if asked is None or asked.said is None else " ".join(_words(asked.said).split())

    @property
    def leaf(self) -> str | None:
        """The exchange that the next message continues; None = nothing was chosen, so the latest."""
        hidden, _ = self.branches.folded()
        if not hidden:
            return None
        return next((key for key, asked in self._shown() if asked.completed), "")

    @property
    def last(self) -> LastTurn | None:
        """What can be edited and asked again."""
        for key, asked in self._shown():
            if asked.own and asked.said is not None:
                return LastTurn(key, asked.parent, asked.said)
        return None

    @property
    def said(self) -> list[str]:
        """What the person has said at the composer, in order."""
        own = (asked.said for asked in self._asked.values() if asked.own and asked.said is not None)
        return [text for message in own if (text := _words(message))]

    def _shown(self) -> Iterator[tuple[str, _Asked]]:
        """The latest first."""
        hidden, _ = self.branches.folded()
        return ((key, asked) for key, asked in reversed(self._asked.items()) if key not in hidden)


def _words(message: Message) -> str:
    """What was written: files that went along as text stand before it."""
    return next((part.text.strip() for part in reversed(message.parts) if isinstance(part, Text)), "")
