"""Expressions, once read: what each kind means of a subject, and how it says itself in words.

How expressions are spelled is the business of `match`; what a subject is, that of whoever asks.
"""

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, assert_never

from callgate.core.rules.glob import Glob, MatchTimeout, collapsed
from callgate.core.rules.pattern import Pattern

FieldValue = str | int | float | bool | None
Operator = Literal[":", "=", "~", ">", "<", ">=", "<="]
WHOLE_FIELDS = frozenset({"command", "line", "edits", "urls"})
"""Their values come with paths already resolved, or are no paths: `..` in them must not swallow other words."""
FIELD_SECONDS = 0.1
"""All values of one field together: a list may be long."""


class Subject(Protocol):
    """What an expression is asked about."""

    def values(self, field: str) -> tuple[FieldValue, ...]:
        """All values under a field; none if it is absent. Durations are seconds."""
        ...

    def text(self) -> str:
        """What bare words search."""
        ...


@dataclass(frozen=True, slots=True)
class Word:
    """A bare word or quoted phrase: found anywhere in the text, whatever its case."""

    text: str

    def holds(self, subject: Subject) -> bool:
        return self.text.casefold() in subject.text().casefold()

    def words(self) -> str:
        return f"the text contains “{self.text}”"


@dataclass(frozen=True, slots=True)
class Compare:
    field: str
    operator: Operator
    value: str
    number: float | None = None
    _fits: Callable[[FieldValue], bool] = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raises `BadPattern` where the value should be a regular expression and is none."""
        object.__setattr__(self, "_fits", self._test())

    @property
    def fits(self) -> Callable[[FieldValue], bool]:
        """The test of one value, for whoever has thousands of them."""
        return self._fits

    def holds(self, subject: Subject) -> bool:
        values = subject.values(self.field)
        if len(values) == 1:
            return self._fits(values[0])
        until = time.perf_counter() + FIELD_SECONDS
        for value in values:
            if self._fits(value):
                return True
            if time.perf_counter() > until:
                raise MatchTimeout(f"{self.field}{self.operator}{self.value}", FIELD_SECONDS)
        return False

    def _test(self) -> Callable[[FieldValue], bool]:
        """Chosen once: rules are read rarely and tried often."""
        match self.operator:
            case ":":
                matches = Glob(self.value).matches
                if "/" in self.value and self.field not in WHOLE_FIELDS:
                    return lambda value: matches(collapsed(value if isinstance(value, str) else _plain(value)))
                return lambda value: matches(value if isinstance(value, str) else _plain(value))
            case "~":
                found_in = Pattern(self.value).found_in
                return lambda value: found_in(value if isinstance(value, str) else _plain(value))
            case "=":
                return self._equals
            case ">" | "<" | ">=" | "<=":
                return self._ordered
            case _:
                assert_never(self.operator)

    def _equals(self, value: FieldValue) -> bool:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and self.number is not None:
            return float(value) == self.number
        return _plain(value) == self.value

    def _ordered(self, value: FieldValue) -> bool:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or self.number is None:
            return False
        match self.operator:
            case ">":
                return value > self.number
            case "<":
                return value < self.number
            case ">=":
                return value >= self.number
            case _:
                return value <= self.number

    def words(self) -> str:
        verb = {
            ":": "fits",
            "=": "is",
            "~": "matches the pattern",
            ">": "is more than",
            "<": "is less than",
            ">=": "is at least",
            "<=": "is at most",
        }[self.operator]
        return f"{self.field} {verb} {self.value}"


@dataclass(frozen=True, slots=True)
class Not:
    inner: "Expression"

    def holds(self, subject: Subject) -> bool:
        return not self.inner.holds(subject)

    def words(self) -> str:
        return f"not ({self.inner.words()})"


@dataclass(frozen=True, slots=True)
class And:
    parts: "tuple[Expression, ...]"

    def holds(self, subject: Subject) -> bool:
        return all(part.holds(subject) for part in self.parts)

    def words(self) -> str:
        return " and ".join(_grouped(part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Or:
    parts: "tuple[Expression, ...]"

    def holds(self, subject: Subject) -> bool:
        return any(part.holds(subject) for part in self.parts)

    def words(self) -> str:
        return " or ".join(_grouped(part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Always:
    """The empty expression."""

    def holds(self, subject: Subject) -> bool:
        return True

    def words(self) -> str:
        return "always"


Expression = Word | Compare | Not | And | Or | Always

TEXT = ""
"""The field that bare words look at."""


def fields_of(expression: Expression) -> frozenset[str]:
    """All fields that an expression looks at."""
    match expression:
        case Word():
            return frozenset({TEXT})
        case Compare():
            return frozenset({expression.field})
        case Not():
            return fields_of(expression.inner)
        case And() | Or():
            return frozenset[str]().union(*(fields_of(part) for part in expression.parts))
        case Always():
            return frozenset()
        case _:
            assert_never(expression)


def plain_text(value: FieldValue) -> str:
    """A value as patterns see it."""
    return value if isinstance(value, str) else _plain(value)


def _grouped(part: Expression) -> str:
    return f"({part.words()})" if isinstance(part, (And, Or)) else part.words()


def _plain(value: FieldValue) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)
