"""Regular expressions that anyone may write: bounded in length and depth, and in time on every value. Pure."""

import re

import regex

from callgate.core.rules.glob import EASY_STEPS, REGEX_SECONDS, MatchTimeout

LONGEST = 4000
"""Characters: compiling takes time too."""
DEEPEST = 10
"""Groups within each other: counted repetitions of groups within groups take twice as long to compile at each step."""

_ATOM = r"(?:\\[^\dgkKpPxuUN]|\[\^?\]?(?:[^\]\[\\]|\\.)*\]|[^\\\[\](){}|*+?])"
_REPEATED = r"(?:[*+]|\{\d*,?\d*\})"
_OPENING = r"\((?:\?(?:[:=!]|<[=!]))?"
_FLAT = re.compile(rf"(?:\(\?[ai]+\))?(?:{_ATOM}(?:{_REPEATED}|\?)?|{_OPENING}|\)(?![*+?{{])|\|)*", re.DOTALL)
"""Where no group is repeated the work can be told beforehand; else it may grow beyond all bounds."""
_REPEAT = re.compile(rf"(?<!\\){_REPEATED}")
_TIMES = re.compile(r"\{\d*,?\d*\}")
_OPTIONAL = re.compile(r"(?<!\\)\?")
_KNOWN_ESCAPES = frozenset("dDsSwWbBAZfnrtv")
"""Those that are over with their letter; others take signs behind them along."""
_SKIPPED = re.compile(r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]", re.DOTALL)


class BadPattern(Exception):
    """A text that should be a regular expression and is none."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        """Where in the text it goes wrong."""


def compiled_pattern(text: str, flags: int = 0) -> "regex.Pattern[str]":
    """Raises `BadPattern`."""
    if len(text) > LONGEST:
        raise BadPattern(f"longer than {LONGEST:,} characters")
    too_deep = _too_deep(text)
    if too_deep is not None:
        raise BadPattern("groups are nested too deeply", too_deep)
    try:
        return regex.compile(text, flags)
    except regex.error as bad:
        # by name: the stubs of `regex` know none of its attributes
        raise BadPattern(getattr(bad, "msg", str(bad)), getattr(bad, "pos", None) or 0) from bad
    except (RecursionError, OverflowError) as extreme:
        raise BadPattern("nested too deeply or repeated too often") from extreme


class Pattern:
    """Compiled once, and bounded in time on every value. Raises `BadPattern`."""

    __slots__ = ("_compiled", "_optional", "_power", "_text", "literal")

    def __init__(self, text: str) -> None:
        self._compiled = compiled_pattern(text)
        self._text = text
        flat = _FLAT.fullmatch(text) is not None
        self._power = len(_REPEAT.findall(text)) + 1 if flat else 0
        """How steeply the work grows with the text; 0 = unknown."""
        self._optional: int = 2 ** (len(_OPTIONAL.findall(text)) + text.count("|"))
        self.literal = required_literal(text)
        """A text that must be in every value in which it is found; empty = none is known."""

    def found_in(self, text: str) -> bool:
        """Raises `MatchTimeout`."""
        if self._power and len(text) ** self._power * self._optional <= EASY_STEPS:
            return self._compiled.search(text) is not None
        try:
            return self._compiled.search(text, timeout=REGEX_SECONDS) is not None
        except TimeoutError as slow:
            raise MatchTimeout(self._text) from slow


def required_literal(pattern: str) -> str:
    """The longest plain text outside of all groups without which nothing can match; empty where that is not certain."""
    runs: list[str] = [""]
    depth = index = 0
    while index < len(pattern):
        char = pattern[index]
        found = _SKIPPED.match(pattern, index)
        if found is not None:
            index = found.end()
            taken = found[0][1] if char == "\\" and not found[0][1].isalnum() else ""
            if char == "\\" and not taken and found[0][1] not in _KNOWN_ESCAPES:
                return ""
        elif char == "{":
            times = _TIMES.match(pattern, index)
            if times is None:
                return ""  # a plain brace, or one of the fuzzy matches of `regex`
            index, taken = times.end(), ""
        else:
            index += 1
            if pattern.startswith("(?a)", index - 1) and index == 1:
                index = len("(?a)")
                continue
            if pattern.startswith("(?", index - 1) and not pattern.startswith(("(?:", "(?=", "(?!", "(?<"), index - 1):
                return ""  # flags change what letters mean
            depth += {"(": 1, ")": -1}.get(char, 0)
            if char == "|" and not depth:
                return ""
            taken = "" if char in "()|^$.*+?}" else char
        if depth or not taken:
            runs.append("")
        elif pattern[index : index + 1] in ("*", "?", "{"):
            runs.append("")  # it may be absent
        else:
            runs[-1] += taken
    return max(runs, key=len)


def _too_deep(text: str) -> int | None:
    """Where the groups of a pattern are nested too deeply; None = nowhere."""
    depth = index = 0
    while index < len(text):
        skipped = _SKIPPED.match(text, index)
        if skipped is not None:
            index = skipped.end()
            continue
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth > DEEPEST:
            return index
        index += 1
    return None
