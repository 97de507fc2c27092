"""The parts of a message's content: text, refusals, images, files, audio, and what this form does not know."""

import base64
import binascii
import re
from typing import Final

from callgate.core.errors import Unspeakable
from callgate.core.json.fields import Fields, wrong_type
from callgate.core.messages import Extras, File, Image, Json, Opaque, Part, Refusal, Text
from callgate.core.request import WireName
from callgate.wire.dialects import PLAIN, Dialect

WIRE: Final[WireName] = "openai-chat"

ContentPart = Text | Refusal | Image | File | Opaque

_DATA_URL = re.compile(r"data:([^;,]*);base64,(.*)", re.DOTALL)
_AUDIO_FORMATS = {
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/wave": "wav",
    "audio/mp3": "mp3",
    "audio/mpeg": "mp3",
}


def read_content(fields: Fields) -> tuple[ContentPart, ...]:
    """A message's `content`: a string, or an array of parts; nothing where it is empty."""
    value = fields.raw("content")
    match value:
        case None | "":
            return ()
        case str():
            return (Text(value),)
        case list():
            return tuple(_read_part(part) for part in fields.objects("content"))
        case _:
            raise wrong_type(fields.at("content"), "a string or an array of parts", value)


def _read_part(fields: Fields) -> ContentPart:
    match fields.text("type"):
        case "text":
            return Text(fields.text("text"), fields.rest("type", "text"))
        case "refusal":
            return Refusal(fields.text("refusal"), fields.rest("type", "refusal"))
        case "image_url":
            return _read_image(fields)
        case "input_audio":
            return _read_audio(fields)
        case "file":
            return _read_file(fields)
        case _:
            return Opaque(WIRE, dict(fields.value))


def _read_image(fields: Fields) -> Image:
    if isinstance(fields.raw("image_url"), str):  # a common shorthand
        inner = Fields({"url": fields.raw("image_url")}, fields.at("image_url"))
    else:
        inner = fields.needed_child("image_url")
    url = inner.text("url")
    detail = inner.text("detail", "")
    extras = _extras(fields, inner, "image_url", "url", "detail")
    if embedded := _DATA_URL.fullmatch(url):
        return Image(embedded[1], embedded[2], detail=detail, extras=extras)
    return Image(url=url, detail=detail, extras=extras)


def _read_audio(fields: Fields) -> File:
    inner = fields.needed_child("input_audio")
    extras = _extras(fields, inner, "input_audio", "data", "format")
    return File(f"audio/{inner.text('format')}", inner.text("data"), extras=extras)


def _read_file(fields: Fields) -> File:
    inner = fields.needed_child("file")
    data = inner.text("file_data", "")
    media_type = ""
    if embedded := _DATA_URL.fullmatch(data):
        media_type, data = embedded[1], embedded[2]
    return File(
        media_type,
        data,
        file_id=inner.text("file_id", ""),
        name=inner.text("filename", ""),
        extras=_extras(fields, inner, "file", "file_data", "file_id", "filename"),
    )


def _extras(outer: Fields, inner: Fields, key: str, *known: str) -> dict[str, Json]:
    """Unknown keys of a part and, below its own key, of the object that it wraps."""
    extras = outer.rest("type", key)
    within = inner.rest(*known)
    return {**extras, key: within} if within else extras


class ContentWriter:
    """Spells parts for one request. `own`: it was read from this wire, so that its extras are ours; `same_files`: its
    file ids mean files of this provider, too."""

    def __init__(self, own: bool, dialect: Dialect = PLAIN, *, same_files: bool = False) -> None:
        self._own = own
        self._dialect = dialect
        self._same_files = own or same_files

    def write(self, parts: list[Part]) -> str | list[Json]:
        """A string where one text says it all, else an array."""
        match parts:
            case []:
                return ""
            case [Text(text, extras)] if not (extras and self._own):
                return text
            case _:
                return [self.write_part(part) for part in parts]

    def write_part(self, part: Part) -> dict[str, Json]:
        """Raises `Unspeakable` for what has no spelling here."""
        match part:
            case Text():
                return {"type": "text", "text": part.text, **self._own_extras(part.extras)}
            case Refusal():
                return {"type": "refusal", "refusal": part.text, **self._own_extras(part.extras)}
            case Image():
                return self._image(part)
            case File() if part.media_type.startswith("audio/"):
                return self._audio(part)
            case File():
                return self._file(part)
            case Opaque() if part.wire == WIRE and isinstance(part.value, dict):
                return dict(part.value)
            case _:
                what = part.wire if isinstance(part, Opaque) else part.kind
                raise Unspeakable(f"OpenAI Chat cannot carry this part of a message: {what}", "messages")

    def _image(self, part: Image) -> dict[str, Json]:
        if part.data:
            url = f"data:{part.media_type};base64,{part.data}"
        elif part.url and not self._dialect.image_urls:
            raise Unspeakable(f"{self._dialect.name} takes images only as data, not by URL: {part.url}", "messages")
        elif part.url:
            url = part.url
        else:
            raise Unspeakable("OpenAI Chat cannot carry an image by a provider's file id", "messages")
        inner: dict[str, Json] = {"url": url}
        if part.detail:
            inner["detail"] = part.detail
        return self._wrapped("image_url", inner, part.extras)

    def _audio(self, part: File) -> dict[str, Json]:
        sound = _AUDIO_FORMATS.get(part.media_type, part.media_type.removeprefix("audio/") if self._own else "")
        if not sound or not part.data:
            raise Unspeakable(f"OpenAI Chat takes audio only as wav or mp3 data, not {part.media_type}", "messages")
        return self._wrapped("input_audio", {"data": part.data, "format": sound}, part.extras)

    def _file(self, part: File) -> dict[str, Json]:
        if part.url or (part.file_id and not self._same_files):
            raise Unspeakable("OpenAI Chat takes files as data or by its own file id only", "messages")
        if part.media_type.startswith("text/") and not self._own and (text := _decoded(part.data)) is not None:
            return {"type": "text", "text": f"{part.name}\n\n{text}" if part.name else text}
        inner: dict[str, Json] = {}
        if part.data:
            inner["file_data"] = f"data:{part.media_type};base64,{part.data}" if part.media_type else part.data
        if part.file_id:
            inner["file_id"] = part.file_id
        if part.name or (part.data and not self._own):
            inner["filename"] = part.name or "file"  # required beside data
        return self._wrapped("file", inner, part.extras)

    def _wrapped(self, key: str, inner: dict[str, Json], extras: Extras) -> dict[str, Json]:
        own = self._own_extras(extras)
        within = own.pop(key, None)
        if isinstance(within, dict):
            inner = {**inner, **within}
        return {"type": key, key: inner, **own}

    def _own_extras(self, extras: Extras) -> dict[str, Json]:
        return dict(extras) if self._own else {}


def _decoded(data: str) -> str | None:
    try:
        return base64.b64decode(data, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
