"""Lines of coloured text of any length, read only: a page at once, the rest when it is wanted, in slices."""

import time
from collections.abc import Iterator
from itertools import islice
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from callgate.core.text.terminal import NAMES, Ink, Run, Style
from callgate.ui.text.embedded_text import (
    dragged,
    lose_selection,
    pressed,
    released,
    settle_in,
    wants_key,
    wants_wheel,
    wrapped_height,
)
from callgate.ui.theme.theme import SMALL_SIZE, Theme, mix

PAGE: Final = 60
"""Lines that are there at once: more than a card shows before it is unfolded."""
PAGE_LETTERS: Final = 12_000
_SLICE_S: Final = 0.004
_AT_ONCE: Final = 200
"""Lines between two looks at the clock: each time Qt counts its lines anew."""
_SLACK: Final = 2
"""Without it Qt believes that the last line does not fit, and scrolls by one."""
NO_BOUND: Final = 1_000_000
_TOKENS: Final[dict[str, str]] = dict(
    zip(NAMES, ("text3", "denied", "completed", "waiting", "accent", "executing", "released", "text"), strict=True)
)
"""The theme's own colours for those that a terminal names: readable on any ground."""
_LEAST_CONTRAST: Final = 3.0
_GROUND: Final = 0.22
"""How much of a colour a ground has: the words on it must stay readable."""


class StyledText(QPlainTextEdit):
    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: Iterator[list[Run]] = iter(())
        self._pending: list[Run] | None = None
        """The next line, where there is one."""
        self._empty = True
        self._bound = NO_BOUND
        self._formats: dict[Style, QTextCharFormat] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)
        settle_in(self)
        self.setAccessibleName(title)
        self.setFont(theme.mono(SMALL_SIZE))
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    @property
    def is_whole(self) -> bool:
        """Whether all lines are there."""
        return self._pending is None

    def show_lines(self, lines: Iterator[list[Run]]) -> None:
        self._timer.stop()
        self.clear()
        self._empty = True
        self._lines = lines
        self._pending = next(self._lines, None)
        self._add(_page(self._taken()))
        self.updateGeometry()

    def load_all(self) -> None:
        """The rest comes in slices."""
        if not self.is_whole:
            self._timer.start()

    def set_bound(self, bound: int) -> None:
        self._bound = bound
        self.updateGeometry()

    def _taken(self) -> Iterator[list[Run]]:
        while self._pending is not None:
            line, self._pending = self._pending, next(self._lines, None)
            yield line

    def _go_on(self) -> None:
        until = time.monotonic() + _SLICE_S
        while not self.is_whole and time.monotonic() < until:
            self._add(islice(self._taken(), _AT_ONCE))
        if self.is_whole:
            self._timer.stop()

    def _add(self, lines: Iterator[list[Run]]) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        plain: list[str] = []
        for line in lines:
            start = "" if self._empty else "\n"
            self._empty = False
            if all(run.style == Style() for run in line):
                plain.append(start + "".join(run.text for run in line))
                continue
            _insert_plain(cursor, plain)
            plain = []
            grounds = {run.style.ground for run in line}
            form = self._line_format(line[0].style) if len(grounds) == 1 else QTextBlockFormat()
            if start:
                cursor.insertBlock(form, QTextCharFormat())
            else:
                cursor.setBlockFormat(form)
            for run in line:
                cursor.insertText(run.text, self._format(run.style))
        _insert_plain(cursor, plain)
        cursor.endEditBlock()

    def _line_format(self, style: Style) -> QTextBlockFormat:
        """A line that is all of one ground has it to the edge."""
        form = QTextBlockFormat()
        if style.ground is not None:
            form.setBackground(mix(self._color(style.ground), self._theme.color("surface"), _GROUND))
        return form

    def _scrolled(self, value: int) -> None:
        if not self.is_whole and value > self.verticalScrollBar().maximum() - 2 * self.height():
            self.load_all()

    def forget_colors(self) -> None:
        """There are others now: what is shown next has them."""
        self._formats.clear()

    # ---- colours -----------------------------------------------------------------------------------------------------

    def _format(self, style: Style) -> QTextCharFormat:
        if style not in self._formats:
            form = QTextCharFormat()
            ground = self._theme.color("surface")
            if style.ground is not None:
                ground = mix(self._color(style.ground), ground, _GROUND)
                form.setBackground(ground)
            ink = self._readable(self._color(style.ink), ground)
            form.setForeground(mix(ink, ground, 0.7) if style.faint else ink)
            if style.bold:
                form.setFontWeight(QFont.Weight.Bold)
            form.setFontUnderline(style.underline)
            self._formats[style] = form
        return self._formats[style]

    def _color(self, ink: Ink) -> QColor:
        if ink is None:
            return self._theme.color("text")
        if isinstance(ink, tuple):
            return QColor(*ink)
        name = ink.removeprefix("bright ")
        return self._theme.color(_TOKENS.get(name, name))

    def _readable(self, ink: QColor, ground: QColor) -> QColor:
        """A program may choose black on black: nothing is ever hidden that way."""
        return ink if contrast(ink, ground) >= _LEAST_CONTRAST else self._theme.color("text")

    # ---- as tall as the text, up to the bound ------------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return min(self._bound, self.whole_height(width, self._bound))

    def height_of(self, lines: int) -> int:
        return lines * self.fontMetrics().lineSpacing()

    def overflows(self, width: int, bound: int) -> bool:
        return not self.is_whole or self.whole_height(width, bound) > bound

    def whole_height(self, width: int, enough: int) -> int:
        known = wrapped_height(self, width, enough) + _SLACK
        return known if self.is_whole else max(known, min(enough, NO_BOUND - 1) + 1)

    def sizeHint(self) -> QSize:
        return QSize(240, min(400, self.heightForWidth(max(240, self.width()))))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        over = self.whole_height(event.size().width(), self.height()) > self.height()
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if over else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )

    # ---- leave to the page what is the page's ------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        pressed(self, event)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        dragged(self, event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        released(self, event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if wants_wheel(self, event):
            super().wheelEvent(event)
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if wants_key(self, event):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        lose_selection(self, event)


def _insert_plain(cursor: QTextCursor, lines: list[str]) -> None:
    """All at once, in a format of their own: a new line would go on with the ground of the one above it."""
    if not lines:
        return
    first, *rest = lines
    if first.startswith("\n"):
        cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
    cursor.insertText("".join((first.removeprefix("\n"), *rest)), QTextCharFormat())


def _page(lines: Iterator[list[Run]]) -> Iterator[list[Run]]:
    letters = 0
    for number, line in enumerate(lines, 1):
        yield line
        letters += sum(len(run.text) for run in line)
        if number >= PAGE or letters > PAGE_LETTERS:
            return


def contrast(one: QColor, other: QColor) -> float:
    """As WCAG counts it: 1 = the same, 21 = black on white."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(color: QColor) -> float:
    channels = (color.redF(), color.greenF(), color.blueF())
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
