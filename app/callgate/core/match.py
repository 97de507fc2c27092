"""The one small expression language of rules, traffic filter and breakpoints.

    tool:run_* and dur>500ms          glob, number with unit; `and` may be left out
    args.path:/tmp/** or not (status=200)
    args.command~'rm\\s+-rf'           regular expression, with a time limit
    "connection reset"                bare words search the subject's text

`parse` gives an `Expression` that can `holds(subject)` and explain itself in `words()`; errors carry the position.
This file knows nothing of rules or traffic: a subject is anything that can look up fields.
"""

from dataclasses import dataclass
from typing import Literal, Protocol, assert_never

import regex

from callgate.core.glob import REGEX_SECONDS, collapsed, glob_pattern

FieldValue = str | int | float | bool | None
Operator = Literal[":", "=", "~", ">", "<", ">=", "<="]
FIELDS = (
    "tool",
    "source",
    "agent",
    "model",
    "endpoint",
    "status",
    "state",
    "decision",
    "dur",
    "tokens",
    "cost",
)
ROOTS = ("args", "result")
"""Fields with a path behind them: `args.path`, `result.items`."""

_UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0, "k": 1e3, "": 1.0}
_NUMBER = regex.compile(r"(-?\d+(?:\.\d+)?)(ms|s|min|m|h|k)?")
_WORD_END = set(" \t\r\n()")


class Subject(Protocol):
    """What an expression is asked about."""

    def values(self, field: str) -> tuple[FieldValue, ...]:
        """All values under a field; none if it is absent. Durations are seconds."""
        ...

    def text(self) -> str:
        """What bare words search."""
        ...


class ExpressionError(Exception):
    """An expression that cannot be read; `position` counts characters from 0."""

    def __init__(self, message: str, source: str, position: int) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.position = position

    def pointed(self) -> str:
        """The expression with a caret under the place."""
        line_start = self.source.rfind("\n", 0, self.position) + 1
        line_end = self.source.find("\n", self.position)
        line = self.source[line_start : line_end if line_end >= 0 else None]
        return f"{line}\n{' ' * (self.position - line_start)}^ {self.message}"


class MatchTimeout(Exception):
    """A regular expression took too long; the caller must fail closed."""


# ---- nodes ---------------------------------------------------------------------------------------------------------


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
    pattern: "regex.Pattern[str] | None" = None
    number: float | None = None

    def holds(self, subject: Subject) -> bool:
        return any(self._one(value) for value in subject.values(self.field))

    def _one(self, value: FieldValue) -> bool:
        match self.operator:
            case ":" | "~":
                return self._found(_plain(value))
            case "=":
                return self._equals(value)
            case ">" | "<" | ">=" | "<=":
                return self._ordered(value)
            case _:
                assert_never(self.operator)

    def _found(self, text: str) -> bool:
        assert self.pattern is not None
        try:
            if self.operator == ":":
                place = collapsed(text) if "/" in self.value else text
                return self.pattern.fullmatch(place, timeout=REGEX_SECONDS) is not None
            return self.pattern.search(text, timeout=REGEX_SECONDS) is not None
        except TimeoutError as slow:
            raise MatchTimeout(f"{self.field}~{self.value} took longer than {REGEX_SECONDS} s") from slow

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


# ---- reading -------------------------------------------------------------------------------------------------------


def parse(source: str) -> Expression:
    """The expression a text means; raises `ExpressionError`."""
    return _Parser(source).whole()


