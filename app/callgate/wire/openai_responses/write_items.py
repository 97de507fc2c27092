"""Messages → items, for three readers: the same client's store, a provider, and a provider of a translated request."""

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from callgate.core.errors import Unspeakable
from callgate.core.json.text import dump_text
from callgate.core.messages import (
    File,
    Image,
    Json,
    Message,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    ToolResult,
)
from callgate.wire.openai_responses.built_in import write_built_in_call, write_built_in_output
from callgate.wire.openai_responses.content import write_output, write_part
from callgate.wire.openai_responses.ids import call_id, fitting, is_ours, item_id
from callgate.wire.openai_responses.marks import CONTENT, ENVELOPE, ITEM, SUMMARY, WIRE, mapping, own
from callgate.wire.openai_responses.output import message_item


def write_items(
    messages: Sequence[Message], *, native: bool = True, upstream: bool = False, text_only: bool = False
) -> list[Json]:
    """The items that say these messages. Raises `Unspeakable` for what only another wire can say.

    `native`: they were read from this wire, so extras are given back. `upstream`: for a provider, which must not see
    reasoning that it did not make itself. `text_only`: the provider takes only strings as tool output.
    """
    writer = _ItemWriter(messages, native, upstream, text_only)
    return [item for message in messages for item in writer.items_of(message)]


class _MessageItem:
    """An assistant's message item in the making."""

    def __init__(self, marks: Mapping[str, Json], native: bool) -> None:
        self._marks = marks
        self.native = native
        """It was read from this wire, so the extras of its parts are this wire's."""
        self.content: list[dict[str, Json]] = []

    def whole(self, place: int) -> Json:
        """The item, its content spelled as it was: one string, nothing at all, or a list."""
        if not self.native:
            return self._foreign(place)
        content: Json = list[Json](self.content)
        spelled = self._marks.get(CONTENT)
        if len(self.content) == 1 and spelled == "text":
            content = self.content[0].get("text")
        elif len(self.content) == 1 and spelled == "empty" and not self.content[0].get("text"):
            content = []
        return {**own(self._marks), "role": "assistant", "content": content}

    def _foreign(self, place: int) -> Json:
        """Words as one string: servers that check types take a list only from an output item, which has an id."""
        texts = [str(part.get("text", "")) for part in self.content if part["type"] != "refusal"]
        if len(texts) == len(self.content):
            return {"type": "message", "role": "assistant", "content": "".join(texts)}
        content: list[Json] = [
            part if part["type"] == "refusal" else {**part, "annotations": []} for part in self.content
        ]
        return message_item(item_id("msg", dump_text(content), place), "completed", content)


