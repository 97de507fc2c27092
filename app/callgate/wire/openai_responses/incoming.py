"""The items of a provider's stream as they grow: events of items → deltas with dense part numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    PartArrived,
    ReasoningDelta,
    ReasoningSigned,
    RefusalDelta,
    TextDelta,
)
from callgate.core.errors import BadRequest
from callgate.core.ids import new_id
from callgate.core.messages import CallVariant, Json, Opaque, Part
from callgate.wire.json_text import dump_text
from callgate.wire.openai_responses.lenient import integer_at, object_at, objects_at, text_at
from callgate.wire.openai_responses.marks import WIRE
from callgate.wire.openai_responses.read_items import read_output_parts

_VARIANTS: dict[str, tuple[CallVariant, str]] = {
    "function_call": ("function", "arguments"),
    "custom_tool_call": ("custom", "input"),
}
"""A call item's type → its variant and the field of its arguments."""

_PREFIX = "response."
_LATE_TEXT = "text that was not streamed came at the end of its part"
_LATE_ARGUMENTS = "arguments that were not streamed came at the end of the call"


class _Growing:
    """Text in the making; a list, so that a long stream stays linear."""

    __slots__ = ("_fragments",)

    def __init__(self) -> None:
        self._fragments: list[str] = []

    def __bool__(self) -> bool:
        return bool(self._fragments)

    def add(self, text: str) -> None:
        self._fragments.append(text)

    @property
    def text(self) -> str:
        return "".join(self._fragments)

    def missing(self, whole: str) -> str:
        """What of the whole has not come yet; nothing where the two disagree, as nothing can be taken back."""
        text = self.text
        return whole[len(text) :] if whole.startswith(text) else ""


@dataclass(slots=True)
class _Words:
    part: int
    grown: _Growing = field(default_factory=_Growing)


@dataclass(slots=True)
class _Thought:
    part: int
    id: str
    segments: dict[tuple[str, int], _Growing] = field(default_factory=dict[tuple[str, int], _Growing])
    """Text by summary or content part; several read as paragraphs."""


@dataclass(slots=True)
class _Call:
    variant: CallVariant
    key: str
    """The item's field that holds the arguments."""
    part: int = -1
    """-1: held back, because its name is not known yet."""
    grown: _Growing = field(default_factory=_Growing)
    ended: bool = False


