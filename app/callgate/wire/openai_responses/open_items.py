"""The items of a streamed response that are still open, and the events that open, fill and finish them.

Words go into one message item until something else starts; relayed calls may stay open beside each other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from callgate.core.deltas import CallStarted, Cited, Delta, ReasoningDelta, RefusalDelta, TextDelta, TokensWeighed
from callgate.core.messages import CallVariant, Citation, Extras, Json, TokenLogprob, ToolCall
from callgate.wire.openai_logprobs import write_logprobs
from callgate.wire.openai_responses.annotations import write_annotation
from callgate.wire.openai_responses.built_in import write_built_in_call
from callgate.wire.openai_responses.ids import fitting, item_id
from callgate.wire.openai_responses.ledger import ItemRecord, Ledger
from callgate.wire.openai_responses.lenient import integer_at, object_at, text_at
from callgate.wire.openai_responses.marks import ITEM, mapping, own
from callgate.wire.openai_responses.output import (
    call_item,
    call_prefix,
    call_status,
    message_item,
    reasoning_item,
    refusal_part,
    text_part,
)

Emit = Callable[[str, Mapping[str, Json]], bytes]
Words = Literal["output_text", "refusal"]

_ARGUMENTS: dict[CallVariant, tuple[str, str]] = {
    "function": ("response.function_call_arguments", "arguments"),
    "custom": ("response.custom_tool_call_input", "input"),
}
"""The events of a call's arguments, and the field that holds all of them. Built-in calls come whole with their item."""


@dataclass(slots=True)
class _Content:
    part: int | None
    """None: opened by a relayed event; the first delta tells whose it is."""
    kind: Words
    index: int
    citations: list[Citation] = field(default_factory=list[Citation])
    tokens: list[TokenLogprob] = field(default_factory=list[TokenLogprob])


@dataclass(slots=True)
class _Message:
    index: int
    content: _Content | None = None


@dataclass(slots=True)
class _Thought:
    index: int
    part: int | None


@dataclass(slots=True)
class _Call:
    index: int
    """Of its item; -1: it will have one when it is whole."""
    call: ToolCall


