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
from callgate.ui.conversation.spacing import CARD_PADDING, COLUMN_WIDTH, END, estimate, gap, guesses
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.theme.theme import XL, L, M, Theme

MOST: Final = 12
"""Kept of each kind."""


class SpareWidgets:
    """Widgets that have gone off screen and wait for another block: making one takes longer than filling it."""

    def __init__(self) -> None:
        self._spare: dict[type[BlockWidget], list[BlockWidget]] = {}

    def take(self, kind: type[BlockWidget] | None) -> BlockWidget | None:
        spare = self._spare.get(kind) if kind is not None else None
        return spare.pop() if spare else None

    def give(self, widget: BlockWidget, *, hide: bool) -> None:
        """`hide`: False = it may be used again in a moment, and `hide_all` comes then."""
        widget.rest()
        spare = self._spare.setdefault(type(widget), [])
        if not widget.reusable or len(spare) >= MOST:
            widget.hide()
            widget.deleteLater()
            return
        if hide:
            widget.hide()
        spare.append(widget)

    def hide_all(self) -> None:
        for widget in (widget for spare in self._spare.values() for widget in spare):
            if not widget.isHidden():
                widget.hide()

    def clear(self) -> None:
        for spare in self._spare.values():
            while spare:
                spare.pop().deleteLater()


