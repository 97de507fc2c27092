"""What can be searched for in an event: its texts, cut into passages. Pure; knows nothing of an index.

A passage is short enough that a hit in it can be shown, and says what it is: a question, an answer, a call, a result.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from callgate.core.calls.invocation import Invocation
from callgate.core.events import Event, ExchangeEnded, ExchangeStarted, FaultRaised, InvocationChanged, RoundEnded
from callgate.core.messages import File, Message, Part, Reasoning, Refusal, Text, ToolCall, ToolResult

PassageKind = Literal["title", "system", "user", "answer", "reasoning", "call", "result", "error"]

LONGEST: Final = 4000
"""Characters in one passage: a hit is shown with a few words around it, and a longer text ranks worse."""
MOST: Final = 250
"""Passages of one text, a megabyte: what stands behind that in a log of a tool is not looked for."""

_WITHOUT_SPACES: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
"""Kana and Han are written without spaces: the index must see each character as a word."""
GAP: Final = "\u200b"
"""Takes no room, and separates words for the index."""


@dataclass(frozen=True, slots=True)
class Passage:
    kind: PassageKind
    text: str
    tool: str = ""
    """The name of the tool that a call or result is of."""


def passages(event: Event) -> tuple[Passage, ...]:
    """Everything in an event that somebody may look for; nothing of deltas, whose round tells all of it at its end."""
    return tuple(piece for whole in _whole(event) for piece in _cut(whole))


def spaced(text: str) -> str:
    """The text with a gap behind each character of a script that writes none."""
    return text if text.isascii() else _WITHOUT_SPACES.sub(lambda found: found[0] + GAP, text)


def unspaced(text: str) -> str:
    return text.replace(GAP, "")


def _whole(event: Event) -> Iterator[Passage]:
    match event:
        case ExchangeStarted():
            for message in event.fresh:
                yield from _said(message)
        case RoundEnded():
            yield from _said(event.message)
        case InvocationChanged() if event.ends:
            yield from _ran(event.invocation)
        case InvocationChanged() if event.invocation.reason_at is not None:
            yield Passage("call", event.invocation.explanation, event.invocation.tool)
        case ExchangeEnded() if event.fault is not None:
            yield Passage("error", event.fault.message)
        case FaultRaised():
            yield Passage("error", event.message)
        case _:
            return


def _said(message: Message) -> Iterator[Passage]:
    for part in message.parts:
        yield from _part(message, part)


def _part(message: Message, part: Part) -> Iterator[Passage]:
    match part:
        case Text() | Refusal():
            yield Passage(_voice(message), part.text)
        case Reasoning():
            yield Passage("reasoning", part.text)
        case ToolCall():
            yield Passage("call", f"{part.name} {part.arguments}", part.name)
        case ToolResult():
            yield Passage("result", part.text, part.name)
        case File() if part.name:
            yield Passage(_voice(message), part.name)
        case _:
            return


def _voice(message: Message) -> PassageKind:
    match message.role:
        case "system" | "developer":
            return "system"
        case "assistant":
            return "answer"
        case "tool":
            return "result"
        case "user":
            return "user"


def _ran(invocation: Invocation) -> Iterator[Passage]:
    if invocation.edited_arguments is not None:
        yield Passage("call", f"{invocation.tool} {invocation.edited_arguments}", invocation.tool)
    if invocation.explanation:
        yield Passage("call", invocation.explanation, invocation.tool)
    if invocation.result is not None:
        yield Passage("result", invocation.result.text, invocation.tool)


def _cut(whole: Passage) -> Iterator[Passage]:
    text = whole.text
    start = 0
    for _ in range(MOST):
        if start >= len(text):
            return
        end = start + LONGEST
        if end < len(text):
            # at a blank, if there is one in the last quarter: a word in two halves would not be found
            blank = max(text.rfind(" ", end - LONGEST // 4, end), text.rfind("\n", end - LONGEST // 4, end))
            end = blank if blank > start else end
        piece = text[start:end]
        if piece.strip():
            yield Passage(whole.kind, piece, whole.tool)
        start = end
