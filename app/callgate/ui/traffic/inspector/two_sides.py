"""Two forms of an exchange beside each other, line by line: scrolled as one, with what differs in colour."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from callgate.ui.call_preview.row_text import RowText
from callgate.ui.call_preview.rows import Row, RowKind
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.json_layout import SEGMENT
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.json_sides import SideKind, SideRow

MOST_ROWS: Final = 1000
"""Lines set out beside each other; who has more differences than that looks for one in the list."""
_ABOVE: Final = 3
"""Lines that stay in sight above the one that is looked for."""
_REST_MS: Final = 12
"""Between two slices of lines: the list beside them is being drawn too."""
_AFTER: Final = 12
"""Letters that stay in sight after the first that differs."""
_SIGNS: Final[dict[SideKind, tuple[str, str]]] = {
    "same": (" ", " "),
    "removed": ("−", " "),
    "added": (" ", "+"),
    "changed": ("−", "+"),
    "skipped": (" ", " "),
}
_KINDS: Final[dict[SideKind, tuple[RowKind, RowKind]]] = {
    "same": ("plain", "plain"),
    "removed": ("removed", "plain"),
    "added": ("plain", "added"),
    "changed": ("removed", "added"),
    "skipped": ("skipped", "skipped"),
}


class SideText(RowText):
    """Not wrapped: lines of both sides must stay on the same height."""

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__(theme, most_rows=1)
        self.setAccessibleName(title)
        self._timer.setInterval(_REST_MS)
        self.pointed = -1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("flat", True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def point_at(self, number: int) -> None:
        """Frames a line and brings it into sight, and in it the first letter that differs; -1 = none."""
        self.pointed = number
        self.viewport().update()
        if not 0 <= number < len(self.rows):
            return
        self.verticalScrollBar().setValue(max(0, number - _ABOVE))
        row = self.rows[number]
        end = self.fontMetrics().horizontalAdvance(row.text[: _shared(row.text, row.twin or "") + _AFTER])
        # no further than needed: what stands around the line should stay in sight
        self.horizontalScrollBar().setValue(max(0, end - self.viewport().width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        box = next((box for block, box in self.visible_blocks() if block.blockNumber() == self.pointed), None)
        if box is not None:
            painter = QPainter(self.viewport())
            painter.setPen(self._theme.color("accent"))
            width = self.viewport().width()
            painter.drawLine(0, round(box.top()), width, round(box.top()))
            painter.drawLine(0, round(box.bottom()) - 1, width, round(box.bottom()) - 1)
            painter.end()


class TwoSides(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.before, self.after = SideText(theme, "Before"), SideText(theme, "After")
        self._places: dict[str, int] = {}
        self._second: Iterator[Row] = iter(())
        self.before.loaded.connect(self._show_second)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        for text in (self.before, self.after):
            split.addWidget(text)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(split)
        for one, other in ((self.before, self.after), (self.after, self.before)):
            one.verticalScrollBar().valueChanged.connect(other.verticalScrollBar().setValue)
            one.horizontalScrollBar().valueChanged.connect(other.horizontalScrollBar().setValue)
        self.before.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_rows(self, rows: Sequence[SideRow], titles: tuple[str, str] = ("", "")) -> None:
        """`titles`: of both sides, for assistive technology."""
        for text, title in zip((self.before, self.after), titles, strict=True):
            text.setAccessibleName(title)
            text.point_at(-1)
        shown = rows[:MOST_ROWS]
        self._places = {}
        for number, row in enumerate(shown):
            if row.where:
                self._places.setdefault(row.where, number)
        # made as they are shown, and one side after the other: thousands at once would hold up the window
        self._second = chain((_row(row, 1) for row in shown), _rest(rows))
        self.before.show_rows(chain((_row(row, 0) for row in shown), _rest(rows)))

    def _show_second(self) -> None:
        self.after.show_rows(self._second)

    def point_at(self, where: str) -> bool:
        """Shows the difference at a path; False: it is not among the lines that are set out."""
        number = self._places.get(where, -1)
        for text in (self.before, self.after):
            text.point_at(number)
        return number >= 0


def _row(row: SideRow, side: int) -> Row:
    if row.kind == "skipped":
        return Row(f"⋯ {row.count:,} equal lines", " ", "skipped")
    texts = row.before, row.after
    own, twin = texts[side], texts[1 - side]
    if own is None:
        return Row("", " ")
    differs = row.kind == "changed" and twin is not None
    return Row(
        reveal(own[:SEGMENT]),
        _SIGNS[row.kind][side],
        _KINDS[row.kind][side],
        twin=reveal(twin[:SEGMENT]) if differs and twin is not None else None,
    )


def _rest(rows: Sequence[SideRow]) -> tuple[Row, ...]:
    return (Row("⋯ more lines; the list has every difference", " ", "skipped"),) if len(rows) > MOST_ROWS else ()


def _shared(text: str, twin: str) -> int:
    """How many letters both begin with."""
    return next((place for place, (one, other) in enumerate(zip(text, twin, strict=False)) if one != other), 0)
