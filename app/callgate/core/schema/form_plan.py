"""What kinds of fields a form has. Values only: `form_planner` makes them from a schema, the window draws them.

Sub-schemas are kept as they are and planned when they are looked at, so a schema may refer to itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from callgate.core.messages import Json
from callgate.core.schema.form_value import ABSENT, Maybe

SubSchema = Json
"""A schema within a schema: an object, true or false."""


@dataclass(frozen=True, slots=True)
class About:
    """What the schema says of a field in words."""

    title: str = ""
    description: str = ""
    kind: str = ""
    """The type in a word or two."""
    default: Maybe = ABSENT
    examples: tuple[Json, ...] = ()
    notes: tuple[str, ...] = ()
    """Limits, each in a few words."""
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class TextPlan:
    about: About
    format: str = ""
    long: bool = False
    """Likely to have several lines."""
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class NumberPlan:
    about: About
    whole: bool
    kind: Literal["number"] = "number"


@dataclass(frozen=True, slots=True)
class FlagPlan:
    about: About
    kind: Literal["flag"] = "flag"


@dataclass(frozen=True, slots=True)
class NullPlan:
    about: About
    kind: Literal["null"] = "null"


@dataclass(frozen=True, slots=True)
class Choice:
    label: str
    value: Json


@dataclass(frozen=True, slots=True)
class ChoicePlan:
    """One of a few values."""

    about: About
    choices: tuple[Choice, ...]
    kind: Literal["choice"] = "choice"


@dataclass(frozen=True, slots=True)
class Property:
    name: str
    schema: SubSchema
    required: bool


@dataclass(frozen=True, slots=True)
class ObjectPlan:
    about: About
    properties: tuple[Property, ...]
    patterns: tuple[tuple[str, SubSchema], ...]
    """Regular expressions over names, and what a field with such a name holds."""
    extra: SubSchema
    """What a field with any other name holds."""
    invites: bool = False
    """Whether the schema speaks of fields with other names, or lists none itself: a form offers to add some."""
    listed: Mapping[str, Property] = field(init=False, compare=False, repr=False)
    """The properties by name: there may be thousands."""
    kind: Literal["object"] = "object"

    def __post_init__(self) -> None:
        object.__setattr__(self, "listed", {known.name: known for known in self.properties})

    @property
    def closed(self) -> bool:
        """Whether there can be no fields but those listed."""
        return self.extra is False and not self.patterns


@dataclass(frozen=True, slots=True)
class ListPlan:
    about: About
    first: tuple[SubSchema, ...]
    """The first items, each with a schema of its own."""
    rest: SubSchema
    """All others; False = there are none."""
    fewest: int = 0
    most: int | None = None
    kind: Literal["list"] = "list"

    def item(self, index: int) -> SubSchema:
        if index < len(self.first):
            return self.first[index]
        return True if self.rest is False else self.rest

    def takes_more(self, count: int) -> bool:
        if self.most is not None and count >= self.most:
            return False
        return count < len(self.first) or self.rest is not False


@dataclass(frozen=True, slots=True)
class Branch:
    label: str
    schema: SubSchema


@dataclass(frozen=True, slots=True)
class BranchPlan:
    """Several shapes, one of which a value has."""

    about: About
    branches: tuple[Branch, ...]
    kind: Literal["branches"] = "branches"


@dataclass(frozen=True, slots=True)
class RawPlan:
    """Anything, as JSON."""

    about: About
    why: str = ""
    """Why there is no better field; empty = the schema allows anything."""
    kind: Literal["raw"] = "raw"


Plan = TextPlan | NumberPlan | FlagPlan | NullPlan | ChoicePlan | ObjectPlan | ListPlan | BranchPlan | RawPlan
