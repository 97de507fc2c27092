"""Content parts inside items: text, refusals, images, files, and the output of a tool."""

import mimetypes
import re

from callgate.core.errors import Unspeakable
from callgate.core.json.fields import Fields
from callgate.core.json.text import dump_text
from callgate.core.messages import Extras, File, Image, Json, Opaque, Part, Refusal, ResultPart, Role, Text, ToolResult
from callgate.wire.openai_responses.marks import OUTPUT, PART, WIRE, leftover, own
from callgate.wire.result_notes import without_recordings

_DATA_URL = re.compile(r"data:([^;,]+);base64,", re.IGNORECASE)
_TEXT_TYPES = ("input_text", "output_text", "text")
_HEARD = ("audio/", "video/")
_ERROR = re.compile(r"\s*error\b", re.IGNORECASE)


def read_part(fields: Fields, role: Role) -> Part:
    kind = fields.text("type")
    if kind in _TEXT_TYPES:
        extras = leftover(fields, "text", *(("type",) if kind == _text_type(role) else ()))
        return Text(fields.text("text"), extras)
    match kind:
        case "refusal":
            return Refusal(fields.text("refusal"), leftover(fields, "refusal", "type"))
        case "input_image":
            return _read_image(fields)
        case "input_file":
            return _read_file(fields)
        case _:
            return Opaque(WIRE, dict(fields.value))


def write_part(part: Part, role: Role, *, native: bool) -> dict[str, Json]:
    """`native`: the part was read from this wire, so its extras mean something here."""
    match part:
        case Text():
            return {"type": _text_type(role), "text": part.text, **_extras(part.extras, native)}
        case Refusal():
            return {"type": "refusal", "refusal": part.text, **_extras(part.extras, native)}
        case Image():
            return _write_image(part, native)
        case File():
            return _write_file(part, native)
        case Opaque(wire=wire, value=dict(value)) if wire == WIRE:
            return value
        case _:
            raise Unspeakable(f"A {part.kind} part cannot be said in a message of OpenAI Responses.", "input")


def read_output(fields: Fields) -> tuple[tuple[ResultPart, ...], dict[str, Json]]:
    """The parts of a tool's output, and the marks that tell how it was spelled."""
    output = fields.raw("output")
    match output:
        case None | "":
            return (), {}
        case str():
            return (Text(output),), {}
        case list() if all(isinstance(item, dict) for item in output):
            parts = tuple(_result_part(child) for child in fields.objects("output"))
            plain = len(parts) == 1 and isinstance(parts[0], Text)
            return parts, {OUTPUT: "list"} if plain or not parts else {}
        case _:
            return (Text(dump_text(output)),), {}


def write_output(result: ToolResult, *, native: bool, text_only: bool = False) -> str | list[Json]:
    """One string where that says it all; no field exists for an error, so the text says so."""
    parts = _as_error(result.parts) if result.is_error else result.parts
    as_list = native and result.extras.get(OUTPUT) == "list"
    if text_only or (not as_list and not parts):
        return "\n".join(part.text for part in parts if isinstance(part, Text))
    if not as_list and len(parts) == 1 and isinstance(parts[0], Text) and not (native and parts[0].extras):
        return parts[0].text
    return [_write_result_part(part, native) for part in parts]


def _text_type(role: Role) -> str:
    return "output_text" if role == "assistant" else "input_text"


def _extras(extras: Extras, native: bool) -> dict[str, Json]:
    return own(extras) if native else {}


def _result_part(fields: Fields) -> ResultPart:
    part = read_part(fields, "user")
    if isinstance(part, Text | Image | File):
        return part
    return Text(dump_text(dict(fields.value)), {PART: dict(fields.value)})


def _write_result_part(part: ResultPart, native: bool) -> Json:
    original = part.extras.get(PART) if native else None
    return original if isinstance(original, dict) else write_part(without_recordings(part), "user", native=native)


def _as_error(parts: tuple[ResultPart, ...]) -> tuple[ResultPart, ...]:
    match parts:
        case (Text(text=text), *_) if _ERROR.match(text):
            return parts
        case (Text(text=text, extras=extras), *rest):
            return (Text(f"Error: {text}", extras), *rest)
        case _:
            return (Text("Error: the tool failed."), *parts)


def _read_image(fields: Fields) -> Image:
    url = fields.text("image_url", "")
    media_type, data = _split_data_url(url)
    return Image(
        media_type,
        data,
        "" if data else url,
        fields.text("file_id", ""),
        fields.text("detail", ""),
        leftover(fields, "type", "image_url", "file_id", "detail"),
    )


def _write_image(image: Image, native: bool) -> dict[str, Json]:
    value: dict[str, Json] = {"type": "input_image", **_extras(image.extras, native)}
    if image.data or image.url:
        value["image_url"] = image.url or f"data:{image.media_type or 'image/png'};base64,{image.data}"
    if image.file_id and (native or not image.data):
        value["file_id"] = image.file_id
    if image.detail:
        value["detail"] = image.detail
    elif not native:
        value["detail"] = "auto"  # the type says that it must be there
    return value


def _read_file(fields: Fields) -> File:
    given = fields.text("file_data", "")
    media_type, data = _split_data_url(given)
    return File(
        media_type,
        data or given,
        fields.text("file_url", ""),
        fields.text("file_id", ""),
        fields.text("filename", ""),
        leftover(fields, "type", "file_data", "file_url", "file_id", "filename"),
    )


def _write_file(file: File, native: bool) -> dict[str, Json]:
    if not native and file.media_type.startswith(_HEARD):
        raise Unspeakable(f"OpenAI Responses takes no sound and no film, as {file.media_type} is.", "input")
    value: dict[str, Json] = {"type": "input_file", **_extras(file.extras, native)}
    name = file.name
    if file.data:
        value["file_data"] = f"data:{file.media_type};base64,{file.data}" if file.media_type else file.data
        if not name and not native:
            name = f"file{mimetypes.guess_extension(file.media_type) or ''}"  # refused without one
    if file.url:
        value["file_url"] = file.url
    if file.file_id:
        value["file_id"] = file.file_id
    if name:
        value["filename"] = name
    return value


def _split_data_url(url: str) -> tuple[str, str]:
    """Media type and base64 data; empty for any other address."""
    found = _DATA_URL.match(url)
    return (found.group(1), url[found.end() :]) if found else ("", "")
