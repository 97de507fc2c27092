"""Deltas: a reply as it arrives. Every StreamReader yields them, every StreamWriter spells them.

`part` numbers the parts of one choice, dense from 0 in the order in which they start; a part ends when the next one
starts or the choice finishes, so text needs no end of its own. `choice` is 0 unless the client asked for several.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

from callgate.core.errors import Fault
from callgate.core.messages import CallVariant, Citation, Extras, FinishReason, Json, Part, TokenLogprob, Usage


@dataclass(frozen=True, slots=True)
class Started:
    """The provider has begun to answer."""

    id: str
    model: str
    created: int = 0
    kind: Literal["started"] = "started"


@dataclass(frozen=True, slots=True)
class TextDelta:
    part: int
    text: str
    choice: int = 0
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class Cited:
    """What words of a text part rest on; comes after those words, perhaps at the very end of the reply."""

    part: int
    citation: Citation
    choice: int = 0
    kind: Literal["cited"] = "cited"


@dataclass(frozen=True, slots=True)
class TokensWeighed:
    """How likely the next tokens of a text part were; comes after their text."""

    part: int
    tokens: tuple[TokenLogprob, ...]
    choice: int = 0
    kind: Literal["tokens"] = "tokens"


@dataclass(frozen=True, slots=True)
class RefusalDelta:
    part: int
    text: str
    choice: int = 0
    kind: Literal["refusal"] = "refusal"


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """Thinking text; the first one (possibly empty) starts the part."""

    part: int
    text: str
    id: str = ""
    choice: int = 0
    kind: Literal["reasoning"] = "reasoning"


@dataclass(frozen=True, slots=True)
class ReasoningSigned:
    """The provider's proof for a reasoning part; arrives at most once a part, after its text."""

    part: int
    signature: str
    wire: str
    id: str = ""
    choice: int = 0
    kind: Literal["signed"] = "signed"


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A call's id and name are known; the reader holds it back until they are."""

    part: int
    id: str
    name: str
    variant: CallVariant = "function"
    namespace: str = ""
    item_id: str = ""
    choice: int = 0
    kind: Literal["call_started"] = "call_started"


@dataclass(frozen=True, slots=True)
class ArgumentsDelta:
    part: int
    text: str
    choice: int = 0
    kind: Literal["arguments"] = "arguments"


@dataclass(frozen=True, slots=True)
class CallEnded:
    """The call is whole. `arguments` repeats all of it: a writer that has sent no delta sends it now."""

    part: int
    arguments: str
    signature: str = ""
    wire: str = ""
    choice: int = 0
    extras: Extras = field(default_factory=dict[str, Json])
    """Of a built-in call: what else its wire says of it."""
    kind: Literal["call_ended"] = "call_ended"


@dataclass(frozen=True, slots=True)
class PartArrived:
    """A part that comes whole: an image, redacted thinking, something opaque."""

    part: int
    value: Part
    choice: int = 0
    kind: Literal["whole"] = "whole"


@dataclass(frozen=True, slots=True)
class UsageReported:
    """The tokens so far; a later report replaces an earlier one."""

    usage: Usage
    kind: Literal["usage"] = "usage"


@dataclass(frozen=True, slots=True)
class Finished:
    """A choice is complete."""

    reason: FinishReason
    detail: str = ""
    """A stop sequence that was met, or a refusal's explanation."""
    choice: int = 0
    kind: Literal["finished"] = "finished"


@dataclass(frozen=True, slots=True)
class Failed:
    """The provider broke off, in its own words or by falling silent."""

    fault: Fault
    kind: Literal["failed"] = "failed"


Delta = Annotated[
    Started
    | TextDelta
    | Cited
    | TokensWeighed
    | RefusalDelta
    | ReasoningDelta
    | ReasoningSigned
    | CallStarted
    | ArgumentsDelta
    | CallEnded
    | PartArrived
    | UsageReported
    | Finished
    | Failed,
    Field(discriminator="kind"),
]
