"""Tool calls out of fragments, as compatible servers really send them.

By the rules each fragment has an index, and a call's first one its id, type and name. In the wild indexes are missing,
shared or do not begin at 0, ids are missing, repeated or constant, names come in every chunk, arguments as objects.
Each departure is repaired and named, so that the frame is rewritten for the client instead of relayed.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from callgate.core.deltas import ArgumentsDelta, CallEnded, CallStarted, Delta
from callgate.core.ids import new_id
from callgate.core.json.text import dump_text, parse_object
from callgate.core.messages import CallVariant, Json
from callgate.wire.openai_chat.thought_signature import SIGNER, read_signature

_VARIANTS: tuple[CallVariant, ...] = ("function", "custom")


@dataclass(slots=True)
class _Slot:
    """One call in the making."""

    given_id: str = ""
    """The server's id; the one told may differ."""
    name: str = ""
    variant: CallVariant = "function"
    fragments: list[str] = field(default_factory=list[str])
    length: int = 0
    part: int | None = None
    """Its number once it is started."""
    signature: str = ""
    ended: bool = False

    @property
    def arguments(self) -> str:
        return "".join(self.fragments)

    @property
    def is_whole(self) -> bool:
        """Its arguments are a JSON object."""
        last = next((fragment.rstrip()[-1:] for fragment in reversed(self.fragments) if fragment.strip()), "")
        return last == "}" and parse_object(self.arguments) is not None


