"""Messages and their parts: the neutral form that every wire is read into and written from.

A message is a role and an ordered tuple of parts. What one wire knows and this form does not is kept in `extras`
(unknown keys of a known thing) or `Opaque` (an unknown thing), so that reading and writing the same wire loses nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import is_
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from callgate.core.value import value

Json = JsonValue
Extras = Mapping[str, Json]
Role = Literal["system", "developer", "user", "assistant", "tool"]
CallVariant = Literal["function", "custom", "built_in"]
"""`custom` = free-form text instead of a JSON object (OpenAI custom tools); `built_in` = a tool that one wire itself
defines and the client runs (OpenAI's shell, patch, computer): its arguments are JSON, and nobody offers a schema."""


def _no_extras() -> Extras:
    """A default for every part of a long history: calling `dict[str, Json]` instead would cost five times as much."""
    return {}


@dataclass(frozen=True, slots=True)
class Citation:
    """What words of an answer rest on: a page of the web (`url`), or a document that the model was given."""

    url: str = ""
    title: str = ""
    quote: str = ""
    """What the source says there."""
    start: int | None = None
    """The first of the characters of the part's text that rest on it; None = all of them, or nobody says which."""
    end: int | None = None
    """Behind the last of them."""
    wire: str = ""
    spelled: Json = None
    """As `wire` spells it, word for word: what its own clients are given, and nobody else."""

    def moved(self, by: int) -> "Citation":
        """In a text that has grown by so many characters before what it was."""
        if self.start is None or self.end is None or not by:
            return self
        return replace(self, start=self.start + by, end=self.end + by)


@dataclass(frozen=True, slots=True)
class TokenLogprob:
    """How likely a token of an answer was, beside what else could have stood in its place."""

    token: str
    logprob: float
    bytes: tuple[int, ...] | None = None
    """None: the provider says nothing but the text."""
    others: "tuple[TokenLogprob, ...]" = ()


@value
class Text:
    text: str
    extras: Extras = field(default_factory=_no_extras)
    citations: tuple[Citation, ...] = ()
    """Of an answer."""
    tokens: tuple[TokenLogprob, ...] = ()
    """Of an answer whose provider was asked for them."""
    kind: Literal["text"] = "text"


@value
class Refusal:
    """The model's words for declining; OpenAI keeps them apart from text."""

    text: str
    extras: Extras = field(default_factory=_no_extras)
    kind: Literal["refusal"] = "refusal"


@value
class Image:
    """Either `data` (base64) with its media type, or `url`, or a provider's `file_id`."""

    media_type: str = ""
    data: str = ""
    url: str = ""
    file_id: str = ""
    detail: str = ""
    extras: Extras = field(default_factory=_no_extras)
    kind: Literal["image"] = "image"


@value
class File:
    """A document or other attachment; the same three ways as an image."""

    media_type: str = ""
    data: str = ""
    url: str = ""
    file_id: str = ""
    name: str = ""
    extras: Extras = field(default_factory=_no_extras)
    kind: Literal["file"] = "file"


@value
class Reasoning:
    """Thinking. `signature` is the provider's proof and only good at the wire that made it (`wire`)."""

    text: str = ""
    signature: str = ""
    redacted: bool = False
    """True: `signature` holds data that only the provider can read, and there is no text."""
    wire: str = ""
    id: str = ""
    extras: Extras = field(default_factory=_no_extras)
    kind: Literal["reasoning"] = "reasoning"


@value
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
    extras: Extras = field(default_factory=_no_extras)
    kind: Literal["call"] = "call"


ResultPart = Annotated[Text | Image | File, Field(discriminator="kind")]


@value
class ToolResult:
    call_id: str
    parts: tuple[ResultPart, ...] = ()
    is_error: bool = False
    name: str = ""
    """The tool's name, where the wire carries it (Gemini has only that)."""
    variant: CallVariant = "function"
    extras: Extras = field(default_factory=_no_extras)
    structured: Json = None
    """The same as a value, where the tool gave one and nobody has changed the result; no chat wire carries it."""
    kind: Literal["result"] = "result"

    @property
    def text(self) -> str:
        return "\n".join([part.text for part in self.parts if isinstance(part, Text)])

    def answering(self, call_id: str, name: str, variant: CallVariant) -> "ToolResult":
        """The result as that of a call; itself where it is that already."""
        if (call_id, name, variant) == (self.call_id, self.name, self.variant):
            return self
        return ToolResult(call_id, self.parts, self.is_error, name, variant, self.extras, self.structured)


@value
class Opaque:
    """Something that only one wire understands, kept word for word: given back to that wire, refused by others."""

    wire: str
    value: Json
    kind: Literal["opaque"] = "opaque"


Part = Annotated[
    Text | Refusal | Image | File | Reasoning | ToolCall | ToolResult | Opaque, Field(discriminator="kind")
]


@value
class Message:
    role: Role
    parts: tuple[Part, ...] = ()
    name: str = ""
    extras: Extras = field(default_factory=_no_extras)

    @property
    def text(self) -> str:
        """All plain text of the message, in order."""
        return "".join([part.text for part in self.parts if isinstance(part, Text)])

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple([part for part in self.parts if isinstance(part, ToolCall)])

    @property
    def results(self) -> tuple[ToolResult, ...]:
        return tuple([part for part in self.parts if isinstance(part, ToolResult)])

    def with_parts(self, parts: Sequence[Part]) -> "Message":
        """The message with other parts; itself where they are the very ones it has."""
        if len(parts) == len(self.parts) and all(map(is_, parts, self.parts)):
            return self
        return Message(self.role, tuple(parts), self.name, self.extras)


MOST_TOKENS = 10**12
"""No reply costs so much; sums of such numbers leave what SQLite and JSON can hold."""


def token_count(value: Json) -> int:
    """A number of tokens as a provider sends it; 0 where it is none, or cannot be true."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(value) if 0 < value <= MOST_TOKENS else 0


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens. `input` includes what was cached, as OpenAI counts; codecs convert."""

    input: int = 0
    output: int = 0
    cached: int = 0
    cache_written: int = 0
    reasoning: int = 0
    estimated: int = 0
    """How many of input and output nobody has counted."""

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.cache_written + other.cache_written,
            self.reasoning + other.reasoning,
            self.estimated + other.estimated,
        )

    @property
    def total(self) -> int:
        return self.input + self.output


FinishReason = Literal["stop", "length", "tool_calls", "content_filter", "refusal", "pause"]


def say(role: Role, text: str) -> Message:
    """A message of one text part."""
    return Message(role, (Text(text),))
