"""A file before and after as rows: line numbers and signs at the edge, hidden characters revealed. Pure."""

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from callgate.core.calls.preview import DiffPreview
from callgate.core.text.diff import CONTEXT, DiffLine, TextDiff, text_diff
from callgate.ui.call_preview.rows import Row
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.json_layout import SEGMENT

_SIGNS: Final = {"added": "+", "removed": "−", "same": " "}


class DiffRows:
    """The rows of one preview, and what its heading says."""

    def __init__(self, preview: DiffPreview) -> None:
        self._preview = preview

    @cached_property
    def diff(self) -> TextDiff:
        """Made when it is first asked for: comparing large texts takes its time."""
        before, after = self._preview.before, self._preview.after
        if _breaks_like_windows(before, after):
            before, after = before.replace("\r\n", "\n"), after.replace("\r\n", "\n")
        return text_diff(before, after)

    @property
    def heading(self) -> str:
        preview = self._preview
        if preview.deletes:
            return f"Deletes {reveal(preview.path)}"
        if preview.fragment:
            verb = "Changes a part of"
        elif not preview.before:
            verb = "Writes a new file" if preview.after else "Writes an empty file"
        elif not preview.after:
            verb = "Empties"
        else:
            verb = "Changes"
        return f"{verb}: {reveal(preview.path)}"

    @property
    def counts(self) -> str:
        if self.diff.added or self.diff.removed:
            return f"+{self.diff.added:,}  −{self.diff.removed:,}"
        return "nothing changes" if self._preview.before == self._preview.after else "only line breaks change"

    @property
    def can_unfold(self) -> bool:
        """Whether there are unchanged lines that are left out at first."""
        return self.diff.skips()

    def rows(self, *, whole: bool = False) -> Iterator[Row]:
        """`whole`: unchanged lines too, all of them."""
        width = len(str(max(len(self.diff.before), len(self.diff.after), 1)))
        for line in self.diff.lines(None if whole else CONTEXT):
            yield from self._row(line, width)
        yield from self._ends()

    def _row(self, line: DiffLine, width: int) -> Iterator[Row]:
        if line.kind == "skipped":
            many = "1 unchanged line" if line.count == 1 else f"{line.count:,} unchanged lines"
            yield Row(f"⋯ {many}", self._numbers(None, None, width), "skipped")
            return
        twin = None if line.twin is None or len(line.text) > SEGMENT else reveal(line.twin[:SEGMENT])
        kind = "plain" if line.kind == "same" else line.kind
        mark = f"{self._numbers(line.old, line.new, width)} {_SIGNS[line.kind]}"
        for start in range(0, max(1, len(line.text)), SEGMENT):
            piece = reveal(line.text[start : start + SEGMENT])
            yield Row(piece, mark if start == 0 else "", kind, twin=twin)

    def _numbers(self, old: int | None, new: int | None, width: int) -> str:
        """Both numbers; one column where the file comes into being or goes."""
        if self._preview.fragment:
            return ""
        sides = [side for side, lines in ((old, self.diff.before), (new, self.diff.after)) if lines]
        return " ".join(" " * width if number is None else f"{number:>{width}}" for number in sides)

    def _ends(self) -> Iterator[Row]:
        before, after = self._preview.before, self._preview.after
        if not before or not after or self._preview.fragment:
            return
        had, has = before.endswith("\n"), after.endswith("\n")
        if had != has:
            yield Row(
                f"The last line {'ends with a line break now' if has else 'no longer ends with a line break'}.",
                "",
                "mind",
            )


def _breaks_like_windows(before: str, after: str) -> bool:
    """Whether every line of both ends in CR LF: then the CR says nothing, else each is shown."""
    return all(
        text.count("\n") == text.count("\r\n") > 0 == text.count("\r") - text.count("\r\n")
        for text in (before, after)
        if text
    ) and bool(before or after)
