"""What a result is, told from its looks. Pure: parts in, shapes out; the widgets that show them are elsewhere.

A guess never loses anything: whatever the shape, the text as it came stays one click away.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import orjson

from callgate.core.messages import File, Image, Json, Part, Text
from callgate.core.text.terminal import is_colored

READ: Final = 8_000_000
"""Letters of JSON that are read: a tree of it costs memory, not time."""
_MOST_COLUMNS: Final = 24
_ROWS_LOOKED_AT: Final = 200
"""A table is told from its first rows; a later row of another shape still shows what it has."""
_LONGEST_CELL: Final = 2000
_SNIFFED: Final = 20_000
_EXIT: Final = re.compile(r"\n?\[exit code (-?\d+)\]\s*$")
_ENDED: Final = re.compile(r"\n?\[(ended by [^\]\n]+|stopped after [^\]\n]+)\]\s*$")
_DIFF: Final = re.compile(r"^(?:diff --git |--- [^\n]+\n\+\+\+ |@@ -\d+(?:,\d+)? \+\d+)", re.MULTILINE)
_DIFF_HUNK: Final = re.compile(r"^@@ -\d+(?:,\d+)? \+\d+", re.MULTILINE)
_FENCES: Final = re.compile(r"^```", re.MULTILINE)
_HEADING: Final = re.compile(r"^#{1,4} \S[^\n]*\n\s*\n", re.MULTILINE)
_MARKS: Final = re.compile(r"\*\*\S[^*\n]*\*\*|^[-*] \S|\]\(\S+\)|^\|.*\|\s*\n\|[ :|-]+\|", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TextShape:
    text: str


@dataclass(frozen=True, slots=True)
class MarkdownShape:
    text: str


@dataclass(frozen=True, slots=True)
class JsonShape:
    text: str
    value: Json


@dataclass(frozen=True, slots=True)
class TableShape:
    text: str
    columns: tuple[str, ...]
    rows: tuple[dict[str, Json], ...]


@dataclass(frozen=True, slots=True)
class DiffShape:
    text: str


@dataclass(frozen=True, slots=True)
class TerminalShape:
    text: str
    """Without the line that told how it ended."""
    exit_code: int | None = None
    ending: str = ""
    """How it ended, where not by itself."""


@dataclass(frozen=True, slots=True)
class ImageShape:
    media_type: str
    data: str
    """Base64; empty = only a reference came."""
    reference: str = ""


@dataclass(frozen=True, slots=True)
class FileShape:
    media_type: str
    name: str
    bytes: int
    reference: str = ""


Shape = TextShape | MarkdownShape | JsonShape | TableShape | DiffShape | TerminalShape | ImageShape | FileShape


def shapes_of(parts: Iterable[Part], *, is_error: bool = False) -> tuple[Shape, ...]:
    """Text parts that follow one another are one text; an error is never more than text or JSON."""
    shapes: list[Shape] = []
    texts: list[str] = []
    for part in parts:
        match part:
            case Text():
                texts.append(part.text)
                continue
            case Image() | File():
                shapes.extend(_of_texts(texts, is_error))
                shapes.append(_of_media(part))
                texts = []
            case _:
                continue
    shapes.extend(_of_texts(texts, is_error))
    return tuple(shapes)


def _of_texts(texts: list[str], is_error: bool) -> list[Shape]:
    text = "\n".join(texts)
    return [shape_of_text(text, is_error=is_error)] if text else []


def shape_of_text(text: str, *, is_error: bool = False) -> Shape:
    if text.lstrip()[:1] in ("{", "[") and len(text) <= READ:
        value = _loaded(text)
        if isinstance(value, dict | list):
            return _table(text, value) or JsonShape(text, value)
    ended = _EXIT.search(text, max(0, len(text) - 80))
    if ended is not None:
        return TerminalShape(text[: ended.start()], int(ended[1]))
    stopped = _ENDED.search(text, max(0, len(text) - 200))
    if stopped is not None:
        return TerminalShape(text[: stopped.start()], ending=stopped[1])
    head = text[:_SNIFFED]
    if is_colored(head):
        return TerminalShape(text)
    if is_error:
        return TextShape(text)
    if _DIFF.search(head) is not None and _DIFF_HUNK.search(head) is not None:
        return DiffShape(text)
    return MarkdownShape(text) if _is_markdown(text, head) else TextShape(text)


def _is_markdown(text: str, head: str) -> bool:
    """Only what can hardly be anything else: a script has `#` lines too."""
    if len(text) > _SNIFFED:
        return False
    marks = len(_MARKS.findall(head))
    fences = len(_FENCES.findall(head))
    return (fences >= 2 and fences % 2 == 0) or (marks >= 1 and _HEADING.search(head) is not None)


def _loaded(text: str) -> Json:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _table(text: str, value: Json) -> TableShape | None:
    """A list of two or more objects that hold nothing nested."""
    if not isinstance(value, list) or len(value) < 2:
        return None
    rows = tuple(row for row in value if isinstance(row, dict))
    if len(rows) != len(value):
        return None
    columns: dict[str, None] = {}
    for row in rows[:_ROWS_LOOKED_AT]:
        columns.update(dict.fromkeys(row))
        if len(columns) > _MOST_COLUMNS or not all(_is_flat(cell) for cell in row.values()):
            return None
    return TableShape(text, tuple(columns), rows) if columns else None


def _is_flat(cell: Json) -> bool:
    if isinstance(cell, str):
        return len(cell) <= _LONGEST_CELL
    return not isinstance(cell, dict | list) or not cell


def _of_media(part: Image | File) -> Shape:
    media_type, data, url = part.media_type, part.data, part.url
    if url.startswith("data:"):
        head, _, data = url.partition(",")
        media_type, url = media_type or head.removeprefix("data:").split(";")[0], ""
    if isinstance(part, Image) or media_type.startswith("image/"):
        return ImageShape(media_type, data, url or part.file_id)
    return FileShape(media_type, part.name, len(data) * 3 // 4, url or part.file_id)
