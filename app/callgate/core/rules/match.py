"""The one small expression language of rules, traffic filter and breakpoints.

    tool:run_* and dur>500ms          glob, number with unit; `and` may be left out
    args.path:/tmp/** or not (status=200)
    args.command~'rm\\s+-rf'           regular expression, with a time limit
    command:'git *'                   one command of a shell line; see `policy` for what rules make of several
    "connection reset"                bare words search the subject's text

`parse` gives an `Expression` that can `holds(subject)` and explain itself in `words()`; errors carry the position.
This file knows nothing of rules or traffic: a subject is anything that can look up fields.
"""

import regex

from callgate.core.rules.expression import (
    Always,
    And,
    Compare,
    Expression,
    FieldValue,
    Not,
    Operator,
    Or,
    Subject,
    Word,
    fields_of,
)
from callgate.core.rules.glob import MatchTimeout
from callgate.core.rules.pattern import BadPattern

__all__ = [
    "FIELDS",
    "ROOTS",
    "Always",
    "Expression",
    "ExpressionError",
    "FieldValue",
    "MatchTimeout",
    "Subject",
    "fields_of",
    "parse",
    "quoted",
]

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
    "command",
    "line",
    "edits",
    "urls",
)
"""Of a call: `command` = each command that its shell line runs, `line` = the whole line, `edits` = the files that it
changes, `urls` = the addresses that it fetches."""
ROOTS = ("args", "result")
"""Fields with a path behind them: `args.path`, `result.items`."""

_DEEPEST = 50
"""Parentheses and `not` within each other."""
_UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0, "k": 1e3, "": 1.0}
_NUMBER = regex.compile(r"(-?\d+(?:\.\d+)?)(ms|s|min|m|h|k)?")
_WORD_END = set(" \t\r\n()")


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


def quoted(value: str) -> str:
    """A value as it must be spelled behind a sign, so that it reads back as the same; raises ValueError if none is."""
    if value.endswith("\\"):
        # before a closing quote the backslash would escape it
        if not set(value) & _WORD_END and value[0] not in "\"'":
            return value
        raise ValueError("a value that ends in a backslash and needs quotes cannot be spelled")
    if '"' in value and "'" not in value:
        return f"'{value}'"
    return '"' + value.replace('"', '\\"') + '"'


def parse(source: str) -> Expression:
    """The expression a text means; raises `ExpressionError`."""
    return _Parser(source).whole()


class _Parser:
    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self._depth = 0

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
            raise self._error("a condition is missing here")
        if self._depth > _DEEPEST:
            raise self._error("this is nested too deeply")
        if self._keyword("not"):
            self._depth += 1
            inner = self._one()
            self._depth -= 1
            return Not(inner)
        for word in ("and", "or"):
            if self._at_keyword(word):
                raise self._error(f"a condition is missing before {word!r}")
        if self._peek() == "(":
            opened = self.position
            self.position += 1
            self._depth += 1
            inner = self._any()
            self._depth -= 1
            if self._ended() or self._peek() != ")":
                raise ExpressionError("this parenthesis is never closed", self.source, opened)
            self.position += 1
            self._skip()
            return inner
        if self._peek() == ")":
            raise self._error("a condition is missing before this parenthesis")
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
            hint = "; one with parentheses needs quotes" if self.source[value_at : value_at + 1] in ("(", ")") else ""
            raise ExpressionError(f"a value is missing after {name}{operator}{hint}", self.source, value_at)
        self._skip()
        return self._compare(name, operator, value, value_at)

    def _compare(self, name: str, operator: Operator, value: str, value_at: int) -> Compare:
        number = _number(value)
        match operator:
            case ":":
                return Compare(name, operator, value)
            case "~":
                try:
                    return Compare(name, operator, value)
                except BadPattern as bad:
                    start = value_at + (self.source[value_at] in "\"'")
                    at = start + min(bad.position, max(len(value) - 1, 0))
                    raise ExpressionError(f"not a regular expression: {bad.message}", self.source, at) from bad
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
            if path.strip("."):
                gap = name.index("..") if ".." in name else len(name) - 1
                raise ExpressionError("a name is missing beside this dot", self.source, at + gap)
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
