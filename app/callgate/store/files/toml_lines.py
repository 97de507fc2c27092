"""On which line of a TOML text each key stands.

Neither tomllib nor tomlkit tells, and an error without its line is half an error. The text must have been parsed
before: this reads only what is valid, and only positions.
"""

import re
import tomllib
from bisect import bisect_right

KeyPath = tuple[str | int, ...]
"""Keys and list indexes from the root: `("upstreams", 1, "wire")`."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\r\n]+")


def key_lines(text: str) -> dict[KeyPath, int]:
    """The line (from 1) of every table, key and list item; a table that is only implied has that of its first key."""
    return _Scan(text).lines


def line_of(lines: dict[KeyPath, int], path: KeyPath) -> tuple[int | None, KeyPath]:
    """The line of a key, or of the nearest thing around it that is written down; with the path that was found."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path), path


class _Scan:
    def __init__(self, text: str) -> None:
        self.lines: dict[KeyPath, int] = {}
        self._text = text
        self._at = 0
        self._breaks = [found.start() for found in re.finditer("\n", text)]
        self._tables: dict[KeyPath, int] = {}
        """How many items each array of tables has so far."""
        self._document()

    def _document(self) -> None:
        table: KeyPath = ()
        while self._more():
            if self._text.startswith("[[", self._at):
                table = self._header(2)
            elif self._text[self._at] == "[":
                table = self._header(1)
            else:
                self._pair(table)

    def _header(self, brackets: int) -> KeyPath:
        line = self._line()
        self._at += brackets
        *outer, last = self._keys()
        self._at += brackets
        path: KeyPath = ()
        for key in outer:
            path = self._inside((*path, key), line)
        path = (*path, last)
        if brackets == 2:
            self.lines.setdefault(path, line)
            self._tables[path] = self._tables.get(path, 0) + 1
        return self._inside(path, line)

    def _inside(self, path: KeyPath, line: int) -> KeyPath:
        """The table that a header's key means: of an array of tables, the latest."""
        self.lines.setdefault(path, line)
        if path in self._tables:
            path = (*path, self._tables[path] - 1)
            self.lines.setdefault(path, line)
        return path

    def _pair(self, table: KeyPath) -> None:
        line = self._line()
        path = table
        for key in self._keys():
            path = (*path, key)
            self.lines.setdefault(path, line)
        self._at += 1  # the equals sign
        self._value(path)

    def _keys(self) -> list[str]:
        """A dotted key; stops at what follows it."""
        keys: list[str] = []
        while True:
            self._skip(_SPACE)
            quoted = self._text[self._at] in "\"'"
            found = (_STRING if quoted else _BARE_KEY).match(self._text, self._at)
            if found is None:
                raise ValueError(f"not valid TOML at line {self._line()}")
            self._at = found.end()
            keys.append(str(tomllib.loads(f"key = {found[0]}")["key"]) if quoted else found[0])
            self._skip(_SPACE)
            if self._text[self._at] != ".":
                return keys
            self._at += 1

    def _value(self, path: KeyPath) -> None:
        self._skip(_SPACE)
        match self._text[self._at]:
            case "[":
                self._list(path)
            case "{":
                self._inline_table(path)
            case '"' | "'":
                self._skip(_STRING)
            case _:
                self._skip(_SCALAR)

    def _list(self, path: KeyPath) -> None:
        self._at += 1
        index = 0
        while self._more() and self._text[self._at] != "]":
            self.lines[(*path, index)] = self._line()
            self._value((*path, index))
            self._comma()
            index += 1
        self._at += 1

    def _inline_table(self, path: KeyPath) -> None:
        self._at += 1
        while self._more() and self._text[self._at] != "}":
            self._pair(path)
            self._comma()
        self._at += 1

    def _comma(self) -> None:
        if self._more() and self._text[self._at] == ",":
            self._at += 1

    def _more(self) -> bool:
        """Skips blanks and comments; False at the end."""
        self._skip(_BLANK)
        return self._at < len(self._text)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self._text, self._at)
        if found is not None:
            self._at = found.end()

    def _line(self) -> int:
        return bisect_right(self._breaks, self._at - 1) + 1
