"""Which conversation a request belongs to, and what its client was never shown.

Clients resend their history; where Callgate denied, answered or ran calls in between, that history lacks turns that
the model has seen. They are put back here, so that the model's view stays consistent.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from callgate.core import lineage
from callgate.core.ids import new_id
from callgate.core.messages import Message
from callgate.core.request import ChatRequest


@dataclass(frozen=True, slots=True)
class Ended:
    """An exchange that later requests may continue."""

    exchange_id: str
    conversation_id: str
    agent: str
    lineage: str
    answer: Message | None = None
    hidden: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Attachment:
    """Where a request belongs."""

    conversation_id: str
    parent_id: str
    """The exchange that it continues; empty for the first."""
    known: int
    """How many of the client's messages the conversation held already."""
    messages: tuple[Message, ...]
    """The client's messages with the hidden turns put back."""
    restored: bool
    """True if anything was put back: the client's own bytes are then not what the model must get."""


class History:
    def __init__(self, ended: Iterable[Ended] = ()) -> None:
        self._by_lineage: dict[tuple[str, str], list[Ended]] = {}
        self._continued: set[str] = set()
        """Exchanges that some request has continued already."""
        self._by_call: dict[tuple[str, str], Ended] = {}
        self._heads: dict[tuple[str, str], str] = {}
        """What a conversation's requests looked like, so that a retried turn becomes a branch of it."""
        for exchange in ended:
            self.remember(exchange)

    def remember(self, exchange: Ended) -> None:
        self._by_lineage.setdefault((exchange.agent, exchange.lineage), []).append(exchange)
        for call in exchange.answer.calls if exchange.answer else ():
            self._by_call[exchange.agent, call.id] = exchange

    def forget(self, conversation_id: str) -> None:
        for exchanges in self._by_lineage.values():
            exchanges[:] = [exchange for exchange in exchanges if exchange.conversation_id != conversation_id]
        for key in [key for key, exchange in self._by_call.items() if exchange.conversation_id == conversation_id]:
            del self._by_call[key]
        for key in [key for key, value in self._heads.items() if value == conversation_id]:
            del self._heads[key]

    def attach(self, request: ChatRequest, agent: str) -> Attachment:
        """Finds the conversation that a request continues, or begins one."""
        chain = lineage.prefixes(request.messages)
        known, parent = self._parent(request.messages, chain, agent)
        messages, restored = self._restore(request.messages, chain, agent)
        if parent is not None:
            self._continued.add(parent.exchange_id)
        conversation = request.gate.conversation or (parent.conversation_id if parent else "")
        if not conversation and chain and any(message.role == "assistant" for message in request.messages):
            conversation = self._heads.get((agent, chain[-1]), "")
        conversation = conversation or new_id("conv")
        if chain:
            self._heads[agent, chain[-1]] = conversation
        return Attachment(conversation, parent.exchange_id if parent else "", known, messages, restored)

    def _parent(self, messages: tuple[Message, ...], chain: list[str], agent: str) -> tuple[int, Ended | None]:
        """The latest exchange whose messages and answer this request begins with."""
        for index in range(len(chain) - 1, -1, -1):
            found = self._ended_at(messages[index], chain[index], agent)
            if found is not None:
                return index + 1, found
        return 0, None

    def _restore(self, messages: tuple[Message, ...], chain: list[str], agent: str) -> tuple[tuple[Message, ...], bool]:
        out: list[Message] = []
        restored = False
        for message, mark in zip(messages, chain, strict=True):
            found = self._ended_at(message, mark, agent)
            if found is not None and found.hidden:
                out.extend(found.hidden)
                restored = True
            else:
                out.append(message)
        return tuple(_in_call_order(out)) if restored else messages, restored

    def _ended_at(self, message: Message, mark: str, agent: str) -> Ended | None:
        """The exchange that ended with this assistant message; some clients reword the text but none the call ids."""
        if message.role != "assistant":
            return None
        by_call = next((e for call in message.calls if (e := self._by_call.get((agent, call.id)))), None)
        if by_call is not None:
            return by_call
        alike = self._by_lineage.get((agent, mark), [])
        # two programs of one kind that were told the same: each continues one of them
        return next((e for e in alike if e.exchange_id not in self._continued), alike[-1] if alike else None)


def _in_call_order(messages: Iterable[Message]) -> Iterator[Message]:
    """Each turn's results in the order of its calls: some models are told by nothing else which belongs to which."""
    order: dict[str, int] = {}
    for is_results, run in groupby(messages, lambda message: message.role == "tool"):
        if is_results:
            yield from sorted(
                run, key=lambda message: min((order.get(r.call_id, 0) for r in message.results), default=0)
            )
            continue
        for message in run:
            order = {call.id: number for number, call in enumerate(message.calls)}
            yield message