class Incoming:
    """Slots are found by `output_index`; servers that leave it out are taken to speak of the last item added."""

    def __init__(self) -> None:
        self._parts = 0
        self._last = 0
        self._words: dict[tuple[int, str, int], _Words] = {}
        self._thoughts: dict[int, _Thought] = {}
        self._calls: dict[int, _Call] = {}
        self._added: set[int] = set()
        self._whole: set[int] = set()
        self._ids: set[str] = set()

    @property
    def called(self) -> bool:
        return bool(self._ids)

    def read(self, kind: str, event: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        slot = integer_at(event, "output_index", self._last)
        match kind.removeprefix(_PREFIX):
            case "output_item.added":
                return self._item_added(slot, object_at(event, "item"), repairs)
            case "output_item.done":
                return self._item_done(slot, object_at(event, "item"), repairs)
            case "output_text.delta" | "refusal.delta" as name:
                self._expect(slot, "message", repairs)
                return self._say(slot, name.removesuffix(".delta"), event, text_at(event, "delta"))
            case "output_text.done" | "refusal.done" as name:
                field_name = "text" if name == "output_text.done" else "refusal"
                return self._said(slot, name.removesuffix(".done"), event, text_at(event, field_name), repairs)
            case "reasoning_summary_text.delta" | "reasoning_text.delta" as name:
                self._expect(slot, "reasoning", repairs)
                return self._think(slot, _segment(name, event), text_at(event, "delta"))
            case "reasoning_summary_text.done" | "reasoning_text.done" as name:
                return self._thought(slot, _segment(name, event), text_at(event, "text"), repairs)
            case "function_call_arguments.delta":
                return self._grow(slot, "function_call", text_at(event, "delta"))
            case "custom_tool_call_input.delta":
                return self._grow(slot, "custom_tool_call", text_at(event, "delta"))
            case "function_call_arguments.done":
                return self._grown(slot, text_at(event, "arguments"), repairs)
            case "custom_tool_call_input.done":
                return self._grown(slot, text_at(event, "input"), repairs)
            case _:
                return []

    def finish(self, output: list[dict[str, Json]], repairs: list[str]) -> list[Delta]:
        """The final response: what is still open ends, what was never streamed is taken from its output."""
        deltas: list[Delta] = []
        if not self._added and not self._parts:
            for slot, item in enumerate(output):
                deltas += self._item_added(slot, item, []) + self._item_done(slot, item, [])
            if deltas:
                repairs.append("the items came only in the final response")
        else:
            for slot, call in self._calls.items():
                if not call.ended:
                    repairs.append("a call was not finished before the response was")
                    deltas += self._end(slot, _matching(output, slot, call), [])
        return deltas

    def _item_added(self, slot: int, item: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        self._last = slot
        self._added.add(slot)
        kind = text_at(item, "type")
        if kind == "reasoning" and slot not in self._thoughts:
            return self._open_thought(slot, text_at(item, "id"))
        if kind in _VARIANTS:
            deltas: list[Delta] = []
            if slot in self._calls:
                repairs.append("two calls share one output_index")
                deltas = self._end(slot, {}, repairs)
            variant, field_name = _VARIANTS[kind]
            self._calls[slot] = _Call(variant, field_name)
            return deltas + self._start(slot, item, repairs)
        return []

    def _item_done(self, slot: int, item: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        kind = text_at(item, "type")
        self._expect(slot, kind, repairs)
        if kind == "message":
            deltas: list[Delta] = []
            for index, part in enumerate(objects_at(item, "content")):
                name = "refusal" if text_at(part, "type") == "refusal" else "output_text"
                text = text_at(part, "refusal" if name == "refusal" else "text")
                deltas += self._said(slot, name, {"content_index": index}, text, repairs)
            return deltas
        if kind == "reasoning":
            return self._thought_done(slot, item, repairs)
        if kind in _VARIANTS:
            if slot not in self._calls:
                variant, field_name = _VARIANTS[kind]
                self._calls[slot] = _Call(variant, field_name)
            return self._end(slot, item, repairs)
        if slot in self._whole:
            return []
        self._whole.add(slot)
        return [PartArrived(self._next(), _whole_part(item))]

    def _say(self, slot: int, name: str, event: Mapping[str, Json], text: str) -> list[Delta]:
        if not text:
            return []
        key = (slot, name, integer_at(event, "content_index"))
        words = self._words.get(key)
        if words is None:
            words = self._words[key] = _Words(self._next())
        words.grown.add(text)
        return [TextDelta(words.part, text) if name == "output_text" else RefusalDelta(words.part, text)]

    def _said(self, slot: int, name: str, event: Mapping[str, Json], text: str, repairs: list[str]) -> list[Delta]:
        words = self._words.get((slot, name, integer_at(event, "content_index")))
        rest = words.grown.missing(text) if words else text
        if rest:
            repairs.append(_LATE_TEXT)
        return self._say(slot, name, event, rest)

    def _open_thought(self, slot: int, identifier: str) -> list[Delta]:
        thought = self._thoughts[slot] = _Thought(self._next(), identifier)
        return [ReasoningDelta(thought.part, "", identifier)]

    def _think(self, slot: int, segment: tuple[str, int], text: str) -> list[Delta]:
        opened = [] if slot in self._thoughts else self._open_thought(slot, "")
        thought = self._thoughts[slot]
        if not text:
            return opened
        apart = segment not in thought.segments and bool(thought.segments)
        thought.segments.setdefault(segment, _Growing()).add(text)
        return [*opened, ReasoningDelta(thought.part, f"\n\n{text}" if apart else text, thought.id)]

    def _thought(self, slot: int, segment: tuple[str, int], text: str, repairs: list[str]) -> list[Delta]:
        thought = self._thoughts.get(slot)
        grown = thought.segments.get(segment) if thought else None
        rest = grown.missing(text) if grown else text
        if rest:
            repairs.append(_LATE_TEXT)
        return self._think(slot, segment, rest)

    def _thought_done(self, slot: int, item: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        deltas = [] if slot in self._thoughts else self._open_thought(slot, text_at(item, "id"))
        for name in ("summary", "content"):
            for index, piece in enumerate(objects_at(item, name)):
                deltas += self._thought(slot, (name, index), text_at(piece, "text"), repairs)
        thought = self._thoughts[slot]
        signature = text_at(item, "encrypted_content")
        if signature:
            deltas.append(ReasoningSigned(thought.part, signature, WIRE, text_at(item, "id") or thought.id))
        return deltas

    def _start(self, slot: int, item: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        call = self._calls[slot]
        name = text_at(item, "name")
        if call.part >= 0 or not name:
            return []
        identifier = text_at(item, "call_id")
        if not identifier or identifier in self._ids:
            repairs.append("two calls have the same call_id" if identifier else "a call has no call_id")
            identifier = new_id("call")
        self._ids.add(identifier)
        call.part = self._next()
        item_id = text_at(item, "id")
        started = CallStarted(call.part, identifier, name, call.variant, text_at(item, "namespace"), item_id)
        return [started, ArgumentsDelta(call.part, call.grown.text)] if call.grown else [started]

    def _grow(self, slot: int, kind: str, text: str) -> list[Delta]:
        if slot not in self._calls:
            variant, field_name = _VARIANTS[kind]
            self._calls[slot] = _Call(variant, field_name)  # its name may still come with the finished item
        call = self._calls[slot]
        if not text or call.ended:
            return []
        call.grown.add(text)
        return [ArgumentsDelta(call.part, text)] if call.part >= 0 else []

    def _grown(self, slot: int, arguments: str, repairs: list[str]) -> list[Delta]:
        call = self._calls.get(slot)
        if call is None or call.ended:
            return []
        rest = call.grown.missing(arguments)
        if rest:
            repairs.append(_LATE_ARGUMENTS)
        return self._grow(slot, "", rest)

    def _end(self, slot: int, item: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        call = self._calls[slot]
        if call.ended:
            return []
        deltas: list[Delta] = []
        if call.part < 0:
            repairs.append("a call was named only when it was finished")
            deltas += self._start(slot, item, repairs)
        if call.part < 0:
            repairs.append("a call without a name was left out")
            call.ended = True
            return deltas
        given = item.get(call.key)
        if isinstance(given, dict | list):
            repairs.append("a call's arguments are an object, not text")
        whole = given if isinstance(given, str) else dump_text(given) if isinstance(given, dict | list) else ""
        deltas += self._grown(slot, whole, repairs)
        whole = whole or call.grown.text
        if not whole and call.variant == "function":
            repairs.append("a call has no arguments, not even an empty object")
            whole = "{}"
            deltas.append(ArgumentsDelta(call.part, whole))
        call.ended = True
        return [*deltas, CallEnded(call.part, whole)]

    def _expect(self, slot: int, kind: str, repairs: list[str]) -> None:
        if slot not in self._added:
            self._added.add(slot)
            repairs.append(f"a {kind} item was not announced by response.output_item.added")

    def _next(self) -> int:
        self._parts += 1
        return self._parts - 1


def _segment(name: str, event: Mapping[str, Json]) -> tuple[str, int]:
    if name.startswith("reasoning_summary"):
        return "summary", integer_at(event, "summary_index")
    return "content", integer_at(event, "content_index")


def _matching(output: list[dict[str, Json]], slot: int, call: _Call) -> Mapping[str, Json]:
    item = output[slot] if slot < len(output) else {}
    return item if text_at(item, "type") in _VARIANTS and call.key in item else {}


def _whole_part(item: Mapping[str, Json]) -> Part:
    try:
        parts = read_output_parts([dict(item)])
    except BadRequest:
        parts = ()
    return parts[0] if len(parts) == 1 else Opaque(WIRE, dict(item))
