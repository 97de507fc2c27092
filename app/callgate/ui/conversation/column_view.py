"""The column of blocks: only what is on screen has widgets, so ten thousand blocks open as fast as ten.

Heights are guessed until a block is seen and then remembered. The place on screen is kept by an anchor (a block and
where its top is), never by a number of pixels, so nothing jumps when something above turns out taller or smaller.
"""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QPushButton, QWidget

from callgate.ui.conversation.block_widget import BlockWidget
from callgate.ui.conversation.blocks import Block
from callgate.ui.conversation.column import Change
from callgate.ui.conversation.heights import Heights
from callgate.ui.conversation.spacing import CARD_PADDING, COLUMN_WIDTH, END, estimate, gap
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.theme import XL, L, M, Theme

MakeWidget = Callable[[Block, QWidget], BlockWidget]

_STEP: Final = 40
"""Pixels that an arrow key or a notch of the wheel moves."""
_TICK_MS: Final = 1000
_SPARE: Final = 6
"""Widgets of a kind that are kept for later."""


class ColumnView(QAbstractScrollArea):
    arranged = Signal()
    """What is on screen has changed."""

    def __init__(self, make_widget: MakeWidget, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make_widget = make_widget
        self._theme = theme
        self._transcript = Transcript()
        self._heights = Heights()
        self._measured: dict[str, tuple[int, int, int]] = {}
        """Block id → the revision, width and gap at which its height is known."""
        self._widgets: dict[str, BlockWidget] = {}
        self._kinds: dict[type[Block], type[BlockWidget]] = {}
        self._spare: dict[type[BlockWidget], list[BlockWidget]] = {}
        """Widgets that have gone off screen and wait for another block: making one takes longer than filling it."""
        self._shown: list[str] = []
        self._unfolded: set[str] = set()
        self._anchor = ("", 0)
        """The first block on screen and where its gap starts, seen from the top of the viewport."""
        self._following = True
        self._value = 0
        self._adjusting = False
        self._turn = 0
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
        self._clock.start()
        theme.changed.connect(self._redress)

    # ---- what is shown ---------------------------------------------------------------------------------------------

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
        width = self.column_width
        self._heights.reset(self._guess(index, width) for index in range(len(transcript.blocks)))
        self._following = True
        self.new_button.hide()
        self._arrange()

    def apply(self, changes: list[Change]) -> None:
        """Takes what a fold reported; lays out once, however much it was."""
        width = self.column_width
        for inserted in (inserted for change in changes for inserted in change.inserted):
            span = range(inserted.first, inserted.first + inserted.count)
            self._heights.insert(inserted.first, [self._guess(index, width) for index in span])
        for block_id in dict.fromkeys(block_id for change in changes for block_id in change.changed):
            self._show_again(block_id)
        if any(changes):
            fresh = any(change.inserted for change in changes)
            self.new_button.setVisible(not self._following and (fresh or not self.new_button.isHidden()))
            self._arrange()

    def _show_again(self, block_id: str) -> None:
        widget, block = self._widgets.get(block_id), self._transcript.block(block_id)
        if widget is not None and block is not None:
            widget.show_block(block, block_id in self._unfolded)

    def go_to_end(self) -> None:
        self._following = True
        self._arrange()

    def reveal_block(self, block_id: str) -> None:
        """Brings a block on screen, its top a little under the edge."""
        if self._transcript.block(block_id) is not None:
            self._following = False
            self._anchor = (block_id, XL)
            self._arrange()

    # ---- laying out ------------------------------------------------------------------------------------------------

    @property
    def column_width(self) -> int:
        return max(120, min(COLUMN_WIDTH, self.viewport().width() - 2 * self._side()))

    def _side(self) -> int:
        return L + CARD_PADDING if self.viewport().width() < COLUMN_WIDTH else XL + CARD_PADDING

    @property
    def column_left(self) -> int:
        return max(self._side(), (self.viewport().width() - self.column_width) // 2)

    def _guess(self, index: int, width: int) -> int:
        return self._gap(index) + estimate(self._transcript.blocks[index], width)

    def _gap(self, index: int) -> int:
        blocks = self._transcript.blocks
        return gap(blocks[index - 1] if index else None, blocks[index])

    def _measure(self, index: int) -> int:
        """The true height of a block with its gap; makes its widget if it has none."""
        block, width = self._transcript.blocks[index], self.column_width
        now = (block.revision, width, self._gap(index))
        if self._measured.get(block.id) != now:
            self._heights.set(index, now[2] + self._widget(block).height_at(width))
            self._measured[block.id] = now
        return self._heights[index]

    def _widget(self, block: Block) -> BlockWidget:
        widget = self._widgets.get(block.id)
        if widget is None:
            kind = self._kinds.get(type(block))
            spare = self._spare.get(kind) if kind is not None else None
            widget = spare.pop() if spare else self._fresh(block)
            widget.block_id = block.id
            self._widgets[block.id] = widget
            widget.show_block(block, block.id in self._unfolded)
        return widget

    def _fresh(self, block: Block) -> BlockWidget:
        widget = self._make_widget(block, self.viewport())
        widget.resized.connect(lambda: self._resized(widget.block_id))
        widget.toggled.connect(self._toggled)
        self._kinds[type(block)] = type(widget)
        return widget

    def _arrange(self) -> None:
        """Places everything on screen, then tells the scroll bar where that is."""
        self._turn += 1
        if not self._transcript.blocks:
            self._drop(keep=set())
            self._shown = []
            self._tell_bar(0, 0)
            self.viewport().update()
            return
        first, top = self._from_end() if self._following else self._from_anchor()
        self._place(first, top)
        self._tell_bar(self._heights.top(first) - top, self._heights.total + END)
        self.new_button.setVisible(not self.new_button.isHidden() and not self._following)
        self._place_button()
        self.arranged.emit()

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
            self._following = True
            return self._from_end()
        return index, top

    def _place(self, first: int, top: int) -> None:
        blocks, height, width, left = (
            self._transcript.blocks,
            self.viewport().height(),
            self.column_width,
            self.column_left,
        )
        self._anchor = (blocks[first].id, top)
        shown: list[str] = []
        index, y = first, top
        while index < len(blocks) and (y < height or index == first):
            whole, space = self._measure(index), self._gap(index)
            widget = self._widget(blocks[index])
            box = QRect(left, y + space, width, whole - space)
            if widget.geometry() != box or widget.isHidden():
                widget.setGeometry(box)
                widget.show()
                self.viewport().update()  # a frame in which nothing moved paints only the text that grew
            shown.append(blocks[index].id)
            y += whole
            index += 1
        self._shown = shown
        self._drop(keep=set(shown))

    def _drop(self, keep: set[str]) -> None:
        """Parts with the widgets that are off screen, except where a person is at work."""
        for block_id in [known for known in self._widgets if known not in keep]:
            widget = self._widgets[block_id]
            if widget.busy and self._transcript.block(block_id) is not None:
                widget.hide()
            else:
                self._part_with(block_id)

    def _part_with(self, block_id: str) -> None:
        widget = self._widgets.pop(block_id)
        focused = QApplication.focusWidget()
        if focused is not None and widget.isAncestorOf(focused):
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # else Qt hands the keyboard to some button nearby
        widget.hide()
        spare = self._spare.setdefault(type(widget), [])
        if widget.reusable and len(spare) < _SPARE:
            spare.append(widget)
        else:
            widget.deleteLater()

    def _tell_bar(self, value: int, total: int) -> None:
        bar, height, turn = self.verticalScrollBar(), self.viewport().height(), self._turn
        adjusting, self._adjusting = self._adjusting, True
        bar.setPageStep(max(1, height - _STEP))
        bar.setRange(0, max(0, total - height))
        if turn == self._turn:  # else the bar came or went: the viewport has another width and is laid out anew
            bar.setValue(bar.maximum() if self._following else value)
            self._value = bar.value()
        self._adjusting = adjusting

    def _place_button(self) -> None:
        self.new_button.adjustSize()
        area, size = self.viewport().geometry(), self.new_button.size()
        self.new_button.move(area.center().x() - size.width() // 2, area.bottom() - size.height() - M)
        self.new_button.raise_()

    # ---- what moves it -----------------------------------------------------------------------------------------------

    def _scrolled(self, value: int) -> None:
        if self._adjusting or not self._transcript.blocks:
            return
        moved, self._value = value - self._value, value
        self._following = value >= self.verticalScrollBar().maximum() and moved > 0
        if abs(moved) <= 2 * self.viewport().height() and value > 0:
            block_id, top = self._anchor
            self._anchor = (block_id, top - moved)  # what is on screen moves by exactly this, guesses or not
        else:
            index = self._heights.find(value)
            self._anchor = (self._transcript.blocks[index].id, self._heights.top(index) - value)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _resized(self, block_id: str) -> None:
        self._measured.pop(block_id, None)
        self._arrange()

    def _toggled(self, block_id: str, unfolded: bool) -> None:
        (self._unfolded.add if unfolded else self._unfolded.discard)(block_id)
        if block_id in self._widgets:
            # what was clicked stays under the pointer, also at the end
            self._following = False
            self._show_again(block_id)
            self._resized(block_id)

    def _tick(self) -> None:
        now = time.time()
        for block_id in self._shown:
            self._widgets[block_id].tick(now)

    def _redress(self) -> None:
        """Other colours: widgets are made anew, except where a person is at work."""
        for block_id, widget in list(self._widgets.items()):
            if widget.busy:
                self._show_again(block_id)
            else:
                self._part_with(block_id)
        for spare in self._spare.values():
            while spare:
                spare.pop().deleteLater()
        self._measured.clear()
        self._arrange()
