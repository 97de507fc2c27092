"""What a client has been told so far: the fold of the events that it was sent, written here or relayed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from callgate.core.messages import Json
from callgate.wire.openai_responses.lenient import integer_at, object_at, objects_at, text_at

TERMINAL = ("response.completed", "response.incomplete", "response.failed")

_GROWING: dict[str, tuple[str, str]] = {
    "response.output_text.delta": ("content", "content_index"),
    "response.refusal.delta": ("content", "content_index"),
    "response.reasoning_text.delta": ("content", "content_index"),
    "response.reasoning_summary_text.delta": ("summary", "summary_index"),
    "response.function_call_arguments.delta": ("", ""),
    "response.custom_tool_call_input.delta": ("", ""),
}
"""Event → the list of the item that it fills, and the field with the index into it; a call's arguments have neither."""

_PARTS: dict[str, tuple[str, str]] = {
    "response.content_part.added": ("content", "content_index"),
    "response.content_part.done": ("content", "content_index"),
    "response.reasoning_summary_part.added": ("summary", "summary_index"),
    "response.reasoning_summary_part.done": ("summary", "summary_index"),
}

Place = tuple[str, int]


@dataclass(slots=True)
class ItemRecord:
    """One output item: as it was added while it is open, as it was finished when it is done."""

    value: dict[str, Json]
    done: bool = False
    unfinished: set[Place] = field(default_factory=set[Place])
    """Content and summary parts that have begun and not ended."""
    parts: dict[Place, dict[str, Json]] = field(default_factory=dict[Place, dict[str, Json]])
    """Content and summary parts: as they were added, then as they were finished."""
    grown: dict[Place, list[str]] = field(default_factory=dict[Place, list[str]])
    """The deltas of those that are not finished, and of a call's arguments."""

    @property
    def id(self) -> str:
        return text_at(self.value, "id")

    def text(self, where: str = "", index: int = 0) -> str:
        return "".join(self.grown.get((where, index), ()))

    def is_open(self, where: str, index: int) -> bool:
        return (where, index) in self.unfinished

    def count(self, where: str) -> int:
        return sum(1 for name, _ in self.parts if name == where)

    def whole(self, where: str) -> list[dict[str, Json]]:
        """The parts with all that they have grown."""
        return [self._whole(place) for place in sorted(self.parts) if place[0] == where]

    def _whole(self, place: Place) -> dict[str, Json]:
        part = self.parts[place]
        if place not in self.grown:
            return part
        return {**part, "refusal" if part.get("type") == "refusal" else "text": "".join(self.grown[place])}


class Ledger:
    def __init__(self) -> None:
        self.id = ""
        self.model = ""
        self.created = 0
        self.begun = False
        """`response.created` has been sent."""
        self.ended = False
        self.sequence = 0
        """The number of the next event."""
        self.items: dict[int, ItemRecord] = {}

    @property
    def next_index(self) -> int:
        return max(self.items, default=-1) + 1

    def finished_items(self) -> list[Json]:
        """What the final `output` lists, in order."""
        return [self.items[index].value for index in sorted(self.items) if self.items[index].done]

    def note(self, event: Mapping[str, Json]) -> None:
        kind = text_at(event, "type")
        self.sequence = integer_at(event, "sequence_number", self.sequence) + 1
        if response := object_at(event, "response"):
            self._note_response(kind, response)
        index = integer_at(event, "output_index", -1)
        if kind == "response.output_item.added":
            self.items[index] = ItemRecord(dict(object_at(event, "item")))
        elif kind == "response.output_item.done":
            self.items[index] = ItemRecord(dict(object_at(event, "item")), done=True)
        elif index in self.items:
            self._note_growth(self.items[index], kind, event)

    def _note_response(self, kind: str, response: Mapping[str, Json]) -> None:
        self.id = text_at(response, "id") or self.id
        self.model = text_at(response, "model") or self.model
        self.created = integer_at(response, "created_at") or self.created
        self.begun = self.begun or kind == "response.created"
        if kind in TERMINAL:
            self.ended = True
            for index, item in enumerate(objects_at(response, "output")):
                self.items.setdefault(index, ItemRecord(item, done=True))

    def _note_growth(self, record: ItemRecord, kind: str, event: Mapping[str, Json]) -> None:
        if kind in _PARTS:
            where, field_name = _PARTS[kind]
            place = (where, integer_at(event, field_name))
            record.parts[place] = dict(object_at(event, "part"))
            record.grown.pop(place, None)
            if kind.endswith(".added"):
                record.unfinished.add(place)
            else:
                record.unfinished.discard(place)
        elif kind in _GROWING:
            where, field_name = _GROWING[kind]
            place = (where, integer_at(event, field_name) if field_name else 0)
            record.grown.setdefault(place, []).append(text_at(event, "delta"))
