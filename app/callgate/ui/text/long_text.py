"""Text of any length and kind, read only: shown in slices, so that a megabyte never stalls the window.

Hidden characters are revealed, and lines are wrapped with a mark, as `ArgumentText` does. Bytes that are no text are
shown as hexadecimal lines. Past a bound it stops and offers to go on: nobody reads a gigabyte.
"""

import time
from collections.abc import Iterator
from itertools import islice
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from callgate.ui.text import format as figures
from callgate.ui.text.argument_text import ArgumentText
from callgate.ui.text.json_layout import plain_lines
from callgate.ui.theme.theme import Theme

_SLICE_S: Final = 0.004
"""A quarter of a frame: two of them may stand side by side, and what was added must be drawn too."""
_LINES_AT_ONCE: Final = 2
"""Between two looks at the clock; a line has at most 2,000 letters."""
_RIGHT_AWAY: Final = 20_000
"""Bytes that are shown without waiting for the next turn of the loop."""
PORTION: Final = 1_000_000
"""Bytes shown before one is asked whether there should be more."""
_HEX_WIDTH: Final = 16
_MOST_BROKEN: Final = 0.05
"""A larger share of bytes that are no UTF-8 means: not text."""
_SNIFFED: Final = 4096


class LongText(QWidget):
    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._data = b""
        self._shown = 0
        self._lines: Iterator[str] = iter(())
        self.text = ArgumentText(theme)
        self.text.setAccessibleName(title)
        self.more = QPushButton()
        self.more.setProperty("kind", "quiet")
        self.more.hide()
        self.more.clicked.connect(self._next_portion)
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.text, 1)
        column.addWidget(self.more)
        self.setFocusProxy(self.text)

    @property
    def is_loaded(self) -> bool:
        """Whether all that is to be shown for now is."""
        return not self._timer.isActive()

    @property
    def _whole(self) -> bool:
        return self.is_loaded and self._shown == len(self._data)

    def show_text(self, text: str) -> None:
        self.show_bytes(text.encode("utf-8", "surrogatepass"))

    def show_bytes(self, data: bytes) -> None:
        """The same bytes again change nothing, and those that only grew are continued: the place of reading stays."""
        before = self._data
        if self._shown and data[: len(before)] == before and (len(data) == len(before) or self._whole):
            self._data = data
            if len(data) > len(before):
                self._next_portion()
            return
        self._data, self._shown = data, 0
        self.text.start(structured=False)
        self._next_portion()

    def _next_portion(self) -> None:
        start, end = self._shown, _letter_end(self._data, self._shown + PORTION)
        portion = self._data[start:end]
        self._lines = hex_lines(portion, start) if is_binary(self._data) else plain_lines(as_letters(portion))
        self._shown = start + len(portion)
        self.more.hide()
        if len(portion) <= _RIGHT_AWAY:
            self._go_on()
        else:
            self._timer.start()

    def _go_on(self) -> None:
        until = time.monotonic() + _SLICE_S
        while time.monotonic() < until:
            lines = list(islice(self._lines, _LINES_AT_ONCE))
            if not lines:
                self._finish()
                return
            self.text.add(lines)
        self._timer.start()

    def _finish(self) -> None:
        self._timer.stop()
        left = len(self._data) - self._shown
        self.more.setVisible(left > 0)
        self.more.setText(f"Show more ({figures.size(left)} left)")


def _letter_end(data: bytes, end: int) -> int:
    """The nearest place before `end` that cuts no letter in two."""
    for place in range(min(end, len(data)), max(0, end - 4), -1):
        if place == len(data) or data[place] & 0xC0 != 0x80:
            return place
    return end


def is_binary(data: bytes) -> bool:
    """Whether it is no text: a zero byte, or too much that is no UTF-8."""
    head = data[:_SNIFFED]
    if b"\0" in head:
        return True
    broken = head.decode("utf-8", "replace").count("\ufffd")
    return broken > 3 and broken > len(head) * _MOST_BROKEN


def as_letters(data: bytes) -> str:
    """Text, with bytes that are no UTF-8 as `\\xff`."""
    return data.decode("utf-8", "backslashreplace")


def hex_lines(data: bytes, offset: int = 0) -> Iterator[str]:
    for start in range(0, len(data), _HEX_WIDTH):
        row = data[start : start + _HEX_WIDTH]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "·" for byte in row)
        yield f"{offset + start:08x}  {row.hex(' '):<{_HEX_WIDTH * 3}} {letters}"
