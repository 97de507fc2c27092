"""Content blocks ↔ parts, for requests and replies alike.

A block that has no neutral form is kept word for word: `Opaque` in its place, or, where text says the same to any
model (search results, documents made of blocks, anything inside a tool result), a `Text` that remembers the block.
"""

import base64
import binascii
import mimetypes
from collections.abc import Iterable, Mapping
from typing import assert_never

from callgate.core.errors import Unspeakable
from callgate.core.json.fields import Fields
from callgate.core.json.text import dump_text, mend
from callgate.core.messages import (
    Extras,
    File,
    Image,
    Json,
    Opaque,
    Part,
    Reasoning,
    ResultPart,
    Text,
    ToolCall,
    ToolResult,
)
from callgate.wire.anthropic_messages.arguments import read_input
from callgate.wire.anthropic_messages.complaint import complaint
from callgate.wire.result_notes import without_recordings

WIRE = "anthropic"
ENVELOPE = "cg1."
"""How a signature of Callgate's own begins: it carries another provider's proof through a client of this wire."""

NOT_PROVEN = f"{ENVELOPE}cited"
"""Stands for the proof that a citation of Anthropic's own search has; what another provider cited has none."""
_KEPT = "anthropic_block"
"""In a text's extras: the block that the text stands for."""
_TEXTUAL = ("application/json", "application/xml", "application/javascript")


def read_content(fields: Fields, key: str = "content") -> tuple[Part, ...]:
    """A string, or a list of blocks."""
    value = fields.raw(key)
    if isinstance(value, str):
        return (Text(value),) if value else ()
    return tuple(read_block(block) for block in fields.objects(key, required=True))


def read_block(block: Fields) -> Part:
    match block.text("type"):
        case "text":
            return Text(block.text("text"), block.rest("type", "text"))
        case "image":
            return _read_image(block) or Opaque(WIRE, dict(block.value))
        case "document":
            return _read_document(block) or _stand_in(block)
        case "search_result":
            return _stand_in(block)
        case "thinking":
            return _read_thinking(block)
        case "redacted_thinking":
            return Reasoning(signature=block.text("data"), redacted=True, wire=WIRE, extras=block.rest("type", "data"))
        case "tool_use":
            return _read_call(block)
        case "tool_result":
            return _read_result(block)
        case _:
            return Opaque(WIRE, dict(block.value))


def signature_wire(signature: str) -> str:
    """Whose proof it is: an empty one nobody's, an envelope some other provider's."""
    return WIRE if signature and not signature.startswith(ENVELOPE) else ""


def _read_thinking(block: Fields) -> Reasoning:
    signature = block.text("signature", "")
    return Reasoning(
        block.text("thinking", ""),
        signature,
        wire=signature_wire(signature),
        extras=block.rest("type", "thinking", "signature"),
    )


def _read_call(block: Fields) -> ToolCall:
    given = block.raw("input")
    if given is not None and not isinstance(given, dict):
        raise complaint(block.at("input"), "Input should be a valid dictionary")
    return ToolCall(
        block.text("id", ""),
        block.text("name"),
        read_input(given or {}),
        extras=block.rest("type", "id", "name", "input"),
    )


def _read_result(block: Fields) -> ToolResult:
    given = block.raw("content")
    parts: tuple[ResultPart, ...]
    if given is None or given == "":
        parts = ()
    elif isinstance(given, str):
        parts = (Text(given),)
    elif isinstance(given, list):
        parts = tuple(_read_result_part(item) for item in block.objects("content"))
    else:
        parts = (Text(dump_text(given)),)  # sloppy clients send the bare JSON value
    is_error = block.boolean("is_error", False)
    extras = block.rest("type", "tool_use_id", "content", "is_error")
    if block.raw("is_error") is False:
        extras["is_error"] = False  # said aloud by some clients; goes back as it came
    return ToolResult(block.text("tool_use_id"), parts, is_error, extras=extras)


def _read_result_part(block: Fields) -> ResultPart:
    part = read_block(block)
    return part if isinstance(part, Text | Image | File) else _stand_in(block)


