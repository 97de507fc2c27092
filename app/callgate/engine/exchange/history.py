"""Which conversation a request belongs to, and what its client was never shown.

Clients resend their history; where Callgate denied, answered or ran calls in between, that history lacks turns that
the model has seen. They are put back here, so that the model's view stays consistent.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from callgate.core import lineage
from callgate.core.agent import OWN_NAME, identity, may_continue
from callgate.core.errors import BadRequest
from callgate.core.ids import new_id
from callgate.core.messages import File, Image, Message, Opaque, Part, ToolCall, ToolResult
from callgate.core.request import ChatRequest

_PERSON = identity(OWN_NAME, proven=True)
_NO_CALLS = Message("assistant", ())
MOST_EXCHANGES = 20_000
"""Some days of busy agents; what is older begins a conversation anew."""
MOST_HIDDEN = 64_000_000
"""Characters of hidden turns: results can be large, and the memory of a desktop program is not for them."""


@dataclass(frozen=True, slots=True)
class Ended:
    """An exchange that later requests may continue."""

    exchange_id: str
    conversation_id: str
    agent: str
    """Its identity: a claimed name never continues what a proven one said, nor the other way round."""
    lineage: str
    answer: Message | None = None
    hidden: tuple[Message, ...] = ()
    """As `hidden_turns` makes them."""


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
    lineage: str = lineage.START
    """`core.lineage` hash of the client's messages."""


class History:
    def __init__(self, ended: Iterable[Ended] = (), most: int = MOST_EXCHANGES, most_hidden: int = MOST_HIDDEN) -> None:
        self._most, self._most_hidden = most, most_hidden
        self._hidden = 0
        self._hiding = 0
        """How many of the exchanges have hidden turns: mostly none, and then no history need be gone through."""
        self._ended: dict[str, Ended] = {}
        """All of them, oldest first."""
        self._by_lineage: dict[tuple[str, str], list[Ended]] = {}
        self._continued: set[str] = set()
        """Exchanges that some request has continued already."""
        self._by_call: dict[tuple[str, str], Ended] = {}
        self._heads: dict[tuple[str, str], str] = {}
        """What a conversation's requests looked like, so that a retried turn becomes a branch of it."""
        self._owners: dict[str, str] = {}
        """Conversation → identity of its agent; a proven one where several have taken part."""
        for exchange in ended:
            self.remember(exchange)

    def remember(self, exchange: Ended) -> None:
        calls = exchange.answer.calls if exchange.answer else ()
        # the words are in the lineage; most have no calls, and thousands are kept
        exchange = replace(exchange, answer=Message("assistant", calls) if calls else _NO_CALLS)
        self._ended[exchange.exchange_id] = exchange
        self.belongs(exchange.conversation_id, exchange.agent)
        self._hidden += _size(exchange.hidden)
        self._hiding += bool(exchange.hidden)
        self._by_lineage.setdefault((exchange.agent, exchange.lineage), []).append(exchange)
        for call in calls:
            self._by_call[exchange.agent, call.id] = exchange
        while len(self._ended) > self._most or (self._hidden > self._most_hidden and len(self._ended) > 1):
            self._drop(next(iter(self._ended.values())))

    def __len__(self) -> int:
        return len(self._ended)

    def _drop(self, exchange: Ended) -> None:
        del self._ended[exchange.exchange_id]
        self._hidden -= _size(exchange.hidden)
        self._hiding -= bool(exchange.hidden)
        self._continued.discard(exchange.exchange_id)
        key = (exchange.agent, exchange.lineage)
        alike = self._by_lineage[key]
        if alike[0] is exchange:  # the oldest goes first; thousands of programs may have been told the same
            del alike[0]
        else:
            self._by_lineage[key] = alike = [other for other in alike if other is not exchange]
        if not alike:
            del self._by_lineage[key]
        for call in exchange.answer.calls if exchange.answer else ():
            if self._by_call.get((exchange.agent, call.id)) is exchange:
                del self._by_call[exchange.agent, call.id]

    def belongs(self, conversation_id: str, agent: str) -> None:
        """Notes whose conversation it is. What the person adds to one in the window leaves it with its agent."""
        owner = self._owners.pop(conversation_id, "")
        takes_over = agent.startswith("=") and agent != _PERSON and may_continue(owner, agent)
        self._owners[conversation_id] = agent if takes_over or not owner else owner
        if len(self._owners) > self._most:
            del self._owners[next(iter(self._owners))]

    def forget(self, conversation_id: str) -> None:
        self._owners.pop(conversation_id, None)
        for exchange in [one for one in self._ended.values() if one.conversation_id == conversation_id]:
            self._drop(exchange)
        for key in [key for key, value in self._heads.items() if value == conversation_id]:
            del self._heads[key]

    def knows(self, conversation_id: str) -> bool:
        """Whether it is known here whose conversation this is; else the journal may know."""
        return conversation_id in self._owners

    def attach(self, request: ChatRequest, agent: str, chain: Sequence[str] = ()) -> Attachment:
        """Finds the conversation that a request continues, or begins one. `chain`: its lineage, if known already.

        Raises `BadRequest` where the request names a conversation of another agent.
        """
        asked = request.gate.conversation
        if asked and agent != _PERSON and not may_continue(self._owners.get(asked, agent), agent):
            raise BadRequest(
                f"Conversation {asked!r} belongs to an agent that has a token; send that token to continue it.",
                "x-callgate-conversation",
                code="conversation_not_yours",
                kind="permission",
            )
        chain = chain or lineage.prefixes(request.messages)
        known, parent = self._parent(request.messages, chain, agent)
        messages, restored = self._restore(request.messages, chain, agent, parent.conversation_id if parent else "")
        if parent is not None:
            self._continued.add(parent.exchange_id)
        conversation = asked or (parent.conversation_id if parent else "")
        if not conversation and chain and any(message.role == "assistant" for message in request.messages):
            conversation = self._heads.get((agent, chain[-1]), "")
        conversation = conversation or new_id("conv")
        self.belongs(conversation, agent)
        if chain:
            self._heads[agent, chain[-1]] = conversation
            if len(self._heads) > self._most:
                del self._heads[next(iter(self._heads))]
        mark = chain[-1] if chain else lineage.START
        return Attachment(conversation, parent.exchange_id if parent else "", known, messages, restored, mark)

    def _parent(self, messages: tuple[Message, ...], chain: Sequence[str], agent: str) -> tuple[int, Ended | None]:
        """The latest exchange whose messages and answer this request begins with."""
        marks, calls = self._by_lineage, bool(self._by_call)
        for index in range(len(chain) - 1, -1, -1):
            if messages[index].role != "assistant" or not (calls or (agent, chain[index]) in marks):
                continue
            found = self._ended_at(messages[index], chain[index], agent, "")
            if found is not None:
                return index + 1, found
        return 0, None

    def _restore(
        self, messages: tuple[Message, ...], chain: Sequence[str], agent: str, conversation_id: str
    ) -> tuple[tuple[Message, ...], bool]:
        if not self._hiding:
            return messages, False
        out: list[Message] = []
        restored = False
        renamed: dict[str, str] = {}
        for message, mark in zip(messages, chain, strict=True):
            found = self._ended_at(message, mark, agent, conversation_id)
            if message.role == "assistant":
                renamed = _renamed(message, found) if found is not None and found.hidden else {}
            elif renamed:
                message = message.with_parts([_answering(part, renamed) for part in message.parts])
            if found is not None and found.hidden:
                results, turns = _told_apart(found.hidden)
                _retell(out, results)
                out.extend(turns)
                restored = True
            else:
                out.append(message)
        return tuple(_in_call_order(out)) if restored else messages, restored

    def _ended_at(self, message: Message, mark: str, agent: str, conversation_id: str) -> Ended | None:
        """The exchange that ended with this assistant message, of a known conversation if several did."""
        if message.role != "assistant":
            return None
        alike = self._by_lineage.get((agent, mark), [])
        if not alike:
            return self._reworded(message, agent)
        ids = [call.id for call in message.calls]
        alike = [e for e in alike if e.answer and [call.id for call in e.answer.calls] == ids] or alike
        alike = [e for e in alike if e.conversation_id == conversation_id] or alike
        # two programs of one kind that were told the same: each continues one of them
        return next((e for e in alike if e.exchange_id not in self._continued), alike[-1])

    def _reworded(self, message: Message, agent: str) -> Ended | None:
        """Some clients reword the text, but none the calls. Ids alone prove nothing: some servers start at 0 again."""
        named = (self._by_call.get((agent, call.id)) for call in message.calls)
        return next((e for e in named if e and e.answer and _calls_mark(e.answer) == _calls_mark(message)), None)


