"""JSON with comments and trailing commas, as people write configuration files. Pure; errors name line and column."""

import json

from callgate.core.errors import UserFault
from callgate.core.messages import Json


class BadJson(UserFault):
    """A text that is not JSON even with comments."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column


def read_jsonc(text: str) -> Json:
    text = text.removeprefix("\ufeff")
    try:
        return json.loads(plain(text))
    except json.JSONDecodeError as bad:
        raise BadJson(bad.msg, bad.lineno, bad.colno) from bad
    except RecursionError as deep:
        raise BadJson("nested too deeply", 1, 1) from deep


def line_of(text: str, key: str) -> int:
    """The line where a key stands first; 0 = nowhere."""
    at = text.find(json.dumps(key, ensure_ascii=False))
    return text.count("\n", 0, at) + 1 if at >= 0 else 0


def plain(text: str, *, commas: bool = False) -> str:
    """The same text with comments and trailing commas blanked out, so that every position stays what it was.

    `commas`: trailing commas stay.
    """
    out = list(text)
    at, comma, before = 0, -1, ""
    while at < len(text):
        char = text[at]
        end = _string_end(text, at) if char == '"' else at + 1
        comment = _comment_end(text, at)
        if comment > at:
            end = comment
            out[at:end] = [c if c == "\n" else " " for c in text[at:end]]
        elif not char.isspace():
            if char in "]}" and comma >= 0 and not commas:
                out[comma] = " "
            comma = at if char == "," and before not in ("", "[", "{", ",") else -1
            before = char
        at = end
    return "".join(out)


def _string_end(text: str, start: int) -> int:
    at = start + 1
    while at < len(text) and text[at] not in '"\n':
        at += 2 if text[at] == "\\" else 1
    return min(at + 1, len(text))


def _comment_end(text: str, at: int) -> int:
    if text.startswith("//", at):
        end = text.find("\n", at)
        return end if end >= 0 else len(text)
    if text.startswith("/*", at):
        end = text.find("*/", at + 2)
        return end + 2 if end >= 0 else len(text)
    return at
