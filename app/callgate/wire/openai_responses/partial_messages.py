"""The message items of a stream while their words come in: events of content parts → deltas.

The first part of an item that says something carries the rest of the item, as it does in a reply that comes whole.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from callgate.core.deltas import Cited, Delta, PartArrived, RefusalDelta, TextDelta, TokensWeighed
from callgate.core.messages import Json, Refusal, Text
from callgate.wire.openai_logprobs import read_logprobs
from callgate.wire.openai_responses.annotations import read_annotations
from callgate.wire.openai_responses.lenient import integer_at, objects_at, text_at
from callgate.wire.openai_responses.marks import ITEM
from callgate.wire.openai_responses.partial_call import Growing


@dataclass(slots=True)
class PartialText:
    """A content part of a message while it streams in: its text, what that rests on, how likely its tokens were.

    Servers tell the last two piece by piece, only at the end, or both: each is taken once.
    """

    part: int
    grown: Growing = field(default_factory=Growing)
    _cited: int = 0
    _weighed: bool = False

    def cite(self, annotation: Json) -> list[Delta]:
        """The next annotation."""
        self._cited += 1
        return [Cited(self.part, citation) for citation in read_annotations([annotation])]

    def weigh(self, logprobs: Json) -> list[Delta]:
        """The next tokens."""
        tokens = read_logprobs(logprobs)
        self._weighed = self._weighed or bool(tokens)
        return [TokensWeighed(self.part, tokens)] if tokens else []

    def end(self, annotations: Json, logprobs: Json) -> list[Delta]:
        """All annotations and all tokens: what of them has not been told yet."""
        untold = annotations[self._cited :] if isinstance(annotations, list) else []
        deltas = [delta for annotation in untold for delta in self.cite(annotation)]
        return deltas if self._weighed else [*deltas, *self.weigh(logprobs)]


LATE_TEXT = "text that was not streamed came at the end of its part"

Words = Literal["output_text", "refusal"]


class PartialMessages:
    def __init__(self, next_part: Callable[[], int]) -> None:
        self._next_part = next_part
        self._items: dict[int, dict[str, Json]] = {}
        """By slot: what an item says beside its words, until they carry it."""
        self._words: dict[tuple[int, Words, int], PartialText] = {}
        self._announced: set[tuple[int, int]] = set()

    def begin(self, slot: int, item: Mapping[str, Json]) -> None:
        # what was begun counts as completed: where a reply is cut short, its finish says so
        rest = {key: value for key, value in item.items() if key not in ("role", "content")}
        self._items[slot] = {**rest, "status": "completed"}

    def announce(self, slot: int, event: Mapping[str, Json]) -> None:
        self._announced.add((slot, integer_at(event, "content_index")))

    def grow(self, slot: int, kind: Words, event: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        if (slot, integer_at(event, "content_index")) not in self._announced:
            repairs.append("words were not announced by response.content_part.added")
        return self._say(slot, kind, event, text_at(event, "delta"))

    def cite(self, slot: int, event: Mapping[str, Json]) -> list[Delta]:
        words = self._words.get((slot, "output_text", integer_at(event, "content_index")))
        return words.cite(event.get("annotation")) if words else []

    def said(self, slot: int, kind: Words, event: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        """All the words of a part: those that were not streamed."""
        words = self._words.get((slot, kind, integer_at(event, "content_index")))
        text = text_at(event, "text" if kind == "output_text" else "refusal")
        rest = words.grown.missing(text) if words else text
        if rest:
            repairs.append(LATE_TEXT)
        return self._say(slot, kind, event, rest)

    def end(self, slot: int, item: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        if not any(place == slot for place, _, _ in self._words):
            self.begin(slot, item)
        deltas: list[Delta] = []
        for index, part in enumerate(objects_at(item, "content")):
            kind: Words = "refusal" if text_at(part, "type") == "refusal" else "output_text"
            told = {"content_index": index, "text": part.get("text"), "refusal": part.get("refusal")}
            deltas += self.said(slot, kind, told, repairs)
            words = self._words.get((slot, kind, index))
            if words is not None and kind == "output_text":
                deltas += words.end(part.get("annotations"), part.get("logprobs"))
        return deltas

    def _say(self, slot: int, kind: Words, event: Mapping[str, Json], text: str) -> list[Delta]:
        if not text:
            return []
        key = (slot, kind, integer_at(event, "content_index"))
        words = self._words.get(key)
        begun: list[Delta] = []
        if words is None:
            words = self._words[key] = PartialText(self._next_part())
            item = self._items.pop(slot, None)
            if item is not None:
                part = Text("", {ITEM: item}) if kind == "output_text" else Refusal("", {ITEM: item})
                begun.append(PartArrived(words.part, part))
        words.grown.add(text)
        if kind == "refusal":
            return [*begun, RefusalDelta(words.part, text)]
        chances = words.weigh(event["logprobs"]) if event.get("logprobs") else []
        return [*begun, TextDelta(words.part, text), *chances]
