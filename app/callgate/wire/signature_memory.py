"""Proofs that a client's wire has no place for, kept here until the client sends the turn back.

OpenAI Chat drops thinking and its signature, and no wire but Gemini's has a signature on a call. What a provider gave
is found again by the ids of the turn's calls, or by its words where it made none; by what all its calls say where the
client has dropped their ids, as some of Gemini's and most of Ollama's do; then the ids are given back too. Pure;
whoever holds a cache decides who shares it.
"""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from callgate.core.json.text import parse
from callgate.core.messages import Message, Part, Reasoning, Refusal, Text, ToolCall, ToolResult
from callgate.wire.call_ids import NO_ID

MAX_TURNS = 2_000
"""Far more than the agents of one person have in flight."""
MAX_CHARACTERS = 64_000_000
"""Signatures can be large; the memory of a desktop program is not for them."""

_CALL = "call:"
_TAGGED = re.compile(r"<(think|thinking)>(.*)</\1>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Turn:
    keys: tuple[str, ...]
    """Those of its calls in their order, or of its words."""
    alike: str
    """The same for every turn that makes the very same calls; empty where it makes none."""
    order: tuple[str | Reasoning, ...]
    """Its thoughts, and the names of what stood between them."""
    proofs: dict[str, tuple[str, str]]
    """A call's key → its signature and wire."""
    size: int

    @property
    def found_by(self) -> tuple[str, ...]:
        return (*self.keys, self.alike) if self.alike else self.keys


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
        for key in turn.found_by:
            self._by_key[key] = self._count
        while len(self._turns) > self._most_turns or self._characters > self._most_characters:
            self._forget_oldest()

    def recall_all(self, messages: Iterable[Message]) -> Iterator[Message]:
        """A history with all that is known of its turns; results go by the ids that their calls are given back."""
        renamed: dict[str, str] = {}
        for message in messages:
            if message.role == "assistant":
                recalled = self.recall(message)
                pairs = zip(message.calls, recalled.calls, strict=True)
                renamed = {given.id: told.id for given, told in pairs if given.id != told.id}
                yield recalled
            else:
                yield message.with_parts([_of_renamed(part, renamed) for part in message.parts]) if renamed else message

    def recall(self, message: Message) -> Message:
        """The turn with what the provider gave and the client has lost; what it still has is left as it is."""
        if message.role != "assistant" or not self._turns:
            return message
        keys = list(_keys_of(message))
        number = next((self._by_key[key] for key in keys if key in self._by_key), None)
        known: dict[str, str] = {}
        if number is None and any(NO_ID in call.extras for call in message.calls):
            number = self._by_key.get(_alike(message))
            known = dict(zip(keys, self._turns[number].keys, strict=True)) if number is not None else {}
        if number is None:
            return message
        self._turns.move_to_end(number)
        turn = self._turns[number]
        parts = tuple(_with_proof(part, turn, known) for part in message.parts)
        if turn.order and not any(isinstance(part, Reasoning) and part.signature for part in parts):
            thoughts = {thought.text.strip() for thought in _thoughts(turn.order)}
            parts = tuple(part for part in parts if _repeated_thought(part) not in thoughts)
            parts = tuple(_with_thoughts(parts, turn.order, known))
        return message.with_parts(parts)

    def _forget_oldest(self) -> None:
        number, turn = self._turns.popitem(last=False)
        self._characters -= turn.size
        for key in turn.found_by:
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
    return _Turn(keys, _alike(message), tuple(item for item in named if item) if thoughts else (), proofs, size)


def _keys_of(message: Message) -> Iterable[str]:
    if message.calls:
        return [_call_key(call) for call in message.calls]
    words = "".join(part.text for part in message.parts if isinstance(part, Text | Refusal)).strip()
    return [f"text:{hashlib.sha256(words.encode('utf-8', 'replace')).hexdigest()}"] if words else []


def _call_key(call: ToolCall) -> str:
    """With the name: some servers number their calls afresh in every reply."""
    return f"{_CALL}{call.id}\0{call.namespace}\0{call.name}"


def _alike(message: Message) -> str:
    calls = [(call.namespace, call.name, _value(call.arguments)) for call in message.calls]
    return f"alike:{hashlib.sha256(repr(calls).encode('utf-8', 'replace')).hexdigest()}" if calls else ""


def _value(arguments: str) -> object:
    """What they say, however a client has spelled them again."""
    try:
        value = parse(arguments or "{}")
    except ValueError:
        return arguments
    return sorted(value.items()) if isinstance(value, dict) else value


def _with_proof(part: Part, turn: _Turn, known: Mapping[str, str]) -> Part:
    """`known`: the turn's own keys of calls that have lost their ids."""
    if not isinstance(part, ToolCall) or part.signature:
        return part
    key = _call_key(part)
    own = known.get(key, key)
    signature, wire = turn.proofs.get(own, ("", ""))
    call_id = own.removeprefix(_CALL).split("\0")[0] if own != key else part.id
    return replace(part, id=call_id, signature=signature, wire=wire) if signature or call_id != part.id else part


def _of_renamed(part: Part, renamed: Mapping[str, str]) -> Part:
    if not isinstance(part, ToolResult) or part.call_id not in renamed:
        return part
    return part.answering(renamed[part.call_id], part.name, part.variant)


def _with_thoughts(parts: Iterable[Part], order: Sequence[str | Reasoning], known: Mapping[str, str]) -> Iterable[Part]:
    """Every thought directly before what it stood before; where that is gone, before what comes next.

    What a turn began with it begins with again, whatever a client has put there: Anthropic refuses it otherwise.
    """
    given = next((at for at, item in enumerate(order) if isinstance(item, str)), len(order))
    yield from _thoughts(order[:given])
    for part, key in _named(part for part in parts if not isinstance(part, Reasoning)):
        name = known.get(key, key)
        if name and name in order[given:]:
            place = order.index(name, given)
            yield from _thoughts(order[given:place])
            given = place + 1
        yield part
    yield from _thoughts(order[given:])


def _repeated_thought(part: Part) -> str | None:
    """Thinking that a client sends back among the words, as Pydantic AI does where it knows no better place."""
    found = _TAGGED.fullmatch(part.text.strip()) if isinstance(part, Text) else None
    return found.group(2).strip() if found else None


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