class LatestPill(QPushButton):
    """The way back to the end, for whoever has scrolled away; says so when something new is there."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("↓ Latest", parent)
        self.setObjectName("newBelowButton")
        self.setAccessibleName("Go to the end")
        self.setToolTip("Go to the end and follow it (End)")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.has_news = False
        self.hide()

    def follow(self, following: bool, area: QRect) -> None:
        """Hides while the end is followed, else stands in the middle of the lower edge."""
        if following:
            self.set_news(False)
            self.hide()
            return
        self.adjustSize()
        self.move(area.center().x() - self.width() // 2, area.bottom() - self.height() - M)
        self.show()
        self.raise_()

    def set_news(self, news: bool) -> None:
        if news == self.has_news:
            return
        self.has_news = news
        self.setText("↓ New" if news else "↓ Latest")
        self.setAccessibleName("Go to what is new, at the end" if news else "Go to the end")
        self.setProperty("kind", "primary" if news else None)
        self.style().polish(self)


MakeWidget = Callable[[Block, QWidget], BlockWidget]

_STEP: Final = 40
"""Pixels that an arrow key or a notch of the wheel moves."""
_TICK_MS: Final = 1000


class ColumnView(QAbstractScrollArea):
    arranged = Signal()
    """What is on screen has changed."""
    branch_chosen = Signal()

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
        self._spare = SpareWidgets()
        self._shown: list[str] = []
        self._held = ""
        """A block whose widget is needed, on screen or not: a selection is being drawn from it."""
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
        self.new_button = LatestPill(self)
        self.new_button.clicked.connect(self.go_to_end)
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

    @property
    def held(self) -> tuple[str, ...]:
        return (self._held,) if self._held else ()

    def hold(self, block_id: str | None) -> None:
        """Keeps a block's widget alive while it is off screen; None = none."""
        self._held = block_id or ""

    def set_transcript(self, transcript: Transcript) -> None:
        """Shows another conversation, from its end."""
        self._drop(keep=set())
        self._transcript = transcript
        self._measured.clear()
        self._unfolded.clear()
        self._held = ""
        self._heights.reset(guesses(transcript.blocks, self.column_width))
        self._following = True
        self._arrange()

    def replace_transcript(self, transcript: Transcript, heights: list[int]) -> None:
        """Shows the same conversation with more of it known; nothing on screen moves."""
        before, self._transcript = self._transcript, transcript
        for block_id in list(self._widgets):
            block = transcript.block(block_id)
            if block is None:
                self._part_with(block_id)
            elif block != before.block(block_id):
                self._show_again(block_id)
        self._measured.clear()
        self._heights.reset(heights)
        self._arrange()

    def apply(self, changes: list[Change]) -> None:
        """Takes what a fold reported; lays out once, however much it was."""
        width = self.column_width
        if any(change.reset for change in changes):
            self.replace_transcript(self._transcript, guesses(self._transcript.blocks, width))
            for block_id in list(self._widgets):
                self._show_again(block_id)
            self._measured.clear()
            self._arrange()
            return
        for inserted in (inserted for change in changes for inserted in change.inserted):
            span = range(inserted.first, inserted.first + inserted.count)
            self._heights.insert(inserted.first, [self._guess(index, width) for index in span])
        for block_id in dict.fromkeys(block_id for change in changes for block_id in change.changed):
            self._show_again(block_id)
        if any(changes):
            if not self._following and any(change.inserted for change in changes):
                self.new_button.set_news(True)
            self._arrange()

    def _show_again(self, block_id: str) -> None:
        widget, block = self._widgets.get(block_id), self._transcript.block(block_id)
        if widget is not None and block is not None:
            widget.show_block(block, block_id in self._unfolded)

    def unfold(self, block_id: str) -> None:
        """Opens what is folded, where there is anything to open."""
        if block_id not in self._unfolded and self._transcript.block(block_id) is not None:
            self._unfolded.add(block_id)
            self._show_again(block_id)
            self._measured.pop(block_id, None)

    def bring_on_screen(self, block_id: str, top: int, bottom: int) -> None:
        """Scrolls so that a stretch of a block (from its top) can be seen."""
        widget = self._widgets.get(block_id)
        if widget is None or block_id not in self._shown:
            return
        first, last, height = widget.y() + top, widget.y() + bottom, self.viewport().height()
        if first < XL:
            self._move_by(first - height // 3)
        elif last > height - XL:
            self._move_by(min(first - XL, last - height * 2 // 3))

    def _move_by(self, pixels: int) -> None:
        block_id, top = self._anchor
        self._following = False
        self._anchor = (block_id, top - pixels)
        self._arrange()

    def relayout(self) -> None:
        self._arrange()

    def go_to_end(self) -> None:
        self._following = True
        self._arrange()

    def reveal_block(self, block_id: str) -> None:
        """Brings a block on screen, its top a little under the edge."""
        if self._transcript.block(block_id) is not None:
            self._following = False
            self._anchor = (block_id, XL)
            self._arrange()

    def choose_branch(self, exchange_id: str, all_of_them: bool = False) -> None:
        """Shows one try of a turn, or all of them; the try's own line stays where it is."""
        clicked = [one for one in self._shown if one.startswith(f"{exchange_id}:")]
        change = self._transcript.choose(exchange_id, all_of_them=all_of_them)
        if not change:
            return
        if clicked:
            index = self._transcript.index(clicked[0])
            self._anchor = (clicked[0], self._widgets[clicked[0]].y() - self._gap(index))
        self._following = False
        self.apply([change])
        self.branch_chosen.emit()

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
            widget = self._spare.take(self._kinds.get(type(block))) or self._fresh(block)
            widget.block_id = block.id
            self._widgets[block.id] = widget
            widget.show_block(block, block.id in self._unfolded)
        return widget

    def _fresh(self, block: Block) -> BlockWidget:
        widget = self._make_widget(block, self.viewport())
        widget.resized.connect(lambda: self._resized(widget.block_id))
        widget.toggled.connect(self._toggled)
        widget.branch_wanted.connect(self.choose_branch)
        self._kinds[type(block)] = type(widget)
        return widget

    def warm_up(self, sample: Block) -> None:
        """Makes a widget for a block that nobody sees, for the first one that somebody does."""
        widget = self._fresh(sample)
        widget.show_block(sample, False)
        widget.height_at(self.column_width)
        self._spare.give(widget, hide=True)

    def _arrange(self) -> None:
        """Places everything on screen, then tells the scroll bar where that is."""
        self._turn += 1
        if not self._transcript.blocks:
            self._drop(keep=set())
            self._shown = []
            self._tell_bar(0, 0)
            self.new_button.follow(True, self.viewport().geometry())
            self.viewport().update()
            return
        first, top = self._from_end() if self._following else self._from_anchor()
        self._place(first, top)
        self._tell_bar(self._heights.top(first) - top, self._heights.total + END)
        self.new_button.follow(self._following, self.viewport().geometry())
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
        index = min(self._transcript.index(block_id), len(blocks) - 1)
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
        self._spare.hide_all()

    def _drop(self, keep: set[str]) -> None:
        """Parts with the widgets that are off screen, except where a person is at work."""
        for block_id in [known for known in self._widgets if known not in keep]:
            widget = self._widgets[block_id]
            if (widget.busy or block_id == self._held) and self._transcript.block(block_id) is not None:
                widget.hide()
            else:
                self._part_with(block_id)

    def _part_with(self, block_id: str, *, hide: bool = True) -> None:
        widget = self._widgets.pop(block_id)
        focused = QApplication.focusWidget()
        if focused is not None and widget.isAncestorOf(focused):
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # else Qt hands the keyboard to some button nearby
        self._spare.give(widget, hide=hide)

    def _tell_bar(self, value: int, total: int) -> None:
        bar, height, turn = self.verticalScrollBar(), self.viewport().height(), self._turn
        adjusting, self._adjusting = self._adjusting, True
        bar.setPageStep(max(1, height - _STEP))
        bar.setRange(0, max(0, total - height))
        if turn == self._turn:  # else the bar came or went: the viewport has another width and is laid out anew
            bar.setValue(bar.maximum() if self._following else value)
            self._value = bar.value()
        self._adjusting = adjusting

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
            self._recycle()
        self._arrange()

    def _recycle(self) -> None:
        """Everything on screen is to go: what takes its place may have its widgets, which need not hide for that."""
        for block_id in [known for known in self._widgets if not self._widgets[known].busy and known != self._held]:
            self._part_with(block_id, hide=False)

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
        self._spare.clear()
        self._measured.clear()
        self._arrange()