def _read_image(block: Fields) -> Image | None:
    source = block.needed_child("source")
    extras = _media_extras(block, source, "type", "source")
    match source.text("type"):
        case "base64":
            return Image(source.text("media_type"), source.text("data"), extras=extras)
        case "url":
            return Image(url=source.text("url"), extras=extras)
        case "file":
            return Image(file_id=source.text("file_id"), extras=extras)
        case _:
            return None


def _read_document(block: Fields) -> File | None:
    source = block.needed_child("source")
    name = block.text("title", "")
    extras = _media_extras(block, source, "type", "source", "title")
    match source.text("type"):
        case "base64":
            return File(source.text("media_type"), source.text("data"), name=name, extras=extras)
        case "text":
            data = base64.b64encode(mend(source.text("data")).encode()).decode()
            return File(source.text("media_type", "text/plain"), data, name=name, extras=extras)
        case "url":
            return File(url=source.text("url"), name=name, extras=extras)
        case "file":
            return File(file_id=source.text("file_id"), name=name, extras=extras)
        case _:
            return None


def _media_extras(block: Fields, source: Fields, *known: str) -> dict[str, Json]:
    extras = block.rest(*known)
    unknown = source.rest("type", "media_type", "data", "url", "file_id")
    return {**extras, "source": unknown} if unknown else extras


def _stand_in(block: Fields) -> Text:
    return Text(_as_text(block.value), {_KEPT: dict(block.value)})


def _as_text(block: Mapping[str, Json]) -> str:
    source = block.get("source")
    content: Json = block.get("content", source.get("content") if isinstance(source, dict) else None)
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if block.get("type") not in ("search_result", "document") or not isinstance(content, list):
        return dump_text(block)
    heading = [text for text in (block.get("title"), source) if isinstance(text, str) and text]
    body = [_inner_text(item) for item in content]
    return "\n".join(heading + body)


def _inner_text(item: Json) -> str:
    text = item.get("text") if isinstance(item, dict) else None
    return text if isinstance(text, str) else dump_text(item)


def fitting_extras(extras: Extras, same: bool) -> dict[str, Json]:
    """A foreign wire's extras stay there; cache marks are borrowed from this wire by clients of others."""
    if same or not extras:
        return dict(extras)
    return {key: value for key, value in extras.items() if key == "cache_control"}


def write_text(part: Text, same: bool) -> dict[str, Json] | None:
    """None for empty text, which this wire refuses, as it does white space."""
    kept = part.extras.get(_KEPT) if same else None
    if isinstance(kept, dict):
        return kept
    if not part.text or not (same or part.text.strip()):
        return None
    extras = without_foreign_citations(part.extras) if "citations" in part.extras else part.extras
    return {"type": "text", "text": part.text, **fitting_extras(extras, same)}


def without_foreign_citations(extras: Extras) -> Extras:
    """Of a client's history: what another provider cited cannot be proven to this one, which would refuse it."""
    citations = extras.get("citations")
    if not isinstance(citations, list) or not any(map(_is_foreign, citations)):
        return extras
    kept = [citation for citation in citations if not _is_foreign(citation)]
    rest = {key: value for key, value in extras.items() if key != "citations"}
    return {**rest, "citations": kept} if kept else rest


def _is_foreign(citation: Json) -> bool:
    return isinstance(citation, dict) and citation.get("encrypted_index") == NOT_PROVEN


def write_image(part: Image, same: bool) -> dict[str, Json]:
    data_url = _data_url(part.url)
    if data_url is not None:
        part = Image(*data_url, extras=part.extras)
    if part.data:
        source: dict[str, Json] = {"type": "base64", "media_type": part.media_type, "data": part.data}
    elif part.url:
        source = {"type": "url", "url": part.url}
    else:
        source = _file_source(part.file_id, "an image", same)
    return _media_block("image", source, part.extras, same)


