"""What a source of tools, or a web page that wants in, asks of the person, and what the person answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

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
    conversation_id: str = ""
    """Where that call was made; empty = nowhere, or not known."""
    kind: Literal["form"] = "form"


@dataclass(frozen=True, slots=True)
class LinkQuestion:
    """The person is to visit an address. It comes from a stranger: show it whole, never open it unasked."""

    source: str
    message: str
    url: str
    call_id: str = ""
    conversation_id: str = ""
    """Where that call was made; empty = nowhere, or not known."""
    kind: Literal["link"] = "link"


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """The server wants a model's words: the person may write them, have them written, or decline."""

    source: str
    messages: tuple[Message, ...]
    system: str = ""
    max_tokens: int = 0
    call_id: str = ""
    conversation_id: str = ""
    """Where that call was made; empty = nowhere, or not known."""
    temperature: float | None = None
    stop: tuple[str, ...] = ()
    model_hints: tuple[str, ...] = ()
    """Names, or parts of names, of models that the server would like, the best first."""
    kind: Literal["sample"] = "sample"


@dataclass(frozen=True, slots=True)
class InputQuestion:
    """One value of a source's configuration (`${input:id}`) is wanted before it can start."""

    source: str
    id: str
    message: str = ""
    password: bool = False
    """True: neither shown while it is typed nor written down anywhere."""
    default: str = ""
    options: tuple[str, ...] = ()
    """If there are any, one of them is to be picked."""
    call_id: str = ""
    conversation_id: str = ""
    kind: Literal["input"] = "input"


@dataclass(frozen=True, slots=True)
class OriginQuestion:
    """Web pages of an origin on this machine want to use Callgate; the answer is remembered."""

    source: str
    """The origin, such as `http://localhost:3000`."""
    call_id: str = ""
    conversation_id: str = ""
    kind: Literal["origin"] = "origin"


Question = Annotated[
    FormQuestion | LinkQuestion | SampleQuestion | InputQuestion | OriginQuestion, Field(discriminator="kind")
]


@dataclass(frozen=True, slots=True)
class Answer:
    action: Literal["accept", "decline", "cancel"]
    """decline = a clear no; cancel = the question was put away unanswered."""
    content: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """With an accepted form: its values."""
    text: str = ""
    """With an accepted sample: the words; with an input: its value."""
    model: str = ""
    """Who wrote them; empty = the person."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that waits for its answer."""

    id: str
    question: Question
    asked_at: float
    deadline: float
    """When it counts as put away; epoch seconds."""


Ending = Literal["answered", "overdue", "withdrawn", "nobody", "flood"]
"""A person answered; nobody did in time; whoever asked does not want to know any more; there is nobody to ask; or the
same source has more questions open than a person would look at."""


def recordable(question: Question, answer: Answer) -> Answer:
    """The answer as it may be written down: without what was typed into an input."""
    return Answer(answer.action) if isinstance(question, InputQuestion) else answer