class _ItemWriter:
    def __init__(self, messages: Iterable[Message], native: bool, upstream: bool, text_only: bool) -> None:
        self._native = native
        self._upstream = upstream
        self._text_only = text_only
        self._calls: dict[str, ToolCall] = {call.id: call for message in messages for call in message.calls}

    def items_of(self, message: Message) -> list[Json]:
        if self._native and isinstance(message.extras.get(ITEM), dict) and not message.parts:
            return [message.extras[ITEM]]
        if message.role == "assistant":
            return self._assistant(message)
        return self._said_to_the_model(message)

    def _assistant(self, message: Message) -> list[Json]:
        items: list[Json | _MessageItem] = []
        for part in message.parts:
            if not isinstance(part, Text | Refusal):
                written = self._assistant_item(part)
                if written is not None:
                    items.append(written)
                continue
            marked = self._native and ITEM in part.extras
            if not part.text and not marked:
                continue
            last = items[-1] if items else None
            if marked or not isinstance(last, _MessageItem):
                last = _MessageItem(mapping(part.extras[ITEM]) if marked else {}, marked)
                items.append(last)
            last.content.append(write_part(part, "assistant", native=last.native))
        return [item.whole(place) if isinstance(item, _MessageItem) else item for place, item in enumerate(items)]

    def _assistant_item(self, part: Reasoning | ToolCall | ToolResult | Image | File | Opaque) -> Json:
        match part:
            case Reasoning():
                return self._reasoning(part)
            case ToolCall():
                return self._call(part)
            case ToolResult():
                return self._result(part)
            case Image() if self._native and isinstance(part.extras.get(ITEM), dict):
                return part.extras[ITEM]
            case Image() | File():
                # an assistant cannot show pictures here; the model still has to see what it made
                return {"type": "message", "role": "user", "content": [write_part(part, "user", native=self._native)]}
            case Opaque():
                return _own_item(part)
            case _:
                assert_never(part)

    def _said_to_the_model(self, message: Message) -> list[Json]:
        items: list[Json] = []
        content: list[Json] = []
        for part in message.parts:
            match part:
                case ToolResult():
                    items.append(self._result(part))
                case Opaque() if message.extras.get(ITEM) is True:
                    items.append(_own_item(part))
                case ToolCall() | Reasoning():
                    raise Unspeakable(f"A {part.kind} part can only be the assistant's.", "input")
                case Text() if not part.text and not self._native:
                    pass
                case _:
                    content.append(write_part(part, message.role, native=self._native))
        if content or self._is_empty_message(message):
            items.append(self._message(message, content))
        return items

    def _is_empty_message(self, message: Message) -> bool:
        return self._native and not message.parts and message.role != "tool"

    def _message(self, message: Message, content: list[Json]) -> Json:
        extras = own(message.extras) if self._native else {"type": "message"}
        role = "user" if message.role == "tool" else message.role
        text = _only_text(message.parts) if self._native and message.extras.get(CONTENT) == "text" else None
        return {**extras, "role": role, "content": content if text is None else text}

    def _reasoning(self, part: Reasoning) -> Json:
        ours = part.wire == WIRE or (not part.wire and fitting(part.id, "rs"))  # unsigned: known by id only
        sealed = part.signature.startswith(ENVELOPE)
        signature = part.signature if (ours or sealed) and not (sealed and self._upstream) else ""
        if self._upstream and not signature and (not (self._native and ours) or sealed or is_ours(part.id)):
            return None
        item: dict[str, Json] = {"type": "reasoning", "summary": _summary(part, self._native)}
        if self._native and ours:
            item |= own(part.extras)
        if part.id and (self._native or fitting(part.id, "rs")):
            item["id"] = part.id
        if signature:
            item["encrypted_content"] = signature
        return item

    def _call(self, part: ToolCall) -> Json:
        if part.variant == "built_in":
            return write_built_in_call(part, self._call_id(part.id))
        function = part.variant == "function"
        kind = "function_call" if function else "custom_tool_call"
        item: dict[str, Json] = {
            **(own(part.extras) if self._native and part.extras.get("type") == kind else {}),
            "type": kind,
            "call_id": self._call_id(part.id),
            "name": part.name,
            "arguments" if function else "input": part.arguments or ("{}" if function and not self._native else ""),
        }
        if part.namespace:
            item["namespace"] = part.namespace
        if part.item_id and (self._native or fitting(part.item_id, "fc" if function else "ctc")):
            item["id"] = part.item_id
        return item

    def _call_id(self, identifier: str) -> str:
        return call_id(identifier) if self._upstream else identifier

    def _result(self, part: ToolResult) -> Json:
        call = self._calls.get(part.call_id)
        if part.variant == "built_in":
            return write_built_in_output(part, call.name if call else part.name, self._call_id(part.call_id))
        # some clients answer a built-in call with the output of a function
        variant = part.variant if call is None or call.variant == "built_in" else call.variant
        item: dict[str, Json] = {
            **(own(part.extras) if self._native else {}),
            "type": "function_call_output" if variant == "function" else "custom_tool_call_output",
            "call_id": self._call_id(part.call_id),
            "output": write_output(part, native=self._native, text_only=self._text_only),
        }
        if part.name and self._native:
            item["name"] = part.name
        return item


def _summary(part: Reasoning, native: bool) -> Json:
    """The pieces that were read, else the text as one piece."""
    if native and SUMMARY in part.extras:
        return part.extras[SUMMARY] or []
    return [{"type": "summary_text", "text": part.text}] if part.text else []


def _only_text(parts: Sequence[Part]) -> str | None:
    match parts:
        case (Text(text=text),):
            return text
        case _:
            return None


def _own_item(part: Opaque) -> Json:
    if part.wire != WIRE:
        raise Unspeakable(f"Something that only the wire {part.wire} understands cannot be said here.", "input")
    return part.value
