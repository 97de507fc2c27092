"""Regular expressions of other programs, as patterns of our own.

Only what both sides read alike passes; everything else is refused by name. A pattern that meant something else here
could allow what it refused there, and nobody would see it. Pure; what comes out is still to be compiled.
"""

import re
from collections.abc import Iterator
from typing import Literal

Dialect = Literal["JavaScript", "Rust"]

_SHORTHANDS = frozenset("dDwWsS")
_ESCAPES = _SHORTHANDS | frozenset("bBnrtf")
_HEX = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})")
_REPEAT = re.compile(r"(?:[*+?]|\{\d+(?:,\d*)?\})")
_OPENINGS: dict[Dialect, tuple[str, ...]] = {
    "JavaScript": ("(?:", "(?=", "(?!", "(?<=", "(?<!"),
    "Rust": ("(?:", "(?i:", "(?s:", "(?m:"),
}
_NAMED = re.compile(r"\(\?P?<[A-Za-z_]\w*>", re.ASCII)
_LEADING_FLAGS = re.compile(r"\(\?[ims]+\)")
_LOOKS_AROUND = ("(?=", "(?!", "(?<=", "(?<!")
_PLACES = (r"\b", r"\B", r"\A", r"\Z")
"""What stands for no character."""
_SET_SIGNS = ("&&", "--", "~~", "||")


def read_pattern(text: str, dialect: Dialect, flags: str = "") -> str:
    """The pattern in our spelling. Raises `ValueError`, in words, for one that may mean something else here."""
    if "i" in flags and not text.isascii():
        raise ValueError("letters other than a to z are not compared alike without regard to case")
    leading = _LEADING_FLAGS.match(text) if dialect == "Rust" else None
    own = leading[0][2:-1] if leading else ""
    body = "".join(_Reader(text[leading.end() :] if leading else text, dialect, flags + own).pieces())
    # JavaScript's \w, \d and \b know ASCII only
    kept = "".join(sorted(set(flags + own) & set("ims"))) + ("a" if dialect == "JavaScript" else "")
    return f"(?{kept}){body}" if kept else body


class _Reader:
    def __init__(self, text: str, dialect: Dialect, flags: str) -> None:
        self._text = text
        self._dialect: Dialect = dialect
        self._lines = "m" in flags
        self._at = 0

    def pieces(self) -> Iterator[str]:
        repeatable = False
        opened: list[str] = []
        while self._at < len(self._text):
            found = _REPEAT.match(self._text, self._at)
            if found is not None:
                if not repeatable:
                    raise self._unlike("a repetition of nothing")
                yield self._taken(found[0])
                yield from self._lazily()
                repeatable = False
                continue
            char = self._text[self._at]
            piece = self._piece(char)
            if char == "(":
                opened.append(piece)
            looks_around = char == ")" and bool(opened) and opened.pop() in _LOOKS_AROUND
            repeatable = char not in "(|^$" and piece not in _PLACES and not looks_around
            yield piece

    def _piece(self, char: str) -> str:
        match char:
            case "\\":
                return self._escape(in_set=False)
            case "[":
                return self._set()
            case "(":
                return self._opening()
            case "{":
                return self._brace()
            case "$":
                taken = self._taken(char)
                # of ours, `$` also stands before a new line at the end
                return taken if self._lines else r"\Z"
            case _:
                return self._taken(char)

    def _taken(self, piece: str) -> str:
        self._at += len(piece)
        return piece

    def _lazily(self) -> Iterator[str]:
        if self._text.startswith("?", self._at):
            yield self._taken("?")
        if _REPEAT.match(self._text, self._at):
            raise self._unlike("a repetition of a repetition")

    def _escape(self, *, in_set: bool) -> str:
        char = self._text[self._at + 1 : self._at + 2]
        found = _HEX.match(self._text, self._at)
        if found is not None:
            return self._taken(found[0])
        if char in _ESCAPES and char and not (in_set and char in "bB"):
            return self._taken(f"\\{char}")
        if char and char.isascii() and not char.isalnum():
            return self._taken(f"\\{char}")
        if self._dialect == "Rust" and char in ("A", "z") and not in_set:
            self._at += 2
            return r"\A" if char == "A" else r"\Z"
        raise self._unlike(f"\\{char}")

    def _set(self) -> str:
        out = self._taken("[")
        if self._text.startswith("^", self._at):
            out += self._taken("^")
        if self._text.startswith("]", self._at):
            raise self._unlike("an empty set")
        while not self._text.startswith("]", self._at):
            if self._at >= len(self._text):
                raise ValueError(f"not a regular expression of {self._dialect}: a [ is never closed")
            if self._text.startswith(_SET_SIGNS, self._at):
                raise self._unlike(f"{self._text[self._at : self._at + 2]} in a set")
            char = self._text[self._at]
            if char == "[" and self._dialect == "Rust":
                raise self._unlike("a set within a set")
            out += self._escape(in_set=True) if char == "\\" else ("\\" if char == "[" else "") + self._taken(char)
        return out + self._taken("]")

    def _opening(self) -> str:
        if not self._text.startswith("(?", self._at):
            return self._taken("(")
        for opening in _OPENINGS[self._dialect]:
            if self._text.startswith(opening, self._at):
                return self._taken(opening)
        named = _NAMED.match(self._text, self._at)
        if named is not None and (self._dialect == "Rust" or "P" not in named[0][:3]):
            return self._taken(named[0])
        raise self._unlike(f"{self._text[self._at : self._at + 4]}")

    def _brace(self) -> str:
        if self._dialect == "Rust":
            raise self._unlike("a { that counts nothing")
        self._at += 1
        return r"\{"

    def _unlike(self, what: str) -> ValueError:
        return ValueError(f"{what}, at character {self._at + 1}, is not read alike by {self._dialect} and Callgate")
