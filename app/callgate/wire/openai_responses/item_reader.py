"""The items of a provider's stream as they grow: events of items → deltas with dense part numbers.

A call that contradicts itself fails the whole reply: nobody could say what its client would run.
"""

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
)
from callgate.core.errors import BadRequest
from callgate.core.ids import new_id
from callgate.core.json.text import parse_object
from callgate.core.messages import Json, Opaque, Part
from callgate.wire.openai_responses.announced import Announced
from callgate.wire.openai_responses.built_in import built_in_arguments, built_in_id, is_open_call
from callgate.wire.openai_responses.lenient import integer_at, object_at, objects_at, text_at
from callgate.wire.openai_responses.marks import ITEM, WIRE
from callgate.wire.openai_responses.partial_call import (
    VARIANTS,
    Growing,
    PartialCall,
    arguments_in,
    name_of,
    variant_of,
)
from callgate.wire.openai_responses.partial_messages import LATE_TEXT, PartialMessages, Words
from callgate.wire.openai_responses.read_items import read_output_parts
from callgate.wire.openai_responses.unknown_fields import unread_item
from callgate.wire.unknown_fields import Beside

_PREFIX = "response."
_WENT_ON = "a call went on after its end"
_LATE_ARGUMENTS = "arguments that were not streamed came at the end of the call"


@dataclass(slots=True)
class _Thought:
    part: int
    id: str
    segments: dict[tuple[str, int], Growing] = field(default_factory=dict[tuple[str, int], Growing])
    """Text by summary or content part; several read as paragraphs."""


