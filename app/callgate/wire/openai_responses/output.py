"""The output items of a reply, as a client is given them: always with ids, always complete.

A streamed reply, the same one plain, and the stored one have the same items with the same ids.
"""

from collections.abc import Sequence

from callgate.core.json.text import parse_object
from callgate.core.messages import (
    CallVariant,
    Citation,
    FinishReason,
    Image,
    Json,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    Text,
    TokenLogprob,
    ToolCall,
)
from callgate.core.request import ChatResponse, Choice
from callgate.wire.openai_logprobs import write_logprobs
from callgate.wire.openai_responses.annotations import write_annotation
from callgate.wire.openai_responses.built_in import write_built_in_call
from callgate.wire.openai_responses.ids import fitting, item_id, response_id
from callgate.wire.openai_responses.marks import ENVELOPE, ITEM, SUMMARY, WIRE, mapping, own

CUT_SHORT: tuple[FinishReason, ...] = ("length", "content_filter", "refusal")
"""Endings after which the last words are not whole."""


def output_items(response: ChatResponse) -> list[Json]:
    """What `output` lists for this reply; its first choice, as the wire knows no other."""
    if not response.choices:
        return []
    choice = response.choices[0]
    builder = _Output(response_id(response.id))
    for part in _spoken(choice):
        builder.add(part)
    return builder.finish(choice.finish)


def message_item(
    identifier: str, status: str, content: list[Json], rest: dict[str, Json] | None = None
) -> dict[str, Json]:
    return {
        "type": "message",
        **(rest or {}),
        "id": identifier,
        "status": status,
        "role": "assistant",
        "content": content,
    }


def text_part(text: str, citations: Sequence[Citation] = (), tokens: Sequence[TokenLogprob] = ()) -> dict[str, Json]:
    cited = (write_annotation(citation, len(text)) for citation in citations)
    annotations: list[Json] = [annotation for annotation in cited if annotation is not None]
    logprobs = write_logprobs(tokens, always_bytes=True)
    return {"type": "output_text", "annotations": annotations, "logprobs": logprobs, "text": text}


def refusal_part(text: str) -> dict[str, Json]:
    return {"type": "refusal", "refusal": text}


def reasoning_item(identifier: str, summary: Json, signature: str) -> dict[str, Json]:
    item: dict[str, Json] = {"id": identifier, "type": "reasoning", "summary": summary}
    if signature:
        item["encrypted_content"] = signature
    return item


def summary_of(text: str) -> list[Json]:
    return [{"type": "summary_text", "text": text}] if text else []


def call_item(identifier: str, call: ToolCall, status: str) -> dict[str, Json]:
    function = call.variant == "function"
    item: dict[str, Json] = {
        "id": identifier,
        "type": "function_call" if function else "custom_tool_call",
        "status": status,
        "call_id": call.id,
        "name": call.name,
        "arguments" if function else "input": call.arguments,
    }
    if call.namespace:
        item["namespace"] = call.namespace
    return item


def image_item(identifier: str, image: Image) -> dict[str, Json]:
    return {
        "id": identifier,
        "type": "image_generation_call",
        "status": "completed",
        "output_format": image.media_type.removeprefix("image/") or "png",
        "result": image.data,
    }


def call_prefix(variant: CallVariant) -> str:
    return "fc" if variant == "function" else "ctc"


def call_status(variant: CallVariant, arguments: str) -> str:
    """Arguments that were cut off are no JSON; a client must not run them."""
    return "completed" if variant == "custom" or parse_object(arguments) is not None else "incomplete"


def usable_signature(signature: str, wire: str) -> str:
    """The signature, where a client of this wire may be given it."""
    return signature if wire == WIRE or signature.startswith(ENVELOPE) else ""


def _spoken(choice: Choice) -> tuple[Part, ...]:
    """The parts, and the explanation of a refusal: there is no field for it, so it is said."""
    parts = choice.message.parts
    said = any(isinstance(part, Refusal) for part in parts)
    return (*parts, Refusal(choice.detail)) if choice.finish == "refusal" and choice.detail and not said else parts


class _Output:
    def __init__(self, response: str) -> None:
        self._response = response
        self._items: list[Json] = []
        self._content: list[Json] | None = None
        """The content of the message item at the end, while words may join it."""
        self._native = False
        """That item was read from this wire, so the extras of its parts are this wire's too."""

    def add(self, part: Part) -> None:
        match part:
            case Text() | Refusal():
                if part.text:
                    self._add_words(part)
            case Reasoning():
                signature = usable_signature(part.signature, part.wire)
                native = part.wire == WIRE or (not part.wire and fitting(part.id, "rs"))
                if signature or fitting(part.id, "rs") or (part.text and not part.redacted):
                    summary = (part.extras.get(SUMMARY) if native else None) or summary_of(part.text)
                    item = reasoning_item(self._id("rs", part.id), summary, signature)
                    self._append({**own(part.extras), **item} if native else item)
            case ToolCall(variant="built_in"):
                self._append(write_built_in_call(part, part.id))
            case ToolCall():
                item = call_item(
                    self._id(call_prefix(part.variant), part.item_id), part, call_status(part.variant, part.arguments)
                )
                native = part.extras.get("type") == item["type"]  # else the extras are another wire's
                self._append({**own(part.extras), **item} if native else item)
            case Image() if isinstance(part.extras.get(ITEM), dict):
                self._append(part.extras[ITEM])
            case Image() if part.data:
                self._append(image_item(self._id("ig"), part))
            case Opaque(wire=wire) if wire == WIRE:
                self._append(part.value)
            case _:
                pass  # another wire's own: there is no word for it here, and a warning says so

    def finish(self, finish: FinishReason) -> list[Json]:
        last = self._items[-1] if self._items else None
        if finish in CUT_SHORT and isinstance(last, dict) and last.get("type") == "message":
            last["status"] = "incomplete"
        return self._items

    def _add_words(self, part: Text | Refusal) -> None:
        marks = mapping(part.extras.get(ITEM))
        if self._content is None or ITEM in part.extras:
            content: list[Json] = []
            known = marks.get("id")
            self._append(
                message_item(self._id("msg", known if isinstance(known, str) else ""), "completed", content, own(marks))
            )
            self._content = content
            self._native = ITEM in part.extras
        written = (
            text_part(part.text, part.citations, part.tokens) if isinstance(part, Text) else refusal_part(part.text)
        )
        self._content.append({**written, **own(part.extras)} if self._native else written)

    def _append(self, item: Json) -> None:
        self._items.append(item)
        self._content = None

    def _id(self, prefix: str, known: str = "") -> str:
        taken = any(isinstance(item, dict) and item.get("id") == known for item in self._items)
        return known if fitting(known, prefix) and not taken else item_id(prefix, self._response, len(self._items))
