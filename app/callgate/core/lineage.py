"""Which requests belong to one conversation.

Most agents resend the whole history with every request, so a request's messages *extend* those of an earlier one.
Each prefix of a request is hashed; an exchange is remembered under the hash of all its messages and its answer. The
hash forgives what clients change between sending and resending: system prompts (some carry a changing header), empty
against missing content, one string against parts, dropped reasoning, extra keys, surrounding white space.
"""

import hashlib
from collections.abc import Iterable

import orjson

from callgate.core.messages import File, Image, Message, Refusal, Text, ToolCall, ToolResult

START = "0" * 32


def prefixes(messages: Iterable[Message]) -> list[str]:
    """The chained hash after each message that counts; messages that do not count repeat the one before."""
    chain = START
    out: list[str] = []
    for message in messages:
        chain = extend(chain, message)
        out.append(chain)
    return out


def extend(chain: str, message: Message) -> str:
    """The chained hash with one more message."""
    essence = _essence(message)
    if not essence:
        return chain
    return hashlib.sha256("\x00".join((chain, *essence)).encode("utf-8", "replace")).hexdigest()[:32]


def _canonical(arguments: str) -> str:
    """Arguments without the spacing and key order that clients change."""
    try:
        return orjson.dumps(orjson.loads(arguments), option=orjson.OPT_SORT_KEYS).decode()
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):  # no JSON, or nested too deeply to be written again
        return arguments.strip()


def _essence(message: Message) -> list[str]:
    if message.role in ("system", "developer"):
        return []
    pieces: list[str] = []
    text = "".join(part.text for part in message.parts if isinstance(part, Text | Refusal)).strip()
    if text:
        pieces.append(f"text:{text}")
    for part in message.parts:
        match part:
            case ToolCall():
                # not by id: some wires have none, and what is minted in its place differs each time
                pieces.append(f"call:{part.name}:{_canonical(part.arguments)}")
            case ToolResult():
                pieces.append(f"result:{part.text.strip()}")
            case Image() | File():
                pieces.append(
                    f"{part.kind}:{part.url or part.file_id or hashlib.sha256(part.data.encode()).hexdigest()}"
                )
            case _:
                pass
    if not pieces:
        return []
    # a tool result is `tool` in one wire and `user` in another: the role of what was said to the model counts once
    return [("assistant" if message.role == "assistant" else "input"), *pieces]