class _Parser:
    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0

    def whole(self) -> Expression:
        self._skip()
        if self._ended():
            return Always()
        expression = self._any()
        if not self._ended():
            raise self._error("this parenthesis closes nothing" if self._peek() == ")" else "unexpected text")
        return expression

    def _any(self) -> Expression:
        parts = [self._all()]
        while self._keyword("or"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _all(self) -> Expression:
        parts = [self._one()]
        while True:
            if self._keyword("and"):
                parts.append(self._one())
            elif self._ended() or self._peek() == ")" or self._at_keyword("or"):
                return parts[0] if len(parts) == 1 else And(tuple(parts))
            else:
                parts.append(self._one())

    def _one(self) -> Expression:
        self._skip()
        if self._ended():
            raise self._error("something is missing here")
        if self._keyword("not"):
            return Not(self._one())
        for word in ("and", "or"):
            if self._at_keyword(word):
                raise self._error(f"something is missing before {word!r}")
        if self._peek() == "(":
            opened = self.position
            self.position += 1
            inner = self._any()
            if self._ended() or self._peek() != ")":
                raise ExpressionError("this parenthesis is never closed", self.source, opened)
            self.position += 1
            self._skip()
            return inner
        if self._peek() == ")":
            raise self._error("something is missing before this parenthesis")
        return self._term()

    def _term(self) -> Expression:
        start = self.position
        if self._peek() in "\"'":
            return Word(self._quoted())
        name = self._run(_WORD_END | set(":=~<>\"'"))
        operator = self._operator()
        if operator is None or not name:
            if operator is not None:
                raise ExpressionError("a field name is missing before this sign", self.source, start)
            rest = name + self._run(_WORD_END)
            self._skip()
            return Word(rest)
        self._known(name, start)
        value_at = self.position
        value = self._quoted() if not self._ended() and self._peek() in "\"'" else self._run(_WORD_END)
        if not value and self.source[value_at : value_at + 1] not in ('"', "'"):
            raise ExpressionError(f"a value is missing after {name}{operator}", self.source, value_at)
        self._skip()
        return self._compare(name, operator, value, value_at)

    def _compare(self, name: str, operator: Operator, value: str, value_at: int) -> Compare:
        number = _number(value)
        match operator:
            case ":":
                return Compare(name, operator, value, regex.compile(glob_pattern(value)))
            case "~":
                try:
                    return Compare(name, operator, value, regex.compile(value))
                except regex.error as bad:
                    at = value_at + (bad.pos or 0)
                    raise ExpressionError(f"not a regular expression: {bad.msg}", self.source, at) from bad
            case "=":
                return Compare(name, operator, value, number=number)
            case _:
                if number is None:
                    raise ExpressionError(
                        f"{name}{operator} needs a number, such as 500ms or 12", self.source, value_at
                    )
                return Compare(name, operator, value, number=number)

    def _known(self, name: str, at: int) -> None:
        root, dot, path = name.partition(".")
        if root in ROOTS:
            if dot and path and ".." not in name and not name.endswith("."):
                return
            raise ExpressionError(f"{root} needs a path behind it, such as {root}.path", self.source, at)
        if name not in FIELDS:
            known = ", ".join((*FIELDS, *(f"{root}.…" for root in ROOTS)))
            raise ExpressionError(f"there is no field {name!r}; known are {known}", self.source, at)

    def _operator(self) -> Operator | None:
        for operator in (">=", "<=", ":", "=", "~", ">", "<"):
            if self.source.startswith(operator, self.position):
                self.position += len(operator)
                return operator
        return None

    def _quoted(self) -> str:
        quote, opened = self._peek(), self.position
        self.position += 1
        out: list[str] = []
        while not self._ended():
            char = self._peek()
            self.position += 1
            if char == quote:
                if not self._ended() and self._peek() not in _WORD_END:
                    raise self._error("a space is missing after the quote")
                self._skip()
                return "".join(out)
            if char == "\\" and not self._ended() and self._peek() == quote:
                # only a quote can be escaped: every other backslash belongs to the pattern
                char = quote
                self.position += 1
            out.append(char)
        raise ExpressionError("this quote is never closed", self.source, opened)

    def _run(self, stop: set[str]) -> str:
        start = self.position
        while not self._ended() and self._peek() not in stop:
            self.position += 1
        return self.source[start : self.position]

    def _at_keyword(self, word: str) -> bool:
        end = self.position + len(word)
        found = self.source[self.position : end].lower() == word
        return found and (end >= len(self.source) or self.source[end] in _WORD_END)

    def _keyword(self, word: str) -> bool:
        self._skip()
        if not self._at_keyword(word):
            return False
        self.position += len(word)
        self._skip()
        return True

    def _skip(self) -> None:
        while not self._ended() and self._peek().isspace():
            self.position += 1

    def _peek(self) -> str:
        return self.source[self.position]

    def _ended(self) -> bool:
        return self.position >= len(self.source)

    def _error(self, message: str) -> ExpressionError:
        return ExpressionError(message, self.source, self.position)


def _number(text: str) -> float | None:
    found = _NUMBER.fullmatch(text)
    return float(found[1]) * _UNITS[found[2] or ""] if found else None
