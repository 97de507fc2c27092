"""What a client said, as the list of a response's input items has it: every item whole, with a type and an id."""

from collections.abc import Sequence
from dataclasses import replace

from callgate.core.json.text import dump_text
from callgate.core.messages import Json, Message, Opaque
from callgate.wire.openai_responses.ids import item_id
from callgate.wire.openai_responses.marks import INSTRUCTIONS, WIRE
from callgate.wire.openai_responses.write_items import write_items

_PREFIXES = {
    "message": "msg",
    "function_call": "fc",
    "function_call_output": "fco",
    "custom_tool_call": "ctc",
    "custom_tool_call_output": "ctco",
    "reasoning": "rs",
}


def listed_items(messages: Sequence[Message]) -> list[dict[str, Json]]:
    """The field `instructions` is no item; what only another wire can say is left out."""
    spoken = [_speakable(message) for message in messages if message.extras.get(INSTRUCTIONS) is not True]
    written = write_items(spoken)
    return [_whole(item, place) for place, item in enumerate(written) if isinstance(item, dict)]


def _speakable(message: Message) -> Message:
    parts = tuple(part for part in message.parts if not isinstance(part, Opaque) or part.wire == WIRE)
    return message if len(parts) == len(message.parts) else replace(message, parts=parts)


def _whole(item: dict[str, Json], place: int) -> dict[str, Json]:
    kind = item.get("type") or "message"
    whole = {"id": item_id(_PREFIXES.get(str(kind), "item"), dump_text(item), place), **item, "type": kind}
    if kind == "message":
        whole["content"] = _content(item)
        whole.setdefault("status", "completed")
    return whole


def _content(item: dict[str, Json]) -> Json:
    content = item.get("content")
    if not isinstance(content, str):
        return content
    if item.get("role") == "assistant":
        return [{"type": "output_text", "text": content, "annotations": []}]
    return [{"type": "input_text", "text": content}]
