"""An estimate of a request's tokens, for endpoints that cannot count: `:countTokens` in this wire's words.

A heuristic, not a tokenizer: one token per 3.6 bytes of UTF-8, a fixed price for a picture, by size for other media.
Clients use it to decide when to compact, so it errs a little high.
"""

import math
from collections.abc import Mapping

from callgate.core.json.text import dump_bytes, mend
from callgate.core.messages import Json

BYTES_PER_TOKEN = 3.6
PICTURE = 258
"""What the provider counts for one that fits into a tile."""
_BASE64_CHARS_PER_TOKEN = 40
"""Sound and documents: a PDF page of 60 kB is some 2,000 tokens by this."""
_PROOFS = frozenset({"thoughtSignature", "thought_signature"})


def estimate_tokens(body: Mapping[str, Json]) -> int:
    """Of a body of `:countTokens`, with the whole request inside or only its contents; never less than 1."""
    inner = body.get("generateContentRequest") or body.get("generate_content_request")
    request = inner if isinstance(inner, dict) else body
    tokens = 0.0
    for key in ("contents", "systemInstruction", "system_instruction"):
        tokens += _weigh(request.get(key))
    tools = request.get("tools")
    if tools:
        tokens += len(dump_bytes(tools)) / BYTES_PER_TOKEN
    return max(1, math.ceil(tokens))


def _weigh(value: Json) -> float:
    match value:
        case str():
            return len(mend(value).encode()) / BYTES_PER_TOKEN
        case list():
            return sum(_weigh(item) for item in value)
        case {"inlineData": dict(blob)} | {"inline_data": dict(blob)}:
            return _weigh_media(blob)
        case {"fileData": dict()} | {"file_data": dict()}:
            return PICTURE
        case {"functionCall": called} | {"functionResponse": called}:
            return len(dump_bytes(called)) / BYTES_PER_TOKEN
        case dict():
            return sum(_weigh(item) for key, item in value.items() if key != "role" and key not in _PROOFS)
        case _:
            return 0.0


def _weigh_media(blob: Mapping[str, Json]) -> float:
    kind, data = blob.get("mimeType") or blob.get("mime_type"), blob.get("data")
    if isinstance(kind, str) and kind.startswith("image/"):
        return PICTURE
    return len(data) / _BASE64_CHARS_PER_TOKEN if isinstance(data, str) else PICTURE
