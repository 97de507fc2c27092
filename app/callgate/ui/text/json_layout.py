"""Arguments laid out for the eye. Pure: text in, lines out; knows JSON, nothing of Qt or of any tool.

The layout works on the tokens of the text as it came, so numbers, order and doubled keys stay what they are; only
strings are decoded, because the value is what runs, not its spelling (`\\u0072m` is `rm`). A string of several lines,
or a very long one, is set as a block in which every line starts with a bar: nothing in it can pass for a key.
"""

import json
import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final

from callgate.core.messages import CallVariant
from callgate.ui.text.hidden_characters import reveal

BAR: Final = "│ "
"""Starts each line of a string that is set as a block."""
RUNS_ON: Final = "┊ "
"""Starts a piece that has no line break before it: the line was only cut for the screen."""
SEGMENT: Final = 2000
"""Characters in one line of the screen's text; Qt lays out a line as a whole, so a longer one stalls the window."""
INDENT: Final = "  "

_SUMMARIZED: Final = 20_000
"""Characters up to which a one-line summary is worth reading the JSON."""

_TOKEN: Final = re.compile(r'\s*+("[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],:]|[^\s"{}\[\],:]++)', re.DOTALL)
_OPEN: Final = {"{": "}", "[": "]"}
_SHORT_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_NEEDS_ESCAPE: Final = re.compile(r'["\\\n\t]')


def problem(arguments: str, variant: CallVariant = "function") -> str:
    """Why these can't be arguments, in words; empty = they can. Free text always can."""
    if variant == "custom":
        return ""
    if not arguments.strip():
        return "Empty: a JSON object is expected, such as {}."
    try:
        value = json.loads(arguments, parse_constant=_no_constant)
    except json.JSONDecodeError as bad:
        words = bad.msg.removesuffix(" at").removesuffix(" starting")
        return f"Line {bad.lineno}, column {bad.colno}: {words[:1].lower()}{words[1:]}."
    except RecursionError:
        return "Nested too deeply to be read."
    except ValueError as bad:
        return f"{bad}."
    return "" if isinstance(value, dict) else "A JSON object is expected: { … }."


def doubled_keys(arguments: str) -> tuple[str, ...]:
    """Keys that one object has twice: programs differ in which of the values they take."""
    doubled: dict[str, None] = {}

    def look(pairs: list[tuple[str, object]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                doubled[key] = None
            seen.add(key)

    try:
        json.loads(arguments, object_pairs_hook=look)
    except (ValueError, RecursionError):
        return ()
    return tuple(doubled)


def is_json(arguments: str) -> bool:
    try:
        json.loads(arguments)
    except (ValueError, RecursionError):
        return False
    return True


def laid_out(arguments: str) -> Iterator[str]:
    """Valid JSON as lines for the screen: indented, strings decoded, hidden characters revealed."""
    return _lines(arguments, _inline, blocks=True)


def indented(arguments: str) -> str:
    """Valid JSON indented for editing: every token as it was, save that hidden characters are escaped."""
    return "\n".join(_lines(arguments, _escaped, blocks=False))


def plain_lines(text: str) -> Iterator[str]:
    """Any text as lines for the screen, hidden characters revealed."""
    return _segments(text, "", RUNS_ON)


def spoken(arguments: str) -> Iterator[str]:
    """The decoded strings of valid JSON, keys too: what `suspects` should look at."""
    for token in _tokens(arguments):
        if token.startswith('"'):
            yield _decoded(token)


def summary(arguments: str, limit: int = 160) -> str:
    """One line that tells calls apart; never a base for a decision."""
    text = arguments
    if len(arguments) <= _SUMMARIZED and is_json(arguments):
        value = json.loads(arguments)
        if isinstance(value, dict):
            spelled = [(key, item if isinstance(item, str) else json.dumps(item)) for key, item in value.items()]
            only_text = len(spelled) == 1
            text = ", ".join(item if only_text else f"{key}: {item}" for key, item in spelled)
    line = reveal(" ".join(text[: limit * 4].split(None)))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _tokens(arguments: str) -> Iterator[str]:
    return (found[1] for found in _TOKEN.finditer(arguments))


def _lines(arguments: str, inline: Callable[[str], str], *, blocks: bool) -> Iterator[str]:
    depth, line = 0, ""
    tokens = chain(_tokens(arguments), ("",))
    token = next(tokens)
    while token:
        following = next(tokens)
        if token in _OPEN and following == _OPEN[token]:
            line += token + following
            following = next(tokens)
        elif token in _OPEN:
            yield line + token
            depth += 1
            line = INDENT * depth
        elif token in ("}", "]"):
            if line.strip():
                yield line
            depth -= 1
            line = INDENT * depth + token
        elif token == ",":
            yield line + ","
            line = INDENT * depth
        elif token == ":":
            line += ": "
        elif not token.startswith('"'):
            line += token
        elif blocks and following != ":" and _wants_block(text := _decoded(token)):
            yield f"{line}({_extent(text)})"
            yield from _segments(text, INDENT * (depth + 1) + BAR, INDENT * (depth + 1) + RUNS_ON)
            line = INDENT * depth
            if following == ",":
                following = next(tokens)
        else:
            line += inline(token)
        token = following
    if line.strip():
        yield line


def _wants_block(text: str) -> bool:
    return "\n" in text or len(text) > SEGMENT


def _extent(text: str) -> str:
    breaks = text.count("\n")
    return f"{breaks + 1:,} lines" if breaks else f"{len(text):,} characters"


def _segments(text: str, first: str, further: str) -> Iterator[str]:
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield first + reveal(text[start : min(end, start + SEGMENT)])
        for cut in range(start + SEGMENT, end, SEGMENT):
            yield further + reveal(text[cut : min(end, cut + SEGMENT)])
        start = end + 1


def _decoded(token: str) -> str:
    return json.loads(token, strict=False) if "\\" in token else token[1:-1]


def _inline(token: str) -> str:
    if token.isascii() and "\\" not in token:
        return reveal(token)
    return f'"{reveal(_NEEDS_ESCAPE.sub(lambda found: _SHORT_ESCAPES[found[0]], _decoded(token)))}"'


def _escaped(token: str) -> str:
    if token.isascii() or reveal(token) == token:
        return token
    return "".join(letter if reveal(letter) == letter else _unicode_escape(letter) for letter in token)


def _unicode_escape(letter: str) -> str:
    return json.dumps(letter)[1:-1]
