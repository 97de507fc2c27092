"""`when` conditions, as VS Code spells them: `workspaceFolderCount > 0 && platform == linux`. Pure.

    or     a || b          compare   key == text   key != text   key =~ /pattern/i
    and    a && b                    key < 1   key <= 1   key > 1   key >= 1
    not    !a              group     ( a )         key alone: set, and neither false, 0 nor empty

A key stands on the left, what it is compared with on the right: a bare or quoted text, a number, true or false.
What the keys are worth is the caller's business; an unknown one is unset.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import assert_never

import regex

from callgate.core.rules.glob import REGEX_SECONDS
from callgate.core.rules.pattern import BadPattern, compiled_pattern

Value = str | int | float | bool
Lookup = Callable[[str], Value | None]
"""What a key is worth; None = unset."""

LONGEST = 1000
"""Nobody writes a longer condition; it also bounds how deep one can be nested."""
DEEPEST = 50

_TOKEN = regex.compile(
    r"""\s*(?:
        (?P<sign>\|\||&&|===|!==|==|!=|=~|<=|>=|<|>|!|\(|\))
      | (?P<quoted>'[^']*'|"[^"]*")
      | (?P<pattern>/(?:[^/\\]|\\.)+/[imsx]*)
      | (?P<word>[^\s()!=<>|&'"]+)
    )""",
    regex.VERBOSE,
)
_COMPARISONS = {"===": "==", "==": "==", "!==": "!=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_FLAGS = {"i": regex.IGNORECASE, "m": regex.MULTILINE, "s": regex.DOTALL, "x": regex.VERBOSE}


class BadCondition(ValueError):
    """A condition that cannot be read; says where."""

    def __init__(self, message: str, text: str, position: int) -> None:
        super().__init__(f"{message} at character {position + 1} of {text!r}")
        self.position = position


@dataclass(frozen=True, slots=True)
class _Is:
    key: str


@dataclass(frozen=True, slots=True)
class _Compares:
    key: str
    sign: str
    literal: str


@dataclass(frozen=True, slots=True)
class _Fits:
    key: str
    pattern: "regex.Pattern[str]"


@dataclass(frozen=True, slots=True)
class _Not:
    inner: "Condition"


@dataclass(frozen=True, slots=True)
class _All:
    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class _Any:
    parts: tuple["Condition", ...]


Condition = _Is | _Compares | _Fits | _Not | _All | _Any


@lru_cache(maxsize=1024)
def read_condition(text: str) -> Condition:
    """Raises `BadCondition`. The empty text holds always."""
    if len(text) > LONGEST:
        raise BadCondition(f"longer than {LONGEST} characters", text[:40] + "…", LONGEST)
    if not text.strip():
        return _All(())
    reader = _Reader(text)
    condition = reader.either()
    reader.expect_end()
    return condition


def holds(condition: Condition, lookup: Lookup) -> bool:
    match condition:
        case _Is(key):
            return bool(lookup(key))
        case _Compares():
            return _compare(lookup(condition.key), condition.sign, condition.literal)
        case _Fits():
            return _fits(condition, lookup(condition.key))
        case _Not(inner):
            return not holds(inner, lookup)
        case _All(parts):
            return all(holds(part, lookup) for part in parts)
        case _Any(parts):
            return any(holds(part, lookup) for part in parts)
        case _:
            assert_never(condition)


def _fits(condition: _Fits, value: Value | None) -> bool:
    """A pattern that takes too long does not fit: what hangs on it stays hidden."""
    if value is None:
        return False
    try:
        return condition.pattern.search(_spelled(value), timeout=REGEX_SECONDS) is not None
    except TimeoutError:
        return False


def _compare(value: Value | None, sign: str, literal: str) -> bool:
    if sign == "==":
        return value is not None and _spelled(value) == literal
    if sign == "!=":
        return value is None or _spelled(value) != literal
    try:
        left, right = float("nan" if value is None else value), float(literal)
    except ValueError:
        return False
    match sign:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right


def _spelled(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    position: int


class _Reader:
    """Recursive descent; `||` binds weakest, then `&&`, then `!`."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._at = 0
        self._depth = 0

    def either(self) -> Condition:
        parts = [self._both()]
        while self._take("||"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else _Any(tuple(parts))

    def expect_end(self) -> None:
        if self._at < len(self._tokens):
            raise self._complaint("expected && or ||")

    def _both(self) -> Condition:
        parts = [self._single()]
        while self._take("&&"):
            parts.append(self._single())
        return parts[0] if len(parts) == 1 else _All(tuple(parts))

    def _single(self) -> Condition:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._complaint("nested too deeply")
        try:
            if self._take("!"):
                return _Not(self._single())
            if self._take("("):
                inner = self.either()
                if not self._take(")"):
                    raise self._complaint("expected )")
                return inner
            return self._comparison()
        finally:
            self._depth -= 1

    def _comparison(self) -> Condition:
        key = self._next("word", "expected the name of a key")
        sign = self._tokens[self._at].text if self._at < len(self._tokens) else ""
        if sign == "=~":
            self._at += 1
            return _Fits(key, self._pattern())
        if sign not in _COMPARISONS:
            return _Is(key)
        self._at += 1
        if self._at < len(self._tokens) and self._tokens[self._at].kind == "quoted":
            return _Compares(key, _COMPARISONS[sign], self._next("quoted", "")[1:-1])
        return _Compares(key, _COMPARISONS[sign], self._next("word", f"expected a value after {sign}"))

    def _pattern(self) -> "regex.Pattern[str]":
        token = self._next("pattern", "expected a /pattern/ after =~")
        body, _, flags = token[1:].rpartition("/")
        try:
            return compiled_pattern(body, sum(_FLAGS[flag] for flag in set(flags)))
        except BadPattern as bad:
            self._at -= 1
            raise self._complaint(f"the pattern can't be read ({bad.message} at position {bad.position})") from bad

    def _take(self, sign: str) -> bool:
        found = self._at < len(self._tokens) and self._tokens[self._at].text == sign
        self._at += found
        return found

    def _next(self, kind: str, complaint: str) -> str:
        if self._at >= len(self._tokens) or self._tokens[self._at].kind != kind:
            raise self._complaint(complaint)
        self._at += 1
        return self._tokens[self._at - 1].text

    def _complaint(self, message: str) -> BadCondition:
        position = self._tokens[self._at].position if self._at < len(self._tokens) else len(self._text)
        return BadCondition(message, self._text, position)


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise BadCondition("expected a key, a value or an operator", text, at)
        found.append(_Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
        at = match.end()
    return found
