"""The column of blocks: only what is on screen has widgets, so ten thousand blocks open as fast as ten.

Heights are guessed until a block is seen and then remembered. The place on screen is kept by an anchor (a block and
where its top is), never by a number of pixels, so nothing jumps when something above turns out taller or smaller.
"""

import time
from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QPlainTextEdit, QPushButton, QTextEdit, QWidget

from callgate.engine.console import Console
from callgate.ui.conversation.block_widget import BlockWidget
from callgate.ui.conversation.blocks import Block, CallBlock, SpeakerBlock, UsageBlock, plain_text
from callgate.ui.conversation.column import Change
from callgate.ui.conversation.factory import make_widget
from callgate.ui.conversation.heights import Heights
from callgate.ui.conversation.spacing import CARD_PADDING, END, estimate, gap, in_card
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.theme import RADIUS, XL, L, M, S, Theme

COLUMN_WIDTH: Final = 820
"""Longer lines are hard to read, however wide the window."""
_STEP: Final = 48
_TICK_MS: Final = 1000
_SWEEP_MS: Final = 4000
"""Widgets that nobody sees go after a while; scrolling back and forth must not build them anew each time."""


class ConversationView(QAbstractScrollArea):
    at_end_changed = Signal(bool)
    seen_changed = Signal()
    """What is on screen has changed."""

    def __init__(self, console: Console, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("conversationView")
        self.setAccessibleName("Conversation")
        self._console = console
        self._theme = theme
        self._transcript = Transcript()
        self._heights = Heights()
        self._measured: dict[str, tuple[int, int]] = {}
        """Block id → the revision and width at which its height is known."""
        self._widgets: dict[str, BlockWidget] = {}
        self._shown: list[str] = []
        self._unfolded: set[str] = set()
        self._anchor = ("", 0)
        """The first block on screen and where its gap starts, seen from the top of the viewport."""
        self._following = True
        self._value = 0
        self._adjusting = False
        self._current = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.verticalScrollBar().setSingleStep(_STEP)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.new_button = QPushButton("↓ New", self)
        self.new_button.setObjectName("newBelowButton")
        self.new_button.setAccessibleName("Go to what is new, at the end")
        self.new_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.new_button.clicked.connect(self.go_to_end)
        self.new_button.hide()
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._tick)
        theme.changed.connect(self._redress)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    @property
    def transcript(self) -> Transcript:
        return self._transcript

    @property
    def following(self) -> bool:
        """At the end, and staying there whatever comes."""
        return self._following

    @property
    def shown(self) -> tuple[str, ...]:
        """The blocks on screen, from the top."""
        return tuple(self._shown)

    def widget_of(self, block_id: str) -> BlockWidget | None:
        return self._widgets.get(block_id)

    def set_transcript(self, transcript: Transcript) -> None:
        """Shows another conversation, from its end."""
        self._drop(keep=set())
        self._transcript = transcript
        self._measured.clear()
        self._unfolded.clear()
        self._current = ""
        width = self._column_width()
        blocks = transcript.blocks
        self._heights.reset(self._guess(index, width) for index in range(len(blocks)))
        self._set_following(True)
        self._arrange()

    def apply(self, changes: list[Change]) -> None:
        """Takes what a fold reported; lays out once, however much it was."""
        fresh = False
        width = self._column_width()
        for change in changes:
            for inserted in change.inserted:
                fresh = True
                span = range(inserted.first, inserted.first + inserted.count)
                self._heights.insert(inserted.first, [0] * inserted.count)
                for index in span:
                    self._heights.set(index, self._guess(index, width))
                after = inserted.first + inserted.count
                if after < len(self._transcript.blocks):
                    self._measured.pop(self._transcript.blocks[after].id, None)  # its gap may be another now
            for block_id in change.changed:
                widget = self._widgets.get(block_id)
                block = self._transcript.block(block_id)
                if widget is not None and block is not None:
                    widget.show_block(block, block_id in self._unfolded)
        if any(changes):
            if not self._following and fresh:
                self.new_button.show()
            self._arrange()

    def go_to_end(self) -> None:
        self._set_following(True)
        self._arrange()

    def reveal_block(self, block_id: str) -> None:
        """Brings a block on screen, its top a little under the edge."""
        if self._transcript.block(block_id) is None:
            return
        self._set_following(False)
        self._current = block_id
        self._anchor = (block_id, XL)
        self._arrange()

    # ---- laying out --------------------------------------------------------------------------------------------------

    def _column_width(self) -> int:
        return max(120, min(COLUMN_WIDTH, self.viewport().width() - 2 * self._side()))

    def _side(self) -> int:
        return L + CARD_PADDING if self.viewport().width() < COLUMN_WIDTH else XL + CARD_PADDING

    def _left(self) -> int:
        return max(self._side(), (self.viewport().width() - self._column_width()) // 2)

    def _guess(self, index: int, width: int) -> int:
        return self._gap(index) + estimate(self._transcript.blocks[index], width)

    def _gap(self, index: int) -> int:
        blocks = self._transcript.blocks
        return gap(blocks[index - 1] if index else None, blocks[index])

    def _measure(self, index: int) -> int:
        """The true height of a block with its gap; makes its widget if it has none."""
        block, width = self._transcript.blocks[index], self._column_width()
        if self._measured.get(block.id) != (block.revision, width):
            height = self._gap(index) + self._widget(block).height_at(width)
            self._heights.set(index, height)
            self._measured[block.id] = (block.revision, width)
        return self._heights[index]

    def _widget(self, block: Block) -> BlockWidget:
        widget = self._widgets.get(block.id)
        if widget is None:
            widget = make_widget(block, self._console, self._theme, self.viewport())
            widget.show_block(block, block.id in self._unfolded)
            widget.resized.connect(lambda block_id=block.id: self._resized(block_id))
            widget.toggled.connect(self._toggled)
            self._widgets[block.id] = widget
        return widget

    def _arrange(self) -> None:
        """Places everything on screen, then tells the scroll bar where that is."""
        if not self._transcript.blocks:
            self._drop(keep=set())
            self._shown = []
            self._tell_bar(0, 0)
            self.viewport().update()
            return
        first, top = self._from_end() if self._following else self._from_anchor()
        self._place(first, top)
        self._tell_bar(self._heights.top(first) - top, self._heights.total + END)
        self.new_button.setVisible(self.new_button.isVisible() and not self._following)
        self._place_button()
        self.viewport().update()
        self.seen_changed.emit()

    def _from_end(self) -> tuple[int, int]:
        """The first block and its top when the last block ends at the bottom."""
        top, index = self.viewport().height() - END, len(self._transcript.blocks)
        while index > 0 and top > 0:
            index -= 1
            top -= self._measure(index)
        return index, min(top, 0) if index == 0 else top

    def _from_anchor(self) -> tuple[int, int]:
        block_id, top = self._anchor
        blocks, height = self._transcript.blocks, self.viewport().height()
        index = self._transcript.index(block_id) if self._transcript.block(block_id) else 0
        while top > 0 and index > 0:
            index -= 1
            top -= self._measure(index)
        if index == 0:
            top = min(top, 0)
        while index < len(blocks) - 1 and top + self._measure(index) <= 0:
            top += self._measure(index)
            index += 1
        bottom, last = top, index
        while last < len(blocks) and bottom < height:
            bottom += self._measure(last)
            last += 1
        if last == len(blocks) and bottom + END <= height:
            self._set_following(True)
            return self._from_end()
        return index, top

    def _place(self, first: int, top: int) -> None:
        blocks, height, width, left = (
            self._transcript.blocks,
            self.viewport().height(),
            self._column_width(),
            self._left(),
        )
        self._anchor = (blocks[first].id, top)
        shown: list[str] = []
        index, y = first, top
        while index < len(blocks) and (y < height or index == first):
            whole, space = self._measure(index), self._gap(index)
            widget = self._widget(blocks[index])
            widget.setGeometry(QRect(left, y + space, width, whole - space))
            if widget.isHidden():
                widget.show()
            shown.append(blocks[index].id)
            y += whole
            index += 1
        self._shown = shown
        self._drop(keep=set(shown))
        live = any(isinstance(block, CallBlock) and _ticks(block) for block in map(self._transcript.block, shown))
        if live != self._clock.isActive():
            self._clock.start() if live else self._clock.stop()

    def _drop(self, keep: set[str]) -> None:
        """Parts with the widgets that are off screen, except where a person is at work."""
        for block_id in [known for known in self._widgets if known not in keep]:
            widget = self._widgets[block_id]
            if widget.busy and self._transcript.block(block_id) is not None:
                widget.hide()
                continue
            del self._widgets[block_id]
            widget.hide()
            widget.deleteLater()

    def _tell_bar(self, value: int, total: int) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        self._adjusting = True
        bar.setPageStep(height)
        bar.setRange(0, max(0, total - height))
        bar.setValue(bar.maximum() if self._following else value)
        self._value = bar.value()
        self._adjusting = False
