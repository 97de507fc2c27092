"""Images and files ↔ `inlineData` and `fileData`, in parts and in function responses."""

from urllib.parse import urlsplit

from callgate.core.errors import Unspeakable
from callgate.core.json.fields import Fields
from callgate.core.messages import Extras, File, Image, Json
from callgate.wire.gemini_generate.field_names import Camel

_URL_SAFE = str.maketrans("-_", "+/")
_TYPES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
    "gif": "image/gif",
    "heic": "image/heic",
    "pdf": "application/pdf",
    "txt": "text/plain",
    "mp3": "audio/mp3",
    "wav": "audio/wav",
    "mp4": "video/mp4",
}
"""The wire wants a type for an address; other wires have none, so the ending must tell."""
_camel = Camel("mimeType", "fileUri", "displayName")


def read_inline(blob: Fields, extras: dict[str, Json]) -> Image | File:
    blob = _camel(blob)
    media_type = blob.text("mimeType", "")
    data = _standard(blob.text("data", ""))
    extras |= _beside("inlineData", blob, "mimeType", "data", "displayName")
    name = blob.text("displayName", "")
    if not media_type.startswith("image/"):
        return File(media_type, data, name=name, extras=extras)
    if name:
        extras = {**extras, "displayName": name}
    return Image(media_type, data, extras=extras)


def read_uri(file: Fields, extras: dict[str, Json]) -> Image | File:
    file = _camel(file)
    media_type, url = file.text("mimeType", ""), file.text("fileUri")
    extras |= _beside("fileData", file, "mimeType", "fileUri", "displayName")
    name = file.text("displayName", "")
    if not media_type.startswith("image/"):
        return File(media_type, url=url, name=name, extras=extras)
    if name:
        extras = {**extras, "displayName": name}
    return Image(media_type, url=url, extras=extras)


def write_media(part: Image | File, same: bool) -> dict[str, Json]:
    """`inlineData` or `fileData`, with the part's own extras if it came over this wire."""
    media_type, data, url = part.media_type, part.data, part.url
    if not data and (inline := _data_url(url)):
        media_type, data = inline
    extras = dict(part.extras) if same else {}
    name = part.name if isinstance(part, File) else extras.pop("displayName", None)
    if data:
        key, value = "inlineData", {"mimeType": media_type or _guess(url, part), "data": data}
    elif url:
        key, value = "fileData", {"mimeType": media_type or _guess(url, part), "fileUri": url}
        if same and not media_type:
            del value["mimeType"]
    else:
        raise Unspeakable(f"{part.kind}: another provider's file id cannot be sent over Gemini", "messages")
    spelled: dict[str, Json] = dict(value)
    if name and same:
        spelled["displayName"] = name
    spelled |= _taken(extras, key)
    return {key: spelled, **extras}


def _beside(key: str, fields: Fields, *known: str) -> dict[str, Json]:
    unknown = fields.rest(*known)
    return {key: unknown} if unknown else {}


def _taken(extras: dict[str, Json], key: str) -> Extras:
    within = extras.pop(key, None)
    return within if isinstance(within, dict) else {}


def _standard(data: str) -> str:
    """Base64 in the alphabet that every other wire wants; this one takes the URL-safe one too."""
    return data.translate(_URL_SAFE) if "-" in data or "_" in data else data


def _data_url(url: str) -> tuple[str, str] | None:
    """Media type and base64 data of a `data:` address."""
    head, comma, data = url.partition(",")
    if not comma or not head.startswith("data:") or not head.endswith(";base64"):
        return None
    return head.removeprefix("data:").removesuffix(";base64").split(";")[0], data


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""  # no address at all: the provider says so


def _guess(url: str, part: Image | File) -> str:
    name = _path(url) if url and not url.startswith("data:") else part.name if isinstance(part, File) else ""
    fallback = "image/png" if isinstance(part, Image) else "application/octet-stream"
    return _TYPES.get(name.rpartition(".")[2].lower(), fallback)
