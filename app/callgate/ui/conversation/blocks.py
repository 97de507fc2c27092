"""Blocks: the pieces of a conversation that are shown one under the other. Pure values; nothing here knows Qt.

A block never changes: what grows is replaced by a block with the same `id` and a higher `revision`. The revision says
only "draw me again", so it does not count when two blocks are compared: a stored conversation equals a live one.
"""

from dataclasses import dataclass, field
from typing import Literal

from callgate.core.calls.invocation import Invocation
from callgate.core.messages import Role, ToolResult, Usage

Tone = Literal["plain", "refusal"]
NoteKind = Literal[
    "system", "tools", "denied", "answered", "edited", "reviewed", "trimmed", "repaired", "stopped", "cut", "other"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """What every block has."""

    id: str
    exchange_id: str
    revision: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerBlock(Placed):
    """Who speaks from here on."""

    role: Role
    who: str
    via: str = ""
    """The agent that carried the words, where the person did not write them here."""
    model: str = ""
    round: int = 0
    """0 = not an answer of a round: what a client sent."""
    at: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBlock(Placed):
    """A paragraph, list, table or heading in Markdown."""

    text: str
    role: Role = "assistant"
    tone: Tone = "plain"
    growing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBlock(Placed):
    """A fence."""

    text: str
    language: str = ""
    role: Role = "assistant"
    growing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningBlock(Placed):
    text: str = ""
    redacted: bool = False
    """True: only the provider can read it."""
    growing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallBlock(Placed):
    """A tool call: first as the model writes it, then as the invocation it became."""

    call_id: str
    tool: str
    written: str = ""
    """The arguments as far as the model has written them."""
    whole: bool = False
    invocation: Invocation | None = None
    """None: not (yet) seen by the gate, such as a call of an older history that a client brought along."""
    returned: ToolResult | None = None
    """What the client said that the tool gave, in a later request."""
    output: str = ""
    """What a running tool has said so far."""
    broken_off: bool = False
    """The exchange ended before the call was written."""
    progress: float | None = None
    total: float | None = None

    @property
    def arguments(self) -> str:
        """What is to run, or did; while it is being written, what there is."""
        if self.invocation is not None and (self.invocation.state != "Streaming" or self.invocation.arguments):
            return self.invocation.effective_arguments
        return self.written

    @property
    def forming(self) -> bool:
        return (
            not self.whole and not self.broken_off and (self.invocation is None or self.invocation.state == "Streaming")
        )

    @property
    def result(self) -> ToolResult | None:
        """What the model got, or will get next time it is asked."""
        if self.invocation is not None and self.invocation.result is not None:
            return self.invocation.result
        return self.returned

    @property
    def waits(self) -> bool:
        return self.invocation is not None and self.invocation.is_waiting


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorBlock(Placed):
    """What happened, what it means, what to do."""

    title: str
    message: str
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteBlock(Placed):
    """Something that Callgate did or saw, in one line; `detail` unfolds."""

    note: NoteKind
    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchBlock(Placed):
    """Here a turn was tried again: which try this is, and whether what came of it is shown."""

    number: int
    """From 1."""
    count: int
    title: str = ""
    """What was asked in this try."""
    shown: bool = True
    alone: bool = False
    """Whether the other tries are folded away while this one is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageBlock(Placed):
    """An image or attachment. What came along may be shown; nothing is ever fetched."""

    what: Literal["image", "file"]
    role: Role = "assistant"
    media_type: str = ""
    bytes: int = 0
    """Size of what came along; 0 = only a reference came."""
    name: str = ""
    reference: str = ""
    """Address or file id, where the data itself did not come along."""
    data: str = field(default="", repr=False)
    """Base64 of an image that came along."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageBlock(Placed):
    """What a round cost."""

    round: int
    usage: Usage | None
    seconds: float
    first_token: float | None = None
    """Seconds until the first token."""
    endpoint: str = ""
    model: str = ""


Block = (
    SpeakerBlock
    | TextBlock
    | CodeBlock
    | ReasoningBlock
    | CallBlock
    | ErrorBlock
    | NoteBlock
    | BranchBlock
    | ImageBlock
    | UsageBlock
)


def plain_text(block: Block) -> str:
    """What is copied when a person copies a block."""
    match block:
        case SpeakerBlock():
            return block.who
        case TextBlock():
            return block.text
        case CodeBlock():
            return f"```{block.language}\n{block.text}\n```"
        case ReasoningBlock():
            return block.text
        case CallBlock():
            said = f"{block.tool}({block.arguments})"
            return said if block.result is None else f"{said}\n→ {block.result.text}"
        case ErrorBlock():
            return "\n".join(line for line in (block.title, block.message, block.advice) if line)
        case NoteBlock():
            return f"{block.text}\n{block.detail}".rstrip()
        case BranchBlock():
            return f"Try {block.number} of {block.count}: {block.title}".removesuffix(": ")
        case ImageBlock():
            return block.reference or block.name or block.media_type
        case UsageBlock():
            return "" if block.usage is None else f"{block.usage.input} → {block.usage.output} tokens"