class OpenItems:
    def __init__(self, ledger: Ledger, emit: Emit) -> None:
        self._ledger = ledger
        self._emit = emit
        self._message: _Message | None = None
        self._marks: dict[int, Mapping[str, Json]] = {}
        """Parts that begin a message item of their own: what it says beside its words."""
        self._thought: _Thought | None = None
        self._calls: dict[int, _Call] = {}
        self._left: list[_Message | _Thought] = []
        """Relayed items that another one followed before they ended."""
        self._thought_out: set[int] = set()
        """Reasoning parts whose item is done: nothing can be added to it."""

    def mark(self, part: int, extras: Extras) -> None:
        """Words that are this wire's own may begin an item; it begins when they come."""
        if ITEM in extras:
            self._marks[part] = mapping(extras[ITEM])

    def words(self, part: int | None, kind: Words, text: str) -> bytes:
        if not text:
            return b""
        written = self._open_content(part, kind)
        if self._message is None or self._message.content is None:
            return written
        fields: dict[str, Json] = {**self._content_place(self._message), "delta": text}
        if kind == "output_text":
            fields["logprobs"] = []
        return written + self._emit(f"response.{kind}.delta", fields)

    def cite(self, part: int, citation: Citation) -> bytes:
        """Only while its words are open: what is finished stays as it is."""
        message, content = self._message, self._spoken(part)
        if message is None or content is None:
            return b""
        text = self._ledger.items[message.index].text("content", content.index)
        annotation = write_annotation(citation, len(text))
        if annotation is None:
            return b""
        place: dict[str, Json] = {**self._content_place(message), "annotation_index": len(content.citations)}
        content.citations.append(citation)
        return self._emit("response.output_text.annotation.added", {**place, "annotation": annotation})

    def weigh(self, part: int, tokens: tuple[TokenLogprob, ...]) -> None:
        """Told when the words are finished."""
        content = self._spoken(part)
        if content is not None:
            content.tokens.extend(tokens)

    def _spoken(self, part: int) -> _Content | None:
        content = self._message.content if self._message else None
        return content if content and content.kind == "output_text" and content.part in (part, None) else None

    def reasoning(self, part: int, text: str, identifier: str) -> bytes:
        """An item begins with its first words, or at once where the provider knows it by id."""
        if not text and not fitting(identifier, "rs"):
            return b""
        written, thought = self._open_thought(part, identifier)
        if not text:
            return written
        record = self._ledger.items[thought.index]
        place = _place(record, thought.index)
        summary = max(record.count("summary") - 1, 0)
        if not record.is_open("summary", summary):
            summary = record.count("summary")
            empty: dict[str, Json] = {"type": "summary_text", "text": ""}
            fields = {**place, "summary_index": summary, "part": empty}
            written += self._emit("response.reasoning_summary_part.added", fields)
        if summary and not record.text("summary", summary):
            text = text.removeprefix("\n\n")  # the parts of a relayed summary are read as paragraphs
        fields = {**place, "summary_index": summary, "delta": text}
        return written + self._emit("response.reasoning_summary_text.delta", fields)

    def sign(self, part: int, signature: str, identifier: str) -> bytes:
        """The proof ends the item; one that this client cannot use ends it without."""
        if self._thought is None or self._thought.part not in (part, None):
            if not signature or part in self._thought_out:
                return b""
            written, _ = self._open_thought(part, identifier)
        else:
            written = b""
        return written + self._close_thought(signature)

    def start_call(self, started: CallStarted) -> bytes:
        written = self._close_message("completed") + self._close_thought("")
        call = ToolCall(started.id, started.name, "", started.variant, started.namespace)
        if call.variant == "built_in":
            self._calls[started.part] = _Call(-1, call)
            return written
        index = self._ledger.next_index
        item = call_item(self._id(call_prefix(call.variant), started.item_id), call, "in_progress")
        self._calls[started.part] = _Call(index, call)
        return written + self._add(index, item)

    def arguments(self, part: int, text: str) -> bytes:
        found = self._calls.get(part)
        if found is None or not text or found.call.variant == "built_in":
            return b""
        event, _ = _ARGUMENTS[found.call.variant]
        place = _place(self._ledger.items[found.index], found.index)
        return self._emit(f"{event}.delta", {**place, "delta": text})

    def end_call(self, part: int, arguments: str, extras: Extras | None = None, *, cut: bool = False) -> bytes:
        """`cut`: the reply ended before the call did, so that whatever there is of it must not be run."""
        found = self._calls.get(part)
        if found is None:
            return b""
        if found.call.variant == "built_in":
            del self._calls[part]
            return self._end_built_in(found, arguments, extras or {})
        record = self._ledger.items[found.index]
        sent = record.text()
        call = found.call
        whole = arguments or sent or ("{}" if call.variant == "function" and not cut else "")
        written = self.arguments(part, whole.removeprefix(sent)) if whole.startswith(sent) else b""
        del self._calls[part]
        event, field = _ARGUMENTS[call.variant]
        written += self._emit(f"{event}.done", {**_place(record, found.index), field: whole})
        finished = ToolCall(call.id, call.name, whole, call.variant, call.namespace)
        status = "incomplete" if cut else call_status(call.variant, whole)
        item = {**record.value, **call_item(record.id, finished, status)}
        return written + self._done(found.index, item)

    def _end_built_in(self, found: _Call, arguments: str, extras: Extras) -> bytes:
        call = replace(found.call, arguments=arguments, extras=extras)
        begun = self._ledger.items.get(found.index)
        if begun is None:
            return self.whole_item(self.identified(write_built_in_call(call, call.id))) if arguments else b""
        # its beginning was relayed: it ends as what was judged, or as something that must not be run
        item = write_built_in_call(call, call.id) if arguments else {**begun.value, "status": "incomplete"}
        return self._done(found.index, item)

    def identified(self, item: Mapping[str, Json]) -> dict[str, Json]:
        """The item with an id: no client bears one without."""
        return dict(item) if text_at(item, "id") else {**item, "id": self._id("item")}

    def whole_item(self, item: dict[str, Json]) -> bytes:
        written = self._close_message("completed") + self._close_thought("")
        index = self._ledger.next_index
        return written + self._add(index, item) + self._done(index, item)

    def close_all(self, status: str) -> bytes:
        """`status` is that of the last words and of calls that have not ended; what came before them is whole."""
        written = self._close_left() + self._close_thought("")
        for part in list(self._calls):
            written += self.end_call(part, "", cut=status == "incomplete")
        return written + self._close_message(status)

    def follow(self, event: Mapping[str, Json], index: int, deltas: tuple[Delta, ...]) -> None:
        """A relayed event touched the item at `index`."""
        item = object_at(event, "item")
        match text_at(event, "type"), text_at(item, "type"):
            case "response.output_item.added", "message":
                self._left += [self._message] if self._message else []
                self._message = _Message(index)
            case "response.output_item.added", "reasoning":
                self._left += [self._thought] if self._thought else []
                self._thought = _Thought(index, None)
            case "response.output_item.done", _:
                self._forget(index)
            case "response.content_part.added", _ if self._message and self._message.index == index:
                kind: Words = "refusal" if text_at(object_at(event, "part"), "type") == "refusal" else "output_text"
                self._message.content = _Content(None, kind, integer_at(event, "content_index"))
            case "response.content_part.done", _ if self._message and self._message.index == index:
                self._message.content = None
            case _:
                pass
        for delta in deltas:
            self._follow_delta(delta, index)

    def _follow_delta(self, delta: Delta, index: int) -> None:
        match delta:
            case TextDelta() | RefusalDelta():
                if self._message and self._message.index == index and self._message.content:
                    self._message.content.part = delta.part
            case Cited() if content := self._spoken(delta.part):
                content.citations.append(delta.citation)
            case TokensWeighed():
                self.weigh(delta.part, delta.tokens)
            case ReasoningDelta():
                if self._thought and self._thought.index == index:
                    self._thought.part = delta.part
            case CallStarted():
                record = self._ledger.items.get(index)
                if record is not None and not record.done:
                    call = ToolCall(delta.id, delta.name, "", delta.variant, delta.namespace)
                    self._calls[delta.part] = _Call(index, call)
            case _:
                pass

    def _close_left(self) -> bytes:
        last, written = (self._message, self._thought), b""
        for item in self._left:
            if isinstance(item, _Message):
                self._message = item
                written += self._close_message("completed")
            else:
                self._thought = item
                written += self._close_thought("")
        self._left.clear()
        self._message, self._thought = last
        return written

    def _forget(self, index: int) -> None:
        self._left = [item for item in self._left if item.index != index]
        if self._message and self._message.index == index:
            self._message = None
        if self._thought and self._thought.index == index:
            if self._thought.part is not None:
                self._thought_out.add(self._thought.part)
            self._thought = None
        self._calls = {part: call for part, call in self._calls.items() if call.index != index}

    def _open_content(self, part: int | None, kind: Words) -> bytes:
        marks = self._marks.pop(part, None) if part is not None else None
        known = text_at(marks or {}, "id")
        ended = b""
        if marks is not None and not (self._message and self._ledger.items[self._message.index].id == known):
            ended = self._close_message("completed")
        message = self._message
        if message and message.content and message.content.kind == kind and message.content.part in (part, None):
            message.content.part = part
            return b""
        written = ended + self._close_thought("")
        if message is None:
            message = self._message = _Message(self._ledger.next_index)
            item = message_item(self._id("msg", known), "in_progress", [], own(marks or {}))
            written += self._add(message.index, item)
        else:
            written += self._close_content(message)
        message.content = _Content(part, kind, self._ledger.items[message.index].count("content"))
        empty = text_part("") if kind == "output_text" else refusal_part("")
        return written + self._emit("response.content_part.added", {**self._content_place(message), "part": empty})

    def _close_content(self, message: _Message) -> bytes:
        content = message.content
        if content is None:
            return b""
        text = self._ledger.items[message.index].text("content", content.index)
        place = self._content_place(message)
        message.content = None
        if content.kind == "refusal":
            written = self._emit("response.refusal.done", {**place, "refusal": text})
            part = refusal_part(text)
        else:
            logprobs: Json = write_logprobs(content.tokens, always_bytes=True)
            written = self._emit("response.output_text.done", {**place, "text": text, "logprobs": logprobs})
            part = text_part(text, content.citations, content.tokens)
        return written + self._emit("response.content_part.done", {**place, "part": part})

    def _close_message(self, status: str) -> bytes:
        message, record = self._message, self._record(self._message)
        if message is None or record is None:
            return b""
        written = self._close_content(message)
        self._message = None
        return written + self._done(
            message.index, {**record.value, "status": status, "content": list[Json](record.whole("content"))}
        )

    def _open_thought(self, part: int, identifier: str) -> tuple[bytes, _Thought]:
        if self._thought and self._thought.part in (part, None):
            self._thought.part = part
            return b"", self._thought
        written = self._close_message("completed") + self._close_thought("")
        index = self._ledger.next_index
        self._thought = thought = _Thought(index, part)
        return written + self._add(index, reasoning_item(self._id("rs", identifier), [], "")), thought

    def _close_thought(self, signature: str) -> bytes:
        thought, record = self._thought, self._record(self._thought)
        if thought is None or record is None:
            return b""
        self._thought = None
        if thought.part is not None:
            self._thought_out.add(thought.part)
        place = _place(record, thought.index)
        written = b""
        summaries = record.whole("summary")
        last = len(summaries) - 1
        if record.is_open("summary", last):
            written = self._emit(
                "response.reasoning_summary_text.done",
                {**place, "summary_index": last, "text": summaries[last].get("text", "")},
            ) + self._emit(
                "response.reasoning_summary_part.done", {**place, "summary_index": last, "part": summaries[last]}
            )
        begun = {key: value for key, value in record.value.items() if key != "encrypted_content"}  # not yet whole
        item = {**begun, **reasoning_item(record.id, list[Json](summaries), signature)}
        return written + self._done(thought.index, item)

    def _record(self, place: _Message | _Thought | None) -> ItemRecord | None:
        return None if place is None else self._ledger.items.get(place.index)

    def _content_place(self, message: _Message) -> dict[str, Json]:
        place = _place(self._ledger.items[message.index], message.index)
        return {**place, "content_index": message.content.index if message.content else 0}

    def _add(self, index: int, item: dict[str, Json]) -> bytes:
        return self._emit("response.output_item.added", {"output_index": index, "item": item})

    def _done(self, index: int, item: dict[str, Json]) -> bytes:
        return self._emit("response.output_item.done", {"output_index": index, "item": item})

    def _id(self, prefix: str, known: str = "") -> str:
        """The provider's own id where it fits and is not taken, else one that follows from the item's place."""
        taken = any(record.id == known for record in self._ledger.items.values())
        if fitting(known, prefix) and not taken:
            return known
        return item_id(prefix, self._ledger.id, self._ledger.next_index)


def _place(record: ItemRecord, index: int) -> dict[str, Json]:
    return {"item_id": record.id, "output_index": index}
