"""About how many tokens a round took, where the provider does not say. Pure, cheap, and always told as an estimate.

OpenAI's Chat wire counts streamed answers only for clients that ask for it, and a request that goes through unchanged
must not be made to ask. Four letters of English, code or JSON are about one token; what is attached is not text.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Final

from callgate.core.messages import File, Image, Message, Part, Reasoning, Text, ToolCall, ToolResult, Usage

LETTERS: Final = 4
"""In one token, about."""
PICTURE: Final = 800
"""Tokens of a picture of the size that agents send: providers count tiles of it, each in a way of their own."""


def request_tokens(size: int, messages: Sequence[Message]) -> int:
    """Of a request of so many bytes that holds these messages."""
    attached = pictures = 0
    for part in _media(part for message in messages for part in message.parts):
        attached += len(part.data) + (len(part.url) if part.url.startswith("data:") else 0)
        pictures += isinstance(part, Image)
    return max(0, size - attached) // LETTERS + pictures * PICTURE


def estimated_usage(asked: int, answer: Message) -> Usage | None:
    """Of a round that was asked so many tokens; None = there is nothing to go by."""
    letters = sum(_letters(part) for part in answer.parts)
    written = math.ceil(letters / LETTERS)
    if not asked and not written:
        return None
    thought = sum(len(part.text) for part in answer.parts if isinstance(part, Reasoning))
    return Usage(asked, written, reasoning=math.ceil(thought / LETTERS), estimated=asked + written)


def _media(parts: Iterable[Part]) -> Iterable[Image | File]:
    for part in parts:
        match part:
            case Image() | File():
                yield part
            case ToolResult():
                yield from _media(part.parts)
            case _:
                pass


def _letters(part: Part) -> int:
    match part:
        case Text() | Reasoning():
            return len(part.text)
        case ToolCall():
            return len(part.name) + len(part.arguments)
        case _:
            return 0
