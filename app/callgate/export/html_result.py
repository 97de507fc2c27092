"""What a tool took and gave, as HTML by what it is: tables, coloured diffs, terminal output, JSON, Markdown. Pure.

Colours are classes of the page's own style sheet: its policy forbids styles of any other kind.
"""

import base64
from collections.abc import Callable, Iterable
from html import escape
from typing import Final

import orjson

from callgate.core.calls.result_shape import (
    DiffShape,
    FileShape,
    ImageShape,
    JsonShape,
    MarkdownShape,
    Shape,
    TableShape,
    TerminalShape,
    TextShape,
    shapes_of,
)
from callgate.core.messages import Json, Part
from callgate.core.text.highlighting import colored
from callgate.core.text.terminal import NAMES, Ink, Run, Style, lines_of

MOST_ROWS: Final = 500
"""Rows of a table; of a longer one the rest is told by number, and is whole in the other formats."""
_PICTURES: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_DIFF_HEADS: Final = ("+++ ", "--- ", "diff ", "index ", "new file", "deleted file", "rename ", "similarity ")
_COLORS: Final = {
    "black": (0, 0, 0), "red": (205, 49, 49), "green": (13, 188, 121), "yellow": (229, 229, 16),
    "blue": (36, 114, 200), "magenta": (188, 63, 188), "cyan": (17, 168, 205), "white": (229, 229, 229),
}  # fmt: skip
"""Against which any other colour is measured: a page that may hold no styles knows these eight."""

Markdown = Callable[[str], str]


def result_html(parts: Iterable[Part], markdown: Markdown, *, is_error: bool = False) -> str:
    return "".join(_shown(shape, markdown) for shape in shapes_of(parts, is_error=is_error))


def code_html(text: str, language: str) -> str:
    """Code in colours; as it is where nobody knows the language."""
    pieces = colored(text, language)
    if pieces is None:
        return escape(text)
    return "".join(
        escape(piece) if color == "text" else f'<span class="c-{color}">{escape(piece)}</span>'
        for color, piece in pieces
    )


def json_html(text: str) -> str:
    """JSON laid out and in colours; whatever is none, as it is."""
    try:
        value: object = orjson.loads(text)
    except orjson.JSONDecodeError:
        return f"<pre>{escape(text)}</pre>"
    if not isinstance(value, dict | list):
        return f"<pre>{escape(text)}</pre>"
    return f"<pre>{code_html(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode(), 'json')}</pre>"


def picture_html(media_type: str, data: str, reference: str = "") -> str:
    """One that came along; one from elsewhere is only named: nothing is fetched by reading."""
    if data and media_type in _PICTURES and _is_base64(data):
        return f'<p><img alt="Image" src="data:{media_type};base64,{escape(data)}"></p>'
    named = reference if reference and not reference.startswith("data:") else media_type
    return f"<p>Image: {escape(named) or 'not kept'}</p>"


def _shown(shape: Shape, markdown: Markdown) -> str:
    match shape:
        case TableShape():
            return _table(shape)
        case DiffShape():
            return f'<pre class="diff">{"".join(_diff_line(line) for line in _lines(shape.text))}</pre>'
        case TerminalShape():
            return _terminal(shape)
        case JsonShape():
            return json_html(shape.text)
        case MarkdownShape():
            return f'<div class="said">{markdown(shape.text)}</div>'
        case ImageShape():
            return picture_html(shape.media_type, shape.data, shape.reference)
        case FileShape():
            return f"<p>Attachment: {escape(shape.name or shape.reference or shape.media_type or 'a file')}</p>"
        case TextShape():
            return f"<pre>{escape(shape.text)}</pre>"


def _table(shape: TableShape) -> str:
    numbers = {column for column in shape.columns if all(_is_number(row.get(column)) for row in shape.rows[:MOST_ROWS])}
    mark = {column: ' class="number"' if column in numbers else "" for column in shape.columns}
    head = "".join(f"<th{mark[column]}>{escape(column)}</th>" for column in shape.columns)
    body = "".join(
        "<tr>" + "".join(f"<td{mark[column]}>{_cell(row, column)}</td>" for column in shape.columns) + "</tr>"
        for row in shape.rows[:MOST_ROWS]
    )
    rest = len(shape.rows) - MOST_ROWS
    more = f'<div class="label">and {rest:,} more rows</div>' if rest > 0 else ""
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{more}'


def _cell(row: dict[str, Json], column: str) -> str:
    if column not in row:
        return ""
    value = row[column]
    if isinstance(value, str):
        return escape(value)
    spelled = escape(orjson.dumps(value).decode())
    return spelled if _is_number(value) else f'<span class="c-text3">{spelled}</span>'


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def _diff_line(line: str) -> str:
    if line.startswith(_DIFF_HEADS):
        kind = "head"
    elif line.startswith("@@"):
        kind = "place"
    else:
        kind = {"+": "added", "-": "removed"}.get(line[:1], "")
    return f'<span class="{f"line {kind}".rstrip()}">{escape(line)}\n</span>'


def _terminal(shape: TerminalShape) -> str:
    lines = ("".join(_run(run) for run in line) for line in lines_of(shape.text.removesuffix("\n")))
    ending = shape.ending or (f"exit code {shape.exit_code}" if shape.exit_code is not None else "")
    bad = " c-denied" if shape.ending or shape.exit_code else ""
    said = f'<div class="label{bad}">{escape(ending)}</div>' if ending else ""
    return f'<pre class="terminal">{chr(10).join(lines)}</pre>{said}'


def _run(run: Run) -> str:
    classes = _classes(run.style)
    return f'<span class="{classes}">{escape(run.text)}</span>' if classes else escape(run.text)


def _classes(style: Style) -> str:
    weights = (("bold", style.bold), ("faint", style.faint), ("underline", style.underline))
    names = [name for name, on in weights if on]
    names += [f"ink-{name}" for name in (_named(style.ink),) if name]
    names += [f"ground-{name}" for name in (_named(style.ground),) if name]
    return " ".join(names)


def _named(ink: Ink) -> str:
    if ink is None or isinstance(ink, str):
        return (ink or "").removeprefix("bright ")
    return min(NAMES, key=lambda name: sum((a - b) ** 2 for a, b in zip(ink, _COLORS[name], strict=True)))


def _is_base64(data: str) -> bool:
    try:
        base64.b64decode(data.replace("\n", ""), validate=True)
    except ValueError:
        return False
    return True