def hidden_turns(told: Iterable[ToolResult], turns: Iterable[Message]) -> tuple[Message, ...]:
    """What a client does not know of an exchange: its results as the model was told them, and what followed."""
    return (*[Message("tool", (result,)) for result in told], *turns)


def _told_apart(hidden: tuple[Message, ...]) -> tuple[list[ToolResult], tuple[Message, ...]]:
    first = next((index for index, message in enumerate(hidden) if message.role != "tool"), len(hidden))
    return [result for message in hidden[:first] for result in message.results], hidden[first:]


def _retell(messages: list[Message], told: list[ToolResult]) -> None:
    """The last results of a client as the model was told them: it never had what the client sends again."""
    untold = list(told)
    for index in range(len(messages) - 1, -1, -1):
        if not untold:
            return
        if messages[index].results:
            messages[index] = _with_results(messages[index], untold)


def _with_results(message: Message, untold: list[ToolResult]) -> Message:
    parts: list[Part] = []
    for part in reversed(message.parts):
        if isinstance(part, ToolResult) and untold:
            part = replace(untold.pop(), call_id=part.call_id, name=part.name)  # not every wire has ids that last
        parts.append(part)
    return message.with_parts(parts[::-1])


def _calls_mark(message: Message) -> str:
    return lineage.extend(lineage.START, Message("assistant", message.calls))


def _size(messages: Iterable[Message]) -> int:
    """About how many characters they hold."""
    size = 0
    for part in (part for message in messages for part in message.parts):
        match part:
            case ToolCall():
                size += len(part.arguments)
            case ToolResult():
                size += sum(len(inner.data) for inner in part.parts if isinstance(inner, Image | File)) + len(part.text)
            case Image() | File():
                size += len(part.data)
            case Opaque():
                size += len(str(part.value))
            case _:
                size += len(part.text)
    return size


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


def _renamed(message: Message, found: Ended) -> dict[str, str]:
    """The ids that the client has its calls under → those that they were made with.

    Some clients drop ids, and what stands in their place differs from what the provider said.
    """
    made = found.answer.calls if found.answer else ()
    if [call.name for call in made] != [call.name for call in message.calls]:
        return {}
    return {given.id: one.id for given, one in zip(message.calls, made, strict=True) if given.id != one.id}


def _answering(part: Part, renamed: Mapping[str, str]) -> Part:
    if not isinstance(part, ToolResult) or part.call_id not in renamed:
        return part
    return part.answering(renamed[part.call_id], part.name, part.variant)
