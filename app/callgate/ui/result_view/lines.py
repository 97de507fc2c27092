"""Texts and diffs as lines of runs, for `StyledText`. Pure."""

from collections.abc import Iterator
from typing import Final

from callgate.core.terminal_text import Run, Style
from callgate.ui.json_layout import plain_lines

_ADDED: Final = Style("green", ground="green")
_REMOVED: Final = Style("red", ground="red")
_PLACE: Final = Style("blue")
_HEAD: Final = Style(bold=True)


def text_lines(text: str, ink: str | None = None) -> Iterator[list[Run]]:
    style = Style(ink)
    return ([Run(line, style)] for line in plain_lines(text.removesuffix("\n")))


def diff_lines(text: str) -> Iterator[list[Run]]:
    return ([Run(line, _style(line))] for line in plain_lines(text.removesuffix("\n")))


def diff_counts(text: str) -> tuple[int, int]:
    """Lines added and removed."""
    lines = text.split("\n")
    added = sum(line.startswith("+") and not line.startswith("+++ ") for line in lines)
    return added, sum(line.startswith("-") and not line.startswith("--- ") for line in lines)


def _style(line: str) -> Style:
    if line.startswith(("+++ ", "--- ", "diff ", "index ", "new file", "deleted file", "rename ", "similarity ")):
        return _HEAD
    if line.startswith("@@"):
        return _PLACE
    if line.startswith("+"):
        return _ADDED
    return _REMOVED if line.startswith("-") else Style()
