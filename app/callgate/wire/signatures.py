"""Proofs that a client's wire has no place for, kept here until the client sends the turn back.

OpenAI Chat drops thinking and its signature, and no wire but Gemini's has a signature on a call. What a provider gave
is found again by the ids of the turn's calls, or by its words where it made none. Pure; whoever holds a cache decides
who shares it.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from callgate.core.messages import Message, Part, Reasoning, Refusal, Text, ToolCall

MAX_TURNS = 2_000
"""Far more than the agents of one person have in flight."""
MAX_CHARACTERS = 64_000_000
"""Signatures can be large; the memory of a desktop program is not for them."""


@dataclass(frozen=True, slots=True)
class _Turn:
    keys: tuple[str, ...]
    order: tuple[str | Reasoning, ...]
    """Its thoughts, and the names of what stood between them."""
    proofs: dict[str, tuple[str, str]]
    """A call's key → its signature and wire."""
    size: int


class SignatureCache:
    """Forgets the turns that were used least recently."""

    def __init__(self, turns: int = MAX_TURNS, characters: int = MAX_CHARACTERS) -> None:
        self._most_turns = turns
        self._most_characters = characters
        self._characters = 0
        self._turns: OrderedDict[int, _Turn] = OrderedDict()
        self._by_key: dict[str, int] = {}
        self._count = 0

    def __len__(self) -> int:
        return len(self._turns)

    def remember(self, message: Message) -> None:
        """An assistant's turn as the provider gave it; one without thinking and signatures need not be kept."""
        turn = _turn_of(message)
        if turn is None:
            return
        self._count += 1
        self._turns[self._count] = turn
        self._characters += turn.size
        for key in turn.keys:
            self._by_key[key] = self._count
        while len(self._turns) > self._most_turns or self._characters > self._most_characters:
            self._forget_oldest()

    def recall(self, message: Message) -> Message:
        """The turn with what the provider gave and the client has lost; what it still has is left as it is."""
        if message.role != "assistant" or not self._turns:
            return message
        number = next((self._by_key[key] for key in _keys_of(message) if key in self._by_key), None)
        if number is None:
            return message
        self._turns.move_to_end(number)
        turn = self._turns[number]
        parts = tuple(_with_proof(part, turn) for part in message.parts)
        if turn.order and not any(isinstance(part, Reasoning) and part.signature for part in parts):
            parts = tuple(_with_thoughts(parts, turn.order))
        return message.with_parts(parts)

    def _forget_oldest(self) -> None:
        number, turn = self._turns.popitem(last=False)
        self._characters -= turn.size
        for key in turn.keys:
            if self._by_key.get(key) == number:
                del self._by_key[key]


def _turn_of(message: Message) -> _Turn | None:
    keys = tuple(_keys_of(message))
    proofs = {_call_key(call): (call.signature, call.wire) for call in message.calls if call.signature}
    thoughts = [part for part in message.parts if isinstance(part, Reasoning)]
    if not keys or not (thoughts or proofs):
        return None
    named = [part if isinstance(part, Reasoning) else name for part, name in _named(message.parts)]
    size = sum(len(thought.text) + len(thought.signature) for thought in thoughts)
    size += sum(len(signature) for signature, _ in proofs.values())
    return _Turn(keys, tuple(item for item in named if item) if thoughts else (), proofs, size)


def _keys_of(message: Message) -> Iterable[str]:
    if message.calls:
        return [_call_key(call) for call in message.calls]
    words = "".join(part.text for part in message.parts if isinstance(part, Text | Refusal)).strip()
    return [f"text:{hashlib.sha256(words.encode('utf-8', 'replace')).hexdigest()}"] if words else []


def _call_key(call: ToolCall) -> str:
    """With the name: some servers number their calls afresh in every reply."""
    return f"call:{call.id}\0{call.namespace}\0{call.name}"


def _with_proof(part: Part, turn: _Turn) -> Part:
    if not isinstance(part, ToolCall) or part.signature:
        return part
    signature, wire = turn.proofs.get(_call_key(part), ("", ""))
    return replace(part, signature=signature, wire=wire) if signature else part


def _with_thoughts(parts: Iterable[Part], order: Sequence[str | Reasoning]) -> Iterable[Part]:
    """Every thought directly before what it stood before; where that is gone, before what comes next."""
    given = 0
    for part, name in _named(part for part in parts if not isinstance(part, Reasoning)):
        if name and name in order[given:]:
            place = order.index(name, given)
            yield from _thoughts(order[given:place])
            given = place + 1
        yield part
    yield from _thoughts(order[given:])


def _thoughts(items: Iterable[str | Reasoning]) -> Iterable[Reasoning]:
    return (item for item in items if isinstance(item, Reasoning))


def _named(parts: Iterable[Part]) -> Iterable[tuple[Part, str]]:
    """Each part with the name by which it is found again: a call's key, the number of words; others have none."""
    words = 0
    for part in parts:
        match part:
            case ToolCall():
                yield part, _call_key(part)
            case Text() | Refusal():
                words += 1
                yield part, f"words:{words}"
            case _:
                yield part, ""
