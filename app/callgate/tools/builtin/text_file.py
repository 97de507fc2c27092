"""The text of a file and how it is written down: encoding, byte order mark and line endings survive a change.

Pure: bytes in, bytes out. It knows nothing of where files are.
"""

import codecs
from dataclasses import dataclass

from callgate.tools.builtin.source import ToolProblem

MOST_TEXT = 10 * 1024 * 1024
"""A longer file is data rather than text; a diff of it can't be judged by anyone."""
_SNIFFED = 8192
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


@dataclass(frozen=True, slots=True)
class TextForm:
    """How a text is spelled in bytes."""

    encoding: str = "utf-8"
    mark: bytes = b""
    newline: str = ""
    """The one line ending that the whole file uses; empty = it has none or mixes several: texts are taken as given."""

    def write(self, text: str) -> bytes:
        """The bytes of a text in this form; its line endings must be right already."""
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError as bad:
            sign = bad.object[bad.start]
            raise ToolProblem(
                f"The file is not UTF-8 and cannot hold {sign!r} (U+{ord(sign):04X}); nothing was changed"
            ) from bad

    def with_newlines(self, text: str) -> str:
        """A text with this form's line endings."""
        if not self.newline:
            return text
        return text.replace("\r\n", "\n").replace("\n", self.newline)


def read_text(data: bytes, shown: str) -> tuple[str, TextForm]:
    """A file's text and form; raises `ToolProblem` for what is no text."""
    if len(data) > MOST_TEXT:
        raise ToolProblem(f"{shown} is too large to edit as text ({len(data):,} bytes; the limit is {MOST_TEXT:,})")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                text = data[len(mark) :].decode(encoding)
            except UnicodeDecodeError as bad:
                raise ToolProblem(f"{shown} is marked as {encoding} but is not: {bad.reason}") from bad
            return text, TextForm(encoding, mark, _newline(text))
    if b"\x00" in data[:_SNIFFED]:
        raise ToolProblem(f"{shown} is a binary file of {len(data):,} bytes; it is not changed as text")
    try:
        text, encoding = data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        # Latin-1 gives every byte back as it was, whichever 8-bit encoding the file really has
        text, encoding = data.decode("latin-1"), "latin-1"
    return text, TextForm(encoding, b"", _newline(text))


def edited(text: str, form: TextForm, old: str, new: str, *, replace_all: bool, shown: str) -> str:
    """The text with `old` replaced by `new`; raises `ToolProblem` where that is not clear-cut."""
    if not old:
        raise ToolProblem("old_text is empty: say which text is to be replaced")
    if old not in text:
        # models write \n whatever the file uses
        old = form.with_newlines(old)
    found = text.count(old)
    if found == 0:
        raise ToolProblem(f"old_text was not found in {shown}{_near_miss(text, old)}; nothing was changed")
    if found > 1 and not replace_all:
        lines = ", ".join(str(number) for number in _lines_of(text, old)[:10])
        raise ToolProblem(
            f"old_text was found {found} times in {shown} (lines {lines}); give more of the text around it, "
            "or set replace_all. Nothing was changed"
        )
    new = form.with_newlines(new)
    if old == new:
        raise ToolProblem("old_text and new_text are the same; nothing was changed")
    return text.replace(old, new)


def _newline(text: str) -> str:
    pairs, ends = text.count("\r\n"), text.count("\n")
    if pairs == ends:
        return "\r\n" if ends else ""
    return "\n" if not pairs else ""


def _lines_of(text: str, wanted: str) -> list[int]:
    """The lines on which each occurrence starts."""
    lines: list[int] = []
    line, before, at = 1, 0, text.find(wanted)
    while at >= 0:
        line += text.count("\n", before, at)
        lines.append(line)
        before, at = at, text.find(wanted, at + len(wanted))
    return lines


def _near_miss(text: str, old: str) -> str:
    """A hint where only white space differs: the commonest slip of a model."""
    if " ".join(old.split()) and " ".join(old.split()) in " ".join(text.split()):
        return " (the same words are there with other white space: copy it exactly)"
    return ""