class CallSlots:
    """The calls of one choice. `ids` are those taken in the whole response; `tools` the names offered, if known."""

    def __init__(self, choice: int, next_part: Callable[[], int], ids: set[str], tools: Collection[str] = ()) -> None:
        self._choice = choice
        self._next_part = next_part
        self._ids = ids
        self._tools = tools
        self._slots: list[_Slot] = []
        self._by_index: dict[int, _Slot] = {}
        self._current: _Slot | None = None

    @property
    def called(self) -> bool:
        """Some call has begun."""
        return any(slot.part is not None for slot in self._slots)

    @property
    def are_whole(self) -> bool:
        """No call can have been cut; free text does not show it."""
        return all(slot.name and (slot.variant == "custom" or slot.is_whole or not slot.length) for slot in self._slots)

    def take(self, fragment: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        """What a fragment tells; never nothing, unless a repair keeps its frame from being relayed."""
        kind = _kind(fragment, repairs)
        inner = fragment.get(kind)
        inner = inner if isinstance(inner, dict) else {}
        name = _word(inner.get("name"))
        given = inner.get("arguments" if kind == "function" else "input")
        slot = self._choose(fragment, name, given, repairs)
        self._current = slot
        if slot.part is None:
            slot.variant = kind
        self._identify(slot, fragment, repairs)
        self._rename(slot, name, repairs)
        slot.signature = read_signature(fragment.get("extra_content")) or slot.signature
        if given is None and ("arguments" if kind == "function" else "input") in inner:
            repairs.append("a call's arguments were no string")
        text = _grow(slot, given, repairs)
        if slot.ended:
            repairs.append("a call went on after its end")
            return []
        if slot.part is not None:
            return [ArgumentsDelta(slot.part, text, self._choice)]
        if not slot.name or self._may_grow(slot):
            repairs.append("a call was begun without its name")
            return []
        if "type" not in fragment:
            repairs.append("a call was begun without its type")
        return [*self._end_whole(slot, repairs), *self._start(slot, repairs)]

    def end(self, repairs: list[str]) -> list[Delta]:
        """All calls are whole, or as whole as they will be. Nameless ones are left out: nobody could run them."""
        deltas: list[Delta] = []
        for slot in self._slots:
            if slot.part is None:
                if not slot.name:
                    continue
                deltas.extend(self._start(slot, repairs))
            deltas.extend(self._end(slot, repairs))
        return deltas

    @property
    def nameless(self) -> bool:
        """Some call has arguments, but nobody knows of what."""
        return any(not slot.name and slot.length for slot in self._slots)

    def _end_whole(self, begun: _Slot, repairs: list[str]) -> list[Delta]:
        """Another call begins: those before it that are whole can be judged at once."""
        open_slots = [slot for slot in self._slots if slot is not begun and not slot.ended]
        whole = [slot for slot in open_slots if slot.variant == "function" and slot.is_whole]
        return [delta for slot in whole for delta in self._end(slot, repairs)]

    def _end(self, slot: _Slot, repairs: list[str]) -> list[Delta]:
        if slot.ended or slot.part is None:
            return []
        slot.ended = True
        arguments = slot.arguments
        if not arguments and slot.variant == "function":
            arguments = "{}"
            repairs.append("a call had no arguments, not even an empty object")
        wire = SIGNER if slot.signature else ""
        return [CallEnded(slot.part, arguments, slot.signature, wire, self._choice)]

    def _choose(self, fragment: Mapping[str, Json], name: str, given: Json, repairs: list[str]) -> _Slot:
        index = fragment.get("index")
        call_id = _word(fragment.get("id"))
        if isinstance(index, int) and not isinstance(index, bool):
            slot = self._by_index.get(index)
            if slot is None:
                if index != len(self._slots):
                    repairs.append("calls were not numbered from 0 in order")
                return self._open(index)
            if (name and call_id and slot.given_id not in ("", call_id)) or _is_another(slot, name, given):
                repairs.append("two calls shared an index")
                return self._open(index)
            return slot
        repairs.append("a call had no index")
        if call_id:
            known = next((slot for slot in reversed(self._slots) if slot.given_id == call_id), None)
            return known if known is not None and not _is_another(known, name, given) else self._open(None)
        current = self._current
        if current is None or (name and current.name and current.is_whole):
            return self._open(None)
        return current

    def _open(self, index: int | None) -> _Slot:
        slot = _Slot()
        self._slots.append(slot)
        if index is not None:
            self._by_index[index] = slot
        return slot

    def _identify(self, slot: _Slot, fragment: Mapping[str, Json], repairs: list[str]) -> None:
        if "type" in fragment and fragment["type"] not in ("function", "custom"):
            repairs.append("a call's type was neither function nor custom")
        if "id" not in fragment:
            return
        call_id = _word(fragment["id"])
        if slot.part is None and call_id and not slot.given_id:
            slot.given_id = call_id
        elif slot.part is not None:
            repairs.append("a call's id was repeated")
            slot.given_id = slot.given_id or call_id

    def _rename(self, slot: _Slot, name: str, repairs: list[str]) -> None:
        if not name:
            return
        if not slot.name:
            slot.name = name
            return
        repairs.append("a call's name was repeated")
        whole = slot.name + name
        if slot.part is None and not slot.length and any(tool.startswith(whole) for tool in self._tools):
            slot.name = whole

    def _may_grow(self, slot: _Slot) -> bool:
        """The name is only the beginning of a tool's: some servers send names in pieces."""
        if slot.length or slot.name in self._tools:
            return False
        return any(tool.startswith(slot.name) for tool in self._tools)

    def _start(self, slot: _Slot, repairs: list[str]) -> list[Delta]:
        call_id = slot.given_id
        if not call_id:
            repairs.append("a call had no id")
            call_id = new_id("call")
        elif call_id in self._ids:
            repairs.append("two calls had the same id")
            call_id = new_id("call")
        self._ids.add(call_id)
        slot.part = self._next_part()
        deltas: list[Delta] = [CallStarted(slot.part, call_id, slot.name, slot.variant, choice=self._choice)]
        if slot.length:
            deltas.append(ArgumentsDelta(slot.part, slot.arguments, self._choice))
        return deltas


def _kind(fragment: Mapping[str, Json], repairs: list[str]) -> CallVariant:
    """What a client takes it for. One that could be taken for either must not reach it as it is."""
    told: list[CallVariant] = [kind for kind in _VARIANTS if isinstance(fragment.get(kind), dict)]
    said = fragment.get("type")
    if len(told) > 1 or (told and said in _VARIANTS and said != told[0]):
        repairs.append("a call was a function and free text at once")
    if len(told) > 1:
        return "custom" if said == "custom" else "function"
    return told[0] if told else "function"


def _word(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _is_another(slot: _Slot, name: str, given: Json) -> bool:
    """A named fragment that cannot belong to a call which is already whole."""
    if not name or not slot.name or not slot.is_whole:
        return False
    text = dump_text(given) if isinstance(given, dict) else _word(given)
    return name != slot.name or (bool(text.strip()) and text != slot.arguments)


def _grow(slot: _Slot, given: Json, repairs: list[str]) -> str:
    """The text that a fragment adds to the arguments."""
    if given is None:
        return ""
    if isinstance(given, str):
        text = given
    else:
        repairs.append("a call's arguments were no string")
        text = dump_text(given)
    if text and len(text) == slot.length and slot.is_whole and text == slot.arguments:
        repairs.append("a call's arguments were repeated")
        return ""
    slot.fragments.append(text)
    slot.length += len(text)
    return text
