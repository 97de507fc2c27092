"""What a tool's server asks of the person while a call is running, and what the person answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from callgate.core.messages import Json, Message
from callgate.core.tool import Schema


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """A few plain values are wanted; `schema` describes them."""

    source: str
    message: str
    schema: Schema
    call_id: str = ""
    """The call on whose behalf it is asked; empty = the server does not say."""
    kind: Literal["form"] = "form"


@dataclass(frozen=True, slots=True)
class LinkQuestion:
    """The person is to visit an address. It comes from a stranger: show it whole, never open it unasked."""

    source: str
    message: str
    url: str
    call_id: str = ""
    kind: Literal["link"] = "link"


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """The server wants a model's words: the person may write them, have them written, or decline."""

    source: str
    messages: tuple[Message, ...]
    system: str = ""
    max_tokens: int = 0
    call_id: str = ""
    kind: Literal["sample"] = "sample"


Question = FormQuestion | LinkQuestion | SampleQuestion


@dataclass(frozen=True, slots=True)
class Answer:
    action: Literal["accept", "decline", "cancel"]
    """decline = a clear no; cancel = the question was put away unanswered."""
    content: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """With an accepted form: its values."""
    text: str = ""
    """With an accepted sample: the words."""
    model: str = ""
    """Who wrote them; empty = the person."""
