"""Splitting Markdown into paragraphs and fences while it is still being written. Pure; knows nothing of blocks or Qt.

The pieces depend only on the text so far, never on how it was cut into deltas, and a piece that is followed by another
never changes again: only the last one grows. A last line that could still become a fence (or a list item that belongs
to the piece before) is held back until it is decided.
"""

import re
from dataclasses import dataclass, replace

SOFT_LIMIT = 6_000
"""Past this many characters a piece ends at the next line, blank or not: each growth lays the whole piece out again."""
HARD_LIMIT = 16_000
"""A single line longer than this is cut: text without any line break must stay cheap to grow, too."""
_INFO_LIMIT = 200

_FENCE = re.compile(rf"^( {{0,12}})(`{{3,}}|~{{3,}})[ \t]*([^`]{{0,{_INFO_LIMIT}}}?)[ \t]*$")
_FENCE_BEGINNING = re.compile(rf"^ {{0,12}}(?:`{{1,2}}|~{{1,2}}|(?:`{{3,}}|~{{3,}})[^`]{{0,{_INFO_LIMIT}}})$")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s")
_ITEM_BEGINNING = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)]?)?$")
_TOP_INDENT = 3
"""Outside lists a fence may be indented by three spaces at most; inside, by as much as the list is."""


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    code: bool = False
    language: str = ""
    growing: bool = True


class Splitter:
    """`feed` it text, `close` it when the part has ended; `pieces` is always right for what was fed."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self._line = ""
        """The last line, not yet ended."""
        self._open = False
        """The last piece takes more."""
        self._done = ""
        """What the last piece holds of whole lines."""
        self._blank = False
        """A blank line came after it."""
        self._list = False
        self._fence = ""
        self._indent = 0

    def feed(self, text: str) -> int:
        """Takes more text; the number of the first piece that is new or has changed."""
        touched = max(0, len(self.pieces) - 1)
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._take(self._cut(line))
        self._line = self._cut(self._line)
        self._show(self._line.removesuffix("\r"))
        return touched

    def close(self) -> int:
        """The part has ended: what was held back is what it looks like."""
        touched = max(0, len(self.pieces) - 1)
        if self._line:
            line, self._line = self._line, ""
            self._take(line)
        self._end()
        self._fence = ""
        return touched

    # ---- whole lines -------------------------------------------------------------------------------------------

    def _take(self, line: str) -> None:
        line = line.removesuffix("\r")
        if self._fence:
            if self._closes(line):
                self._end()
                self._fence = ""
            else:
                self._append(_dedent(line, self._indent))
            return
        if not line.strip():
            self._blank = self._blank or self._open
            return
        fence = _FENCE.match(line)
        if fence and (len(fence[1]) <= _TOP_INDENT or self._list):
            self._end()
            self._fence, self._indent = fence[2], len(fence[1])
            self._begin(Piece("", code=True, language=(fence[3].split() or [""])[0]))
            return
        if not self._belongs(line):
            self._begin_prose(line)
        self._append(line)

    def _belongs(self, line: str) -> bool:
        """Whether a line of prose goes on with the last piece."""
        if not self._open or len(self._done) > SOFT_LIMIT:
            return False
        if not self._blank:
            return True
        return self._list and (line[:1] in " \t" or bool(_ITEM.match(line)))

    def _closes(self, line: str) -> bool:
        stripped = line.strip()
        return len(stripped) >= len(self._fence) and not stripped.strip(self._fence[0])

    def _begin_prose(self, line: str) -> None:
        self._end()
        self._begin(Piece(""))
        self._list = bool(_ITEM.match(line)) or (self._list and line[:1] in " \t")

    def _begin(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self._open, self._done, self._blank = True, "", False

    def _append(self, line: str) -> None:
        gap = "\n\n" if self._blank else "\n"
        first = not self._done and not self._fence
        self._done = line if first else f"{self._done}{gap}{line}"
        self._blank = False
        self._publish(self._done)

    def _end(self) -> None:
        if self._open:
            self.pieces[-1] = replace(self.pieces[-1], text=self._text(self._done), growing=False)
        self._open, self._blank = False, False

    # ---- the line that is still being written --------------------------------------------------------------------

    def _show(self, line: str) -> None:
        if self._fence:
            if line and not self._closes_perhaps(line):
                self._publish(f"{self._done}\n{_dedent(line, self._indent)}")
            elif self._open:
                self._publish(self._done)
            return
        if not line.strip() or _FENCE_BEGINNING.match(line):
            if self._open:
                self._publish(self._done)
            return
        begins = not self._open or self._blank or len(self._done) > SOFT_LIMIT
        if begins and _ITEM_BEGINNING.match(line):
            return
        if not self._belongs(line):
            self._begin_prose(line)
        gap = "\n\n" if self._blank else "\n"
        self._publish(f"{self._done}{gap}{line}" if self._done else line)

    def _closes_perhaps(self, line: str) -> bool:
        stripped = line.strip()
        return bool(stripped) and not stripped.strip(self._fence[0])

    def _publish(self, text: str) -> None:
        self.pieces[-1] = replace(self.pieces[-1], text=self._text(text), growing=True)

    def _text(self, text: str) -> str:
        return text[1:] if self.pieces[-1].code else text.rstrip()

    def _cut(self, line: str) -> str:
        """Takes whole pieces off the front of an endless line."""
        while not self._fence and len(line) > HARD_LIMIT:
            at = line.rfind(" ", 0, HARD_LIMIT)
            at = HARD_LIMIT if at < HARD_LIMIT // 2 else at + 1
            self._take(line[:at])
            self._end()
            line = line[at:]
        return line


def _dedent(line: str, indent: int) -> str:
    """Takes away the indent that a fence inside a list has."""
    return line[min(indent, len(line) - len(line.lstrip(" "))) :]
