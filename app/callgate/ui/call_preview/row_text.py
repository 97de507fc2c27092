"""Rows on the screen: wrapped, selectable, with marks at the edge and grounds that tell what each row is.

Takes its rows from an iterator in slices, so that a diff of a megabyte never stalls the window, and stops at nothing:
what does not fit is reached by scrolling.
"""

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QResizeEvent, QTextBlock, QTextLayout
from PySide6.QtWidgets import QSizePolicy, QWidget

from callgate.core.text.diff import changed_words
from callgate.ui.call_preview.rows import Row, RowKind, Span
from callgate.ui.text.argument_text import ArgumentText, ink
from callgate.ui.theme.theme import XS, S, Theme, mix

_SLICE_S: Final = 0.006
"""A third of a frame: what one turn of the loop may spend on a large diff."""
_BATCH: Final = 60
"""Rows between two looks at the clock."""
_FEWEST: Final = 1
_SLACK: Final = 4
"""Qt rounds the heights of lines on its own."""
_HOOK_ROOM: Final = 14
_PLAIN_ROOM: Final = 18
_SHARE: Final = 0.13
_STRONG_SHARE: Final = 0.34
_TINTS: Final[dict[RowKind, str]] = {"added": "completed", "removed": "denied"}
_INKS: Final[dict[RowKind, str]] = {"skipped": "text3", "grave": "denied", "mind": "waiting"}
_MARK_PLACE: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


class RowText(ArgumentText):
    loaded = Signal()
    """All rows are there."""

    def __init__(self, theme: Theme, most_rows: int, parent: QWidget | None = None) -> None:
        self._rows: list[Row] = []
        self._left: Iterator[Row] = iter(())
        self._width = 0
        self._is_loaded = True
        super().__init__(theme, parent, fewest_rows=_FEWEST, most_rows=most_rows)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    @property
    def is_loaded(self) -> bool:
        return self._is_loaded

    @property
    def rows(self) -> tuple[Row, ...]:
        """Those that are there so far."""
        return tuple(self._rows)

    def show_rows(self, rows: Iterable[Row]) -> None:
        self._rows = []
        self._left = iter(rows)
        self._is_loaded = False
        self.start(structured=False)
        self._go_on()
        if not self._is_loaded:
            self._timer.start()

    def fit(self, width: int) -> None:
        """Wants the height that it needs at a width that it may not have yet."""
        if width != self._width:
            self._width = width
            self.updateGeometry()

    def columns(self) -> int:
        if not self._width:
            return super().columns()
        room = self._width - self._edge_room() - 2 * S
        return max(10, room // max(1, self.fontMetrics().horizontalAdvance("0")))

    def sizeHint(self) -> QSize:
        """With what the style puts around the text: a row too little would mean a bar to scroll it."""
        around = self.height() - self.viewport().height() if self.isVisible() else 0
        return super().sizeHint() + QSize(0, max(0, around - 2 * S) + _SLACK)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit(event.size().width() + self._edge_room())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        width = self.viewport().width()
        for block, box in self.visible_blocks():
            tint = self._tint(block)
            if tint is not None:
                painter.fillRect(QRectF(0, box.top(), width, box.height()), tint)
        painter.end()
        super().paintEvent(event)

    def paint_mark(self, painter: QPainter, block: QTextBlock, box: QRectF) -> None:
        row = self._row(block)
        tint = self._tint(block)
        if tint is not None:
            painter.fillRect(box, tint)
        if row is None or not row.mark:
            return
        color = _INKS.get(row.kind) or _TINTS.get(row.kind) or "text3"
        painter.setPen(self._theme.color(color))
        line = block.layout().lineAt(0)
        painter.drawText(box.adjusted(XS, line.y(), 0, 0), _MARK_PLACE, row.mark)

    def inks(self, block: QTextBlock) -> list[QTextLayout.FormatRange]:
        row = self._row(block)
        if row is None:
            return []
        color = self._theme.color(_INKS.get(row.kind, "text"))
        found = [ink(row.text, 0, len(row.text), color)]
        found += (ink(row.text, *span, self._theme.color("text3")) for span in row.dim)
        found += (self._strong(row, span, color) for span in row.strong)
        found += (self._strong(row, span, color) for span in self._differing(row))
        return found

    def _differing(self, row: Row) -> tuple[Span, ...]:
        return () if row.twin is None else changed_words(row.text, row.twin)

    def _strong(self, row: Row, span: Span, color: QColor) -> QTextLayout.FormatRange:
        tint = _TINTS.get(row.kind)
        if tint is not None:
            ground = mix(self._theme.color(tint), self._theme.color("surface"), _STRONG_SHARE)
            return ink(row.text, *span, color, ground)
        found = ink(row.text, *span, color)
        found.format.setFontWeight(QFont.Weight.Bold)
        return found

    def _tint(self, block: QTextBlock) -> QColor | None:
        row = self._row(block)
        tint = None if row is None else _TINTS.get(row.kind)
        return None if tint is None else mix(self._theme.color(tint), self._theme.color("surface"), _SHARE)

    def _row(self, block: QTextBlock) -> Row | None:
        number = block.blockNumber()
        return self._rows[number] if number < len(self._rows) else None

    def _edge_room(self) -> int:
        letters = max((len(row.mark) for row in self._rows[:_BATCH]), default=0)
        if not letters:
            return _PLAIN_ROOM
        return XS + self.fontMetrics().horizontalAdvance("0") * letters + max(_HOOK_ROOM, XS)

    def _go_on(self) -> None:
        until = time.monotonic() + _SLICE_S
        while not self._is_loaded and time.monotonic() < until:
            batch = list(islice(self._left, _BATCH))
            self._rows += batch
            self.add([row.text for row in batch])
            if len(batch) < _BATCH:
                self._finish()
        self.set_edge_width(self._edge_room())
        self.updateGeometry()

    def _finish(self) -> None:
        self._is_loaded = True
        self._timer.stop()
        self.loaded.emit()
