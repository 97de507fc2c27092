"""Terminal output made safe: colours are kept, every other escape sequence is dropped. Pure; knows no screen.

What is shown is what a terminal would show at the end, as far as single lines go: a carriage return starts the line
anew, a backspace takes a letter back. Nothing can move into another line, retitle a window or hide text.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

Ink = str | tuple[int, int, int] | None
"""The name of a colour (`red`, `bright red`), a colour itself, or None = the usual one."""

NAMES: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
LONGEST_LINE: Final = 2000
"""A line is laid out as a whole: a longer one is cut for the screen."""
_ESCAPE: Final = re.compile(
    r"\x1b\[([0-?]*)[ -/]*([@-~])"  # CSI
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?"  # strings: titles, links, device control
    r"|\x1b[ -/]*[0-~]?|[\x9b\x90\x9d]"
)
_COLORED: Final = re.compile(r"\x1b\[[0-9;:]*m")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

Shown = Callable[[str], str]
"""How a stretch of text is spelled for the eye."""


@dataclass(frozen=True, slots=True)
class Style:
    ink: Ink = None
    ground: Ink = None
    bold: bool = False
    faint: bool = False
    underline: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    text: str
    style: Style = Style()


def is_colored(text: str) -> bool:
    return _COLORED.search(text) is not None


def without_controls(text: str) -> str:
    return _CONTROLS.sub("", text)


def lines_of(text: str, shown: Shown = without_controls) -> Iterator[list[Run]]:
    """Line by line, so that a megabyte can be taken in slices."""
    style, start = Style(), 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        for first in range(start, max(end, start + 1), LONGEST_LINE * 4):
            runs, style = _line(text[first : min(end, first + LONGEST_LINE * 4)].removesuffix("\r"), style, shown)
            yield runs
        start = end + 1


def plain(text: str) -> str:
    """The words alone."""
    return _ESCAPE.sub("", text)


def _line(text: str, style: Style, shown: Shown) -> tuple[list[Run], Style]:
    if "\x1b" not in text and "\r" not in text and "\b" not in text:
        return [Run(shown(text), style)] if text else [], style
    text = _overwritten(text)
    runs: list[Run] = []
    at = 0
    for found in _ESCAPE.finditer(text):
        _add(runs, shown, text[at : found.start()], style)
        if found.group(2) == "m":
            style = _styled(style, found.group(1))
        at = found.end()
    _add(runs, shown, text[at:], style)
    return runs, style


def _add(runs: list[Run], shown: Shown, text: str, style: Style) -> None:
    kept: list[str] = []
    for letter in text:
        if letter == "\b":
            if kept:
                kept.pop()
        else:
            kept.append(letter)
    if kept:
        runs.append(Run(shown("".join(kept)), style))


def _overwritten(line: str) -> str:
    """A progress bar writes its line again and again: only the last one stays. Colours set before still count."""
    *before, last = line.split("\r")
    return "".join("".join(_COLORED.findall(piece)) for piece in before) + last


def _styled(style: Style, codes: str) -> Style:
    numbers = [int(code) if code.isdigit() else 0 for code in re.split("[;:]", codes)] or [0]
    at = 0
    while at < len(numbers):
        code = numbers[at]
        if code in (38, 48):
            ink, at = _extended(numbers, at + 1)
            style = replace(style, ink=ink) if code == 38 else replace(style, ground=ink)
        else:
            style = _simple(style, code)
            at += 1
    return style


def _simple(style: Style, code: int) -> Style:
    match code:
        case 0:
            return Style()
        case 1:
            return replace(style, bold=True)
        case 2:
            return replace(style, faint=True)
        case 4:
            return replace(style, underline=True)
        case 7:
            return replace(style, ink=style.ground or "black", ground=style.ink or "white")
        case 22:
            return replace(style, bold=False, faint=False)
        case 24:
            return replace(style, underline=False)
        case 39:
            return replace(style, ink=None)
        case 49:
            return replace(style, ground=None)
        case _ if 30 <= code <= 37:
            return replace(style, ink=NAMES[code - 30])
        case _ if 90 <= code <= 97:
            return replace(style, ink=f"bright {NAMES[code - 90]}")
        case _ if 40 <= code <= 47:
            return replace(style, ground=NAMES[code - 40])
        case _ if 100 <= code <= 107:
            return replace(style, ground=f"bright {NAMES[code - 100]}")
        case _:
            return style


def _extended(numbers: list[int], at: int) -> tuple[Ink, int]:
    """`5;n` of the table of 256, or `2;r;g;b`."""
    if at < len(numbers) and numbers[at] == 5 and at + 1 < len(numbers):
        return _of_table(min(255, numbers[at + 1])), at + 2
    if at < len(numbers) and numbers[at] == 2 and at + 3 < len(numbers):
        red, green, blue = (min(255, number) for number in numbers[at + 1 : at + 4])
        return (red, green, blue), at + 4
    return None, len(numbers)


def _of_table(number: int) -> Ink:
    if number < 8:
        return NAMES[number]
    if number < 16:
        return f"bright {NAMES[number - 8]}"
    if number >= 232:
        grey = 8 + (number - 232) * 10
        return grey, grey, grey
    number -= 16
    red, green, blue = (0 if part == 0 else 55 + part * 40 for part in (number // 36, number // 6 % 6, number % 6))
    return red, green, blue
