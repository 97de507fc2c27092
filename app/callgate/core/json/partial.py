"""JSON that is still being written: what it says so far, and which of it may still change. Pure.

Fed in pieces and read again after each: the scan never goes back, and what is there is parsed by the fast reader once
the open strings and brackets are closed for it.
"""

import re
from dataclasses import dataclass
from typing import Final

import orjson

from callgate.core.messages import Json

Step = str | int

DEEPEST: Final = 100
"""Deeper nesting is an attack on recursive code."""
_PLAIN: Final = re.compile(r'[^"\\]*+')
_BARE: Final = re.compile(r'[^\s"{}\[\],:]++')
_HALF_ESCAPE: Final = re.compile(r"(?<!\\)(?:\\\\)*+(\\u[dD][89abAB][0-9A-Fa-f]{2})?(\\(?:u[0-9A-Fa-f]{0,3})?)?$")
_CLOSER: Final = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Sketch:
    """What a text says so far."""

    value: Json
    open: tuple[Step, ...] | None = None
    """The way to the innermost value that may still grow; all on the way may, too. None = the text is whole."""

    def may_grow(self, path: tuple[Step, ...]) -> bool:
        """Whether the value at a path may still change."""
        return self.open is not None and self.open[: len(path)] == path


class PartialJson:
    """`feed` it; `sketch` is None where the text is no JSON, or says nothing yet."""

    def __init__(self, text: str = "") -> None:
        self.text = ""
        self._at = 0
        """Everything before is scanned."""
        self._stack: list[str] = []
        self._in_string = False
        self._is_key = False
        """The string that is open, or was last, is a key."""
        self._wants_key = False
        self._whole_until = 0
        """Up to here the text is whole values: closing the brackets makes it JSON."""
        self._broken = False
        self.feed(text)

    def feed(self, text: str) -> None:
        self.text += text
        while self._at < len(self.text) and not self._broken:
            went_on = self._scan_string() if self._in_string else self._scan_sign()
            if not went_on:
                return

    def sketch(self) -> Sketch | None:
        if self._broken:
            return None
        if self._in_string and not self._is_key:
            half = _HALF_ESCAPE.search(self.text, max(0, len(self.text) - 64))
            return self._read((self.text[: _cut(half)] if half else self.text) + '"', inside=len(self._stack))
        if self._stack:
            return self._read(self.text[: self._whole_until], inside=len(self._stack) - 1)
        return self._read(self.text, inside=None)

    # ---- scanning: True = there may be more to scan ------------------------------------------------------------------

    def _scan_string(self) -> bool:
        found = _PLAIN.match(self.text, self._at)
        self._at = found.end() if found else self._at
        if self._at >= len(self.text):
            return False
        if self.text[self._at] == "\\":
            if self._at + 1 >= len(self.text):
                return False
            self._at += 2
            return True
        self._at += 1
        self._in_string = False
        if not self._is_key:
            self._whole_until = self._at
        return True

    def _scan_sign(self) -> bool:
        letter = self.text[self._at]
        if letter == '"':
            self._in_string, self._is_key = True, self._wants_key
        elif letter in _CLOSER:
            self._stack.append(letter)
            self._wants_key = letter == "{"
            self._broken = len(self._stack) > DEEPEST
            self._whole_until = self._at + 1
        elif letter in "}]":
            self._broken = not self._stack or _CLOSER[self._stack.pop()] != letter
            self._whole_until = self._at + 1
        elif letter == ",":
            self._wants_key = bool(self._stack) and self._stack[-1] == "{"
        elif letter == ":":
            self._wants_key = False
        elif not letter.isspace():
            return self._scan_bare()
        self._at += 1
        return True

    def _scan_bare(self) -> bool:
        """Numbers and words: whole only once something follows them."""
        found = _BARE.match(self.text, self._at)
        if found is None or found.end() >= len(self.text):
            return False
        self._at = self._whole_until = found.end()
        return True

    # ---- reading ---------------------------------------------------------------------------------------------------

    def _read(self, text: str, inside: int | None) -> Sketch | None:
        """`inside`: how many steps lead to the innermost value that is open; None = none is."""
        closed = text + "".join(_CLOSER[letter] for letter in reversed(self._stack))
        try:
            value: Json = orjson.loads(closed)
        except orjson.JSONDecodeError:
            return None
        return Sketch(value, None if inside is None else _last_steps(value, inside))


def _cut(half: re.Match[str]) -> int:
    """Where the escape begins that is not whole: half a sign, or half of a pair that makes one."""
    starts = [half.start(group) for group in (1, 2) if half.group(group)]
    return min(starts) if starts else half.end()


def _last_steps(value: Json, count: int) -> tuple[Step, ...]:
    """What is open is always the last of its surroundings."""
    steps: list[Step] = []
    while len(steps) < count:
        if isinstance(value, dict) and value:
            step: Step = next(reversed(value))
            value = value[step]
        elif isinstance(value, list) and value:
            step = len(value) - 1
            value = value[step]
        else:
            break
        steps.append(step)
    return tuple(steps)
