"""An estimate of a request's input tokens, for endpoints that cannot count.

A heuristic, not a tokenizer: one token per 3.6 bytes of UTF-8 (English prose and code measure 3.3 to 4; other scripts
have more bytes and more tokens a character alike), a fixed price for an image, a price by size for a PDF, and what
the provider adds for a message and for the presence of tools. Clients use it to decide when to compact, so it errs
a little high.
"""

import math
from collections.abc import Mapping

from callgate.core.json.text import dump_bytes, mend
from callgate.core.messages import Json

BYTES_PER_TOKEN = 3.6
IMAGE = 1600
"""The most that an image costs after the provider has scaled it down."""
MESSAGE = 4
TOOLS = 346
"""What the provider puts before the first tool."""
PDF_PAGE = 2000
_PDF_PAGE_BASE64_CHARS = 80_000
"""About 60 kB of PDF a page."""
_PROOFS = ("signature", "data", "encrypted_content", "cache_control")
"""Never shown to the model as text."""


def estimate_tokens(body: Mapping[str, Json]) -> int:
    """Input tokens of a body of `/v1/messages` or `/v1/messages/count_tokens`; never less than 1."""
    tokens = _weigh(body.get("system"))
    messages = body.get("messages")
    for message in messages if isinstance(messages, list) else []:
        if isinstance(message, dict):
            tokens += MESSAGE + _weigh(message.get("content"))
    tools = body.get("tools")
    if isinstance(tools, list) and tools:
        tokens += TOOLS + _weigh_json(tools)
    config = body.get("output_config")
    if isinstance(config, dict) and config.get("format"):
        tokens += _weigh_json(config["format"])
    return max(1, math.ceil(tokens))


def _weigh(content: Json) -> float:
    """A string, a block, or a list of them."""
    match content:
        case str():
            return len(mend(content).encode()) / BYTES_PER_TOKEN
        case list():
            return sum(_weigh(item) for item in content)
        case {"type": "image"}:
            return IMAGE
        case {"type": "document", "source": {"type": "base64", "data": str(data)}}:
            return PDF_PAGE * math.ceil(len(data) / _PDF_PAGE_BASE64_CHARS)
        case {"type": "document", "source": {"type": "text", "data": str(text)}}:
            return _weigh(text)
        case {"type": "document", "source": {"type": "url" | "file"}}:
            return PDF_PAGE
        case {"type": "tool_use", "input": input, "name": str(name)}:
            return _weigh(name) + _weigh_json(input)
        case dict():
            return sum(_weigh(value) for key, value in content.items() if key not in ("type", *_PROOFS))
        case _:
            return 0


def _weigh_json(value: Json) -> float:
    return len(dump_bytes(value)) / BYTES_PER_TOKEN
