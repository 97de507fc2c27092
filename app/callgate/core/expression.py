"""Expressions, once read: what each kind means of a subject, and how it says itself in words.

How expressions are spelled is the business of `match`; what a subject is, that of whoever asks.
"""

import dataclasses
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, assert_never

import regex

from callgate.core.glob import EASY_STEPS, REGEX_SECONDS, Glob, MatchTimeout, collapsed

FieldValue = str | int | float | bool | None
Operator = Literal[":", "=", "~", ">", "<", ">=", "<="]
WHOLE_FIELDS = frozenset({"command", "line", "edits", "urls"})
"""Their values come with paths already resolved, or are no paths: `..` in them must not swallow other words."""
FIELD_SECONDS = 0.1
"""All values of one field together: a list may be long."""
LONGEST_PATTERN = 4000
"""Characters: compiling takes time too."""

_STEEP = re.compile(r"\)(?:[*+]|\{)|\\[1-9gkK]|\(\?(?!:|[aimsx]+\)|[=!]|<[=!])")
"""Repeated groups, references back and rarer constructs: with these the work may grow beyond all bounds."""
_REPEAT = re.compile(r"[*+]|\{\d*,\d*\}")


class Subject(Protocol):
    """What an expression is asked about."""

    def values(self, field: str) -> tuple[FieldValue, ...]:
        """All values under a field; none if it is absent. Durations are seconds."""
        ...

    def text(self) -> str:
        """What bare words search."""
        ...


class BadPattern(Exception):
    """A text that should be a regular expression and is none."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        """Where in the text it goes wrong."""


class Pattern:
    """A regular expression, compiled once, and bounded in time on every value. Raises `BadPattern`."""

    __slots__ = ("_compiled", "_power", "_text")

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST_PATTERN:
            raise BadPattern(f"longer than {LONGEST_PATTERN:,} characters")
        try:
            self._compiled: regex.Pattern[str] = regex.compile(text)
        except regex.error as bad:
            # by name: the stubs of `regex` know none of its attributes
            raise BadPattern(getattr(bad, "msg", str(bad)), getattr(bad, "pos", None) or 0) from bad
        except (RecursionError, OverflowError) as extreme:
            raise BadPattern("nested too deeply or repeated too often") from extreme
        self._text = text
        self._power = 0 if _STEEP.search(text) else len(_REPEAT.findall(text)) + 1
        """How steeply the work grows with the text; 0 = unknown."""

    def found_in(self, text: str) -> bool:
        """Raises `MatchTimeout`."""
        if self._power and len(text) ** self._power <= EASY_STEPS:
            return self._compiled.search(text) is not None
        try:
            return self._compiled.search(text, timeout=REGEX_SECONDS) is not None
        except TimeoutError as slow:
            raise MatchTimeout(self._text) from slow


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


def needle_of(expression: Expression) -> tuple[str, str] | None:
    """A field and a text that must be somewhere in one of its values for the expression to hold; None = not known.

    Looking for a plain text costs next to nothing: of a thousand rules about one tool, all but a few end there.
    """
    match expression:
        case Compare(operator=":"):
            if "/" in expression.value and expression.field not in WHOLE_FIELDS:
                return None  # such values are compared with their `..` taken out
            prefix = Glob(expression.value).prefix
            return (expression.field, prefix) if prefix else None
        case Compare(operator="="):
            return (expression.field, expression.value) if expression.value and expression.number is None else None
        case And():
            return next((found for part in expression.parts if (found := needle_of(part)) is not None), None)
        case _:
            return None


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