class ItemReader:
    def __init__(self) -> None:
        self._parts = 0
        self._announced = Announced()
        self._messages = PartialMessages(self._next)
        self._thoughts: dict[int, _Thought] = {}
        self._calls: dict[int, PartialCall] = {}
        self._whole: set[int] = set()
        self._ids: set[str] = set()
        self.undecided: set[int] = set()
        """Items that may or may not be for the client to do: until they are done, nobody can tell."""
        self.beside: list[Beside] = []
        """What no delta tells; whoever reads takes it away."""

    @property
    def called(self) -> bool:
        return bool(self._ids)

    def read(self, kind: str, event: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        name = kind.removeprefix(_PREFIX)
        slot = self._announced.find(name, event, repairs)
        match name:
            case "output_item.added":
                return self._item_added(slot, object_at(event, "item"), repairs)
            case "output_item.done":
                return self._item_done(slot, object_at(event, "item"), repairs)
            case "output_text.delta" | "refusal.delta":
                kind_of_words: Words = "refusal" if name == "refusal.delta" else "output_text"
                return self._messages.grow(slot, kind_of_words, event, repairs)
            case "content_part.added":
                self._messages.announce(slot, event)
                return []
            case "output_text.annotation.added":
                return self._messages.cite(slot, event)
            case "output_text.done":
                return self._messages.said(slot, "output_text", event, repairs)
            case "refusal.done":
                return self._messages.said(slot, "refusal", event, repairs)
            case "reasoning_summary_text.delta" | "reasoning_text.delta":
                return self._think(slot, _segment(name, event), text_at(event, "delta"))
            case "reasoning_summary_text.done" | "reasoning_text.done":
                return self._thought(slot, _segment(name, event), text_at(event, "text"), repairs)
            case "function_call_arguments.delta":
                return self._grow(slot, "function_call", text_at(event, "delta"), repairs)
            case "custom_tool_call_input.delta":
                return self._grow(slot, "custom_tool_call", text_at(event, "delta"), repairs)
            case "function_call_arguments.done":
                return self._grown(slot, text_at(event, "arguments"), repairs)
            case "custom_tool_call_input.done":
                return self._grown(slot, text_at(event, "input"), repairs)
            case "shell_call_command.done":
                return self._told_piece(slot, integer_at(event, "command_index"), text_at(event, "command"))
            case "apply_patch_call_operation_diff.done":
                return self._told_piece(slot, "diff", text_at(event, "diff"))
            case _:
                if "item_id" not in event and "item" not in event:  # else its item comes whole when it is done
                    self.beside.append((kind, True))
                return []

    def finish(self, output: list[dict[str, Json]], repairs: list[str]) -> list[Delta]:
        """The final response: what is still open ends, what was never streamed is taken from its output."""
        deltas: list[Delta] = []
        if self.undecided:
            repairs.append("a call was not finished before the response was")
            self.undecided.clear()
        if not self._announced and not self._parts:
            for slot, item in enumerate(output):
                deltas += self._item_added(slot, item, []) + self._item_done(slot, item, [])
            if deltas:
                repairs.append("the items came only in the final response")
        else:
            for slot, call in self._calls.items():
                if not call.ended:
                    repairs.append("a call was not finished before the response was")
                    deltas += self._cut_short(slot, output, call)
            deltas += self._told_last(output, repairs)
        return deltas

    def is_told_in(self, output: list[dict[str, Json]]) -> bool:
        return self._announced.are_told_in(output)

    def _cut_short(self, slot: int, output: list[dict[str, Json]], call: PartialCall) -> list[Delta]:
        item = output[slot] if slot < len(output) else {}
        if call.variant != "built_in":
            return self._end(slot, item if text_at(item, "type") in VARIANTS and call.key in item else {}, [])
        # without its item nobody knows what it asks for: it stays unfinished, and nobody gets it
        return self._end_built_in(slot, item, []) if name_of(item) == call.name else []

    def _told_last(self, output: list[dict[str, Json]], repairs: list[str]) -> list[Delta]:
        """Calls of the final response that are not those of the stream: some clients look nowhere else."""
        deltas: list[Delta] = []
        untold = [call for call in self._calls.values() if call.part >= 0]
        for item in output:
            if variant_of(item) is None:
                continue
            same = [call for call in untold if call.is_told_by(item)]
            named = [call for call in untold if call.id and call.id == _id_of(item)]
            known = next((call for call in named if call in same), None) or next(iter(named or same), None)
            if known is None:
                repairs.append("a call came only in the final response")
                slot = self._announced.next
                deltas += [*self._item_added(slot, item, repairs), *self._item_done(slot, item, repairs)]
                continue
            untold.remove(known)
            if known not in same or known not in named:
                repairs.append("the final response tells a call differently")
        return deltas

    def _item_added(self, slot: int, item: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        self._announced.add(slot, text_at(item, "id"))
        kind = text_at(item, "type")
        if kind == "message":
            self._messages.begin(slot, item)
            return []
        if kind == "reasoning" and slot not in self._thoughts:
            return self._open_thought(slot, text_at(item, "id"))
        if is_open_call(item):
            self.undecided.add(slot)
            return []
        variant = variant_of(item)
        if variant is not None:
            deltas: list[Delta] = []
            if slot in self._calls:
                repairs.append("two calls share one output_index")
                deltas = self._end(slot, {}, repairs)
            self._calls[slot] = PartialCall(*variant)
            return deltas + self._start(slot, item, repairs)
        return []

    def _item_done(self, slot: int, item: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        kind = text_at(item, "type")
        self.undecided.discard(slot)
        self._announced.end(slot)
        self.beside += unread_item(item)
        if kind == "message":
            return self._messages.end(slot, item, repairs)
        if kind == "reasoning":
            return self._thought_done(slot, item, repairs)
        variant = variant_of(item)
        if variant is not None:
            call = self._calls.setdefault(slot, PartialCall(*variant))
            built_in = variant[0] == "built_in" == call.variant
            return self._end_built_in(slot, item, repairs) if built_in else self._end(slot, item, repairs)
        if slot in self._whole:
            return []
        self._whole.add(slot)
        return [PartArrived(self._next(), _whole_part(item))]

    def _open_thought(self, slot: int, identifier: str) -> list[Delta]:
        thought = self._thoughts[slot] = _Thought(self._next(), identifier)
        return [ReasoningDelta(thought.part, "", identifier)]

    def _think(self, slot: int, segment: tuple[str, int], text: str) -> list[Delta]:
        opened = [] if slot in self._thoughts else self._open_thought(slot, "")
        thought = self._thoughts[slot]
        if not text:
            return opened
        apart = segment not in thought.segments and bool(thought.segments)
        thought.segments.setdefault(segment, Growing()).add(text)
        return [*opened, ReasoningDelta(thought.part, f"\n\n{text}" if apart else text, thought.id)]

    def _thought(self, slot: int, segment: tuple[str, int], text: str, repairs: list[str]) -> list[Delta]:
        thought = self._thoughts.get(slot)
        grown = thought.segments.get(segment) if thought else None
        rest = grown.missing(text) if grown else text
        if rest:
            repairs.append(LATE_TEXT)
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
        name = name_of(item)[1]
        if call.part >= 0 or not name:
            return []
        identifier = call.id = _id_of(item)
        if not identifier or identifier in self._ids:
            repairs.append("two calls have the same call_id" if identifier else "a call has no call_id")
            identifier = new_id("call")
        self._ids.add(identifier)
        call.part, call.name = self._next(), name_of(item)
        item_id = text_at(item, "id")
        started = CallStarted(call.part, identifier, name, call.variant, text_at(item, "namespace"), item_id)
        return [started, ArgumentsDelta(call.part, call.grown.text)] if call.grown else [started]

    def _grow(self, slot: int, kind: str, text: str, repairs: list[str]) -> list[Delta]:
        if slot not in self._calls:
            variant, field_name = VARIANTS[kind]
            self._calls[slot] = PartialCall(variant, field_name)  # its name may still come with the finished item
        call = self._calls[slot]
        if call.ended:
            repairs.append(_WENT_ON)
            return []
        if not text:
            return []
        call.grown.add(text)
        return [ArgumentsDelta(call.part, text)] if call.part >= 0 else []

    def _grown(self, slot: int, arguments: str, repairs: list[str]) -> list[Delta]:
        call = self._calls.get(slot)
        if call is None:
            return []
        if call.ended:
            repairs.append(_WENT_ON)
            return []
        if not call.grown.agrees(arguments, by_meaning=call.variant == "function"):
            return [call.contradicted("its arguments")]
        rest = call.grown.missing(arguments)
        if rest:
            repairs.append(_LATE_ARGUMENTS)
        return self._grow(slot, "", rest, repairs)

    def _end(self, slot: int, item: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        call = self._calls[slot]
        if call.ended:
            repairs.append(_WENT_ON)
            return []
        if call.variant == "built_in" and not item:
            call.ended = True  # for the reply; it never became whole, so nobody gets it
            return []
        deltas: list[Delta] = []
        if call.part >= 0 and item:
            if call.name != name_of(item) or call.key not in item:
                return [call.contradicted("its name")]
            if call.id != _id_of(item):
                repairs.append("a call's call_id was changed")
        if call.part < 0:
            repairs.append("a call was named only when it was finished")
            deltas += self._start(slot, item, repairs)
        if call.part < 0:
            repairs.append("a call without a name was left out")
            call.ended = True
            return deltas
        if isinstance(item.get(call.key), dict | list):
            repairs.append("a call's arguments are an object, not text")
        given = arguments_in(item, call.key)
        deltas += self._grown(slot, given, repairs) if given else []
        whole = call.grown.text
        if not whole and call.variant == "function":
            repairs.append("a call has no arguments, not even an empty object")
            whole = "{}"
            deltas.append(ArgumentsDelta(call.part, whole))
        call.ended = True
        return [*deltas, CallEnded(call.part, whole)]

    def _told_piece(self, slot: int, place: str | int, text: str) -> list[Delta]:
        call = self._calls.get(slot)
        if call is not None:
            call.pieces[place] = text
        return []

    def _end_built_in(self, slot: int, item: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        """It comes whole with its item: before that nothing of it is sure."""
        call = self._calls[slot]
        if call.ended:
            repairs.append(_WENT_ON)
            return []
        deltas: list[Delta] = []
        if call.part < 0:
            deltas = self._start(slot, item, repairs)
        elif call.name != name_of(item):
            return [call.contradicted("its name")]
        elif call.id != _id_of(item):
            repairs.append("a call's call_id was changed")
        arguments = built_in_arguments(item)
        if not call.is_told_in_pieces(parse_object(arguments) or {}):
            return [*deltas, call.contradicted("its arguments")]
        call.ended = True
        call.grown.add(arguments)
        whole = CallEnded(call.part, arguments, extras={ITEM: dict(item)})
        return [*deltas, ArgumentsDelta(call.part, arguments), whole]

    def _next(self) -> int:
        self._parts += 1
        return self._parts - 1


def _segment(name: str, event: Mapping[str, Json]) -> tuple[str, int]:
    if name.startswith("reasoning_summary"):
        return "summary", integer_at(event, "summary_index")
    return "content", integer_at(event, "content_index")


def _id_of(item: Mapping[str, Json]) -> str:
    return built_in_id(item) if variant_of(item) == ("built_in", "") else text_at(item, "call_id")


def _whole_part(item: Mapping[str, Json]) -> Part:
    try:
        parts = read_output_parts([dict(item)])
    except BadRequest:
        parts = ()
    return parts[0] if len(parts) == 1 else Opaque(WIRE, dict(item))