def write_file(part: File, same: bool) -> dict[str, Json]:
    data_url = _data_url(part.url)
    if data_url is not None:
        part = File(*data_url, name=part.name, extras=part.extras)
    kind = part.media_type if same else _kind_of(part)
    if kind.startswith("image/"):
        return write_image(Image(kind, part.data, part.url, part.file_id, extras=part.extras), same)
    if part.data and _is_textual(kind):
        source: dict[str, Json] = {"type": "text", "media_type": "text/plain", "data": _decoded(part)}
    elif not same and kind not in ("", "application/pdf"):
        raise Unspeakable(f"a file of type {kind} cannot be sent over Anthropic Messages", "messages")
    elif part.data:
        source = {"type": "base64", "media_type": kind or "application/pdf", "data": part.data}
    elif part.url:
        source = {"type": "url", "url": part.url}
    else:
        source = _file_source(part.file_id, "a file", same)
    block = _media_block("document", source, part.extras, same)
    return {**block, "title": part.name} if part.name else block


def write_result(part: ToolResult, id: str, same: bool) -> dict[str, Json]:
    block: dict[str, Json] = {"type": "tool_result", "tool_use_id": id}
    content = write_plain((without_recordings(piece) for piece in part.parts), same)
    if content:
        block["content"] = content
    block |= fitting_extras(part.extras, same)
    if part.is_error:
        block["is_error"] = True
    return block


def write_plain(parts: Iterable[ResultPart], same: bool) -> str | list[Json]:
    """Blocks; just a string where that says it all. Empty where there is nothing to say."""
    written = [block for part in parts if (block := _write_plain_part(part, same)) is not None]
    return as_string(written)


def as_string(blocks: list[dict[str, Json]]) -> str | list[Json]:
    if not blocks:
        return ""
    first = blocks[0]
    if len(blocks) == 1 and len(first) == 2 and first["type"] == "text" and isinstance(text := first.get("text"), str):
        return text
    return list(blocks)


def write_thinking(part: Reasoning, signature: str) -> dict[str, Json]:
    if part.redacted:
        return {"type": "redacted_thinking", "data": signature}
    return {"type": "thinking", "thinking": part.text, "signature": signature}


def own_signature(signature: str, wire: str) -> str:
    """What a client may be shown as a signature: this wire's proof or our envelope, never another provider's."""
    return signature if wire == WIRE or signature.startswith(ENVELOPE) else ""


def _write_plain_part(part: ResultPart, same: bool) -> dict[str, Json] | None:
    match part:
        case Text():
            return write_text(part, same)
        case Image():
            return write_image(part, same)
        case File():
            return write_file(part, same)
        case _:
            assert_never(part)


def _media_block(type: str, source: dict[str, Json], extras: Extras, same: bool) -> dict[str, Json]:
    fitting = fitting_extras(extras, same)
    unknown = fitting.pop("source", None)
    if isinstance(unknown, dict):
        source = {**source, **unknown}
    return {"type": type, "source": source, **fitting}


def _file_source(file_id: str, what: str, same: bool) -> dict[str, Json]:
    if not same:
        raise Unspeakable(f"{what} named by another provider's file id cannot be sent to this one", "messages")
    return {"type": "file", "file_id": file_id}


def _data_url(url: str) -> tuple[str, str] | None:
    """Media type and base64 data of a `data:` address."""
    head, comma, data = url.partition(",")
    if not comma or not head.startswith("data:") or not head.endswith(";base64"):
        return None
    return head.removeprefix("data:").removesuffix(";base64").split(";")[0], data


def _kind_of(part: File) -> str:
    """What it is said to be; else what its name says."""
    return part.media_type or mimetypes.guess_type(part.name)[0] or ""


def _is_textual(media_type: str) -> bool:
    return media_type.startswith("text/") or media_type in _TEXTUAL


def _decoded(part: File) -> str:
    try:
        return base64.b64decode(part.data, validate=True).decode("utf-8", "replace")
    except binascii.Error as bad:
        raise Unspeakable(f"the data of the file {part.name!r} is not base64: {bad}", "messages") from bad
