"""Messages and their parts: the neutral form that every wire is read into and written from.

A message is a role and an ordered tuple of parts. What one wire knows and this form does not is kept in `extras`
(unknown keys of a known thing) or `Opaque` (an unknown thing), so that reading and writing the same wire loses nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field, JsonValue

Json = JsonValue
Extras = Mapping[str, Json]
Role = Literal["system", "developer", "user", "assistant", "tool"]
CallVariant = Literal["function", "custom", "built_in"]
"""`custom` = free-form text instead of a JSON object (OpenAI custom tools); `built_in` = a tool that one wire itself
defines and the client runs (OpenAI's shell, patch, computer): its arguments are JSON, and nobody offers a schema."""


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    extras: Extras = field(default_factory=dict[str, Json])
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The model's words for declining; OpenAI keeps them apart from text."""

    text: str
    extras: Extras = field(default_factory=dict[str, Json])
    kind: Literal["refusal"] = "refusal"


@dataclass(frozen=True, slots=True)
class Image:
    """Either `data` (base64) with its media type, or `url`, or a provider's `file_id`."""

    media_type: str = ""
    data: str = ""
    url: str = ""
    file_id: str = ""
    detail: str = ""
    extras: Extras = field(default_factory=dict[str, Json])
    kind: Literal["image"] = "image"


@dataclass(frozen=True, slots=True)
class File:
    """A document or other attachment; the same three ways as an image."""

    media_type: str = ""
    data: str = ""
    url: str = ""
    file_id: str = ""
    name: str = ""
    extras: Extras = field(default_factory=dict[str, Json])
    kind: Literal["file"] = "file"


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Thinking. `signature` is the provider's proof and only good at the wire that made it (`wire`)."""

    text: str = ""
    signature: str = ""
    redacted: bool = False
    """True: `signature` holds data that only the provider can read, and there is no text."""
    wire: str = ""
    id: str = ""
    extras: Extras = field(default_factory=dict[str, Json])
    kind: Literal["reasoning"] = "reasoning"


@dataclass(frozen=True, slots=True)
class ToolCall:
    id: str
    name: str
    arguments: str
    """Exactly the bytes the model wrote (JSON for functions, free text for custom), never re-serialised."""
    variant: CallVariant = "function"
    namespace: str = ""
    """OpenAI Responses groups tools; a call carries its group back."""
    item_id: str = ""
    """Responses' second id of the same call."""
    signature: str = ""
    """Gemini's thought signature, which belongs to this very call."""
    wire: str = ""
    """The wire whose provider made the signature."""
    extras: Extras = field(default_factory=dict[str, Json])
    kind: Literal["call"] = "call"


ResultPart = Annotated[Text | Image | File, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class ToolResult:
    call_id: str
    parts: tuple[ResultPart, ...] = ()
    is_error: bool = False
    name: str = ""
    """The tool's name, where the wire carries it (Gemini has only that)."""
    variant: CallVariant = "function"
    extras: Extras = field(default_factory=dict[str, Json])
    structured: Json = None
    """The same as a value, where the tool gave one and nobody has changed the result; no chat wire carries it."""
    kind: Literal["result"] = "result"

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something that only one wire understands, kept word for word: given back to that wire, refused by others."""

    wire: str
    value: Json
    kind: Literal["opaque"] = "opaque"


Part = Annotated[
    Text | Refusal | Image | File | Reasoning | ToolCall | ToolResult | Opaque, Field(discriminator="kind")
]


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    parts: tuple[Part, ...] = ()
    name: str = ""
    extras: Extras = field(default_factory=dict[str, Json])

    @property
    def text(self) -> str:
        """All plain text of the message, in order."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolCall))

    @property
    def results(self) -> tuple[ToolResult, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolResult))


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens. `input` includes what was cached, as OpenAI counts; codecs convert."""

    input: int = 0
    output: int = 0
    cached: int = 0
    cache_written: int = 0
    reasoning: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.cache_written + other.cache_written,
            self.reasoning + other.reasoning,
        )

    @property
    def total(self) -> int:
        return self.input + self.output


FinishReason = Literal["stop", "length", "tool_calls", "content_filter", "refusal", "pause"]


def say(role: Role, text: str) -> Message:
    """A message of one text part."""
    return Message(role, (Text(text),))
