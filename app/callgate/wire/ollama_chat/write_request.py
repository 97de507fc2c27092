"""`ChatRequest` → the body for a server of this wire."""

import base64
import binascii

from callgate.core.errors import Unspeakable
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
from callgate.core.request import ChatRequest, ReplyFormat, Thinking
from callgate.wire.call_ids import NO_ID
from callgate.wire.codec import Written
from callgate.wire.dialects import Dialect
from callgate.wire.ollama_chat.calls import write_call, write_tools
from callgate.wire.ollama_chat.read_messages import NO_NAME
from callgate.wire.ollama_chat.wire_traits import WIRE
from callgate.wire.result_notes import without_recordings

_LEVELS = {"minimal": "low", "low": "low", "medium": "medium", "high": "high", "xhigh": "high", "max": "high"}
_TEXTS = ("text/", "application/json", "application/xml")
_TAKES_LEVELS = "gpt-oss"
"""The only family of models that knows how much to think; the others only know whether."""


def write_request(request: ChatRequest, dialect: Dialect) -> Written:
    warnings: list[str] = []
    own = request.wire == WIRE
    extras = dict(request.extras) if own else {}
    options = _write_options(request, extras, warnings)
    body: dict[str, Json] = {
        "model": request.model,
        "messages": [_write_message(message, own, warnings) for message in _results_first(request.messages)],
    }
    if tools := write_tools(request, dialect, warnings):
        body["tools"] = tools
    body["stream"] = request.stream
    if request.reply_format is not None and (shape := _write_format(request.reply_format)) is not None:
        body["format"] = shape
    if options:
        body["options"] = options
    if not own and request.thinking is not None and (think := _write_thinking(request.thinking, request.model)) != "":
        body["think"] = think
    if request.sampling.logprobs is not None:
        body |= {"logprobs": True, "top_logprobs": request.sampling.logprobs}
    return Written({**body, **extras}, tuple(dict.fromkeys(warnings)))


def _write_options(request: ChatRequest, extras: dict[str, Json], warnings: list[str]) -> dict[str, Json]:
    sampling = request.sampling
    kept = extras.pop("options", None)
    limit = extras.pop("num_predict", None)
    given: dict[str, Json] = {
        "num_predict": limit if sampling.max_tokens is None else sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "top_k": sampling.top_k,
        "stop": list(sampling.stop) or None,
        "seed": sampling.seed,
        "presence_penalty": sampling.presence_penalty,
        "frequency_penalty": sampling.frequency_penalty,
    }
    if sampling.n is not None and sampling.n > 1:
        warnings.append("Ollama gives one choice only; n was left out")
    told = {name: value for name, value in given.items() if value is not None}
    return {**told, **(kept if isinstance(kept, dict) else {})}


def _write_format(shape: ReplyFormat) -> Json:
    if shape.kind == "text":
        return None
    return shape.schema if shape.kind == "json_schema" and shape.schema is not None else "json"


def _write_thinking(thinking: Thinking, model: str) -> bool | str:
    """Empty = the model decides."""
    if thinking.effort == "none" or thinking.budget == 0:
        return False
    if not thinking.effort and thinking.budget is None:
        return ""
    if _TAKES_LEVELS in model:
        return _LEVELS.get(thinking.effort, "medium")
    return True


def _write_message(message: Message, own: bool, warnings: list[str]) -> Json:
    if message.results:
        return _write_result(message.results[0], own)
    role = message.role if own or message.role != "developer" else "system"
    texts: list[str] = []
    images: list[Json] = []
    thoughts: list[str] = []
    calls: list[Json] = []
    for part in message.parts:
        match part:
            case Text() | Refusal():
                texts.append(part.text)
            case Reasoning():
                thoughts += [] if part.redacted else [part.text]
            case ToolCall():
                calls.append(write_call(part, own))
            case Image() | File() if message.role == "assistant":
                warnings.append(f"an assistant's {part.kind} was left out: Ollama has no place for it")
            case Image():
                images.append(_write_image(part))
            case File():
                texts.append(_write_file(part))
            case Opaque() | ToolResult():
                warnings.append(f"messages: a part of {message.role} left out: Ollama has no word for it")
    joint = "" if own or message.role == "assistant" else "\n\n"
    body: dict[str, Json] = {"role": role, "content": joint.join(texts)}
    if thoughts:
        body["thinking"] = "".join(thoughts)
    if images:
        body["images"] = images
    if calls:
        body["tool_calls"] = calls
    return {**body, **message.extras} if own else body


def _write_result(result: ToolResult, own: bool) -> Json:
    extras = dict(result.extras) if own else {}
    nameless, without_id = extras.pop(NO_NAME, None), extras.pop(NO_ID, None)
    parts = [without_recordings(part) for part in result.parts]
    said = [part for part in parts if not isinstance(part, Image)]
    text = "\n".join([part.text if isinstance(part, Text) else _write_file(part) for part in said])
    if result.is_error and not text.lower().startswith("error"):
        text = f"Error: {text or 'the tool failed.'}"
    body: dict[str, Json] = {"role": "tool", "content": text}
    if result.name and nameless is None:
        body["tool_name"] = result.name
    if result.call_id and without_id is None:
        body["tool_call_id"] = result.call_id
    if images := [_write_image(part) for part in parts if isinstance(part, Image)]:
        body["images"] = images
    return {**body, **extras}


def _write_image(image: Image) -> Json:
    if not image.data:
        named = image.url or image.file_id
        raise Unspeakable(f"Ollama takes images only as data, not by reference: {named}", "messages")
    return image.data


def _write_file(file: File) -> str:
    """Ollama has no files: what is text is said as such."""
    try:
        text = base64.b64decode(file.data, validate=True).decode() if file.media_type.startswith(_TEXTS) else None
    except (binascii.Error, UnicodeDecodeError):
        text = None
    if text is None:
        raise Unspeakable(f"Ollama takes no files but text: {file.name or file.media_type or file.url}", "messages")
    return f"{file.name}\n\n{text}" if file.name else text


def _results_first(messages: tuple[Message, ...]) -> list[Message]:
    """One message for each result, behind the turn with its call, whatever stood between."""
    ordered: list[Message] = []
    place = 0
    for message in messages:
        results: list[Part] = [part for part in message.parts if isinstance(part, ToolResult)]
        for result in results:
            ordered.insert(place, Message("tool", (result,), extras=message.extras))
            place += 1
        if results and len(results) == len(message.parts):
            continue
        rest = [part for part in message.parts if not isinstance(part, ToolResult)]
        ordered.append(message.with_parts(rest))
        if message.role == "assistant":
            place = len(ordered)
    return ordered
