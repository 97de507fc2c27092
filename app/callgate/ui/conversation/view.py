"""The conversation as a person reads it: the column of blocks with its keys, its menu and the cards of who asks."""

from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit, QTextEdit, QWidget

from callgate.core.catalog.prices import PriceTable
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.blocks import Block, BranchBlock, NoteBlock, SpeakerBlock, UsageBlock, plain_text
from callgate.ui.conversation.column_view import ColumnView
from callgate.ui.conversation.factory import make_widget
from callgate.ui.conversation.rows import UsageRow
from callgate.ui.conversation.selecting import Selecting
from callgate.ui.conversation.spacing import CARD_PADDING, in_card
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.theme.theme import RADIUS, XS, Theme, mix

_BAR_WIDTH = 2
_STEPS: Final[dict[int, int]] = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_K: -1, Qt.Key.Key_J: 1}
_NOT_SAID: Final = (SpeakerBlock, UsageBlock, NoteBlock, BranchBlock)
"""What stands between the words of a message and is none of them."""
_OUT = 10_000
"""Far enough out of sight for a card that goes on beyond the screen."""


class ConversationView(ColumnView):
    find_requested = Signal()

    def __init__(
        self, console: Console, theme: Theme, parent: QWidget | None = None, bridge: Bridge | None = None
    ) -> None:
        self._prices = PriceTable()
        super().__init__(
            lambda block, owner: make_widget(block, console, theme, owner, bridge, lambda: self._prices), theme, parent
        )
        self.setObjectName("conversationView")
        self.setAccessibleName("Conversation")
        self.setAccessibleDescription(
            "Up and Down or K and J walk from block to block, Enter opens one, Shift selects, Ctrl+F finds"
        )
        self.setProperty("pane", True)
        self._current = ""
        self.selecting = Selecting(self)
        self.selecting.changed.connect(self.viewport().update)

    @property
    def current(self) -> str:
        """The block that J and K have come to."""
        return self._current

    def set_current(self, block_id: str) -> None:
        self._current = block_id
        self.viewport().update()

    def set_transcript(self, transcript: Transcript) -> None:
        self._current = ""
        self.selecting.clear()
        super().set_transcript(transcript)

    def reveal_block(self, block_id: str) -> None:
        self._current = block_id
        super().reveal_block(block_id)

    def set_prices(self, prices: PriceTable) -> None:
        """What rounds cost from now on, those on screen too."""
        self._prices = prices
        for row in self.findChildren(UsageRow):
            block = self.transcript.block(row.block_id)
            if block is not None:
                row.show_block(block, False)

    # ---- keys --------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy(self._selection())
            return
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self.selecting.select_all()
            return
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if modifiers == Qt.KeyboardModifier.ShiftModifier and event.key() in _STEPS:
            before = self._current
            self._step(_STEPS[event.key()])
            if self._current:
                self.selecting.extend(before or self._current, self._current)
        elif modifiers != Qt.KeyboardModifier.NoModifier or not self._plain_key(event.key()):
            event.ignore()

    def _plain_key(self, key: int) -> bool:
        """False: it is not for this view."""
        bar = self.verticalScrollBar()
        match key:
            case Qt.Key.Key_Up | Qt.Key.Key_Down:
                self._walk(-1 if key == Qt.Key.Key_Up else 1)
            case Qt.Key.Key_J | Qt.Key.Key_K:
                self._step(1 if key == Qt.Key.Key_J else -1)
            case Qt.Key.Key_PageUp:
                bar.setValue(bar.value() - bar.pageStep())
            case Qt.Key.Key_PageDown | Qt.Key.Key_Space:
                bar.setValue(bar.value() + bar.pageStep())
            case Qt.Key.Key_Home:
                bar.setValue(bar.minimum())
            case Qt.Key.Key_End:
                self.go_to_end()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._enter()
            case Qt.Key.Key_Escape if self.selecting.active:
                self.selecting.clear()
            case _:
                return False
        return True

    def _walk(self, by: int) -> None:
        """To the next block; through one that is taller than the screen step by step."""
        widget, bar = self.widget_of(self._current), self.verticalScrollBar()
        if widget is not None and self._current in self.shown:
            goes_on = widget.geometry().bottom() > self.viewport().height() if by > 0 else widget.y() < 0
            if goes_on:
                bar.setValue(bar.value() + by * bar.singleStep())
                return
        before = self._current
        self._step(by)
        if self._current == before:
            bar.setValue(bar.value() + by * bar.singleStep())

    def _step(self, by: int) -> None:
        """To the next or previous block that says something."""
        blocks = self.transcript.blocks
        if self.transcript.block(self._current) is not None:
            index = self.transcript.index(self._current) + by
        else:
            index = self.transcript.index(self.shown[0 if by > 0 else -1]) if self.shown else 0
        while 0 <= index < len(blocks) and isinstance(blocks[index], SpeakerBlock | UsageBlock):
            index += by
        if not 0 <= index < len(blocks):
            return
        self._current = blocks[index].id
        if not self._fully_visible(self._current):
            self.reveal_block(self._current)
        self.viewport().update()

    def _fully_visible(self, block_id: str) -> bool:
        widget = self.widget_of(block_id)
        return (
            block_id in self.shown
            and widget is not None
            and widget.geometry().top() >= 0
            and widget.geometry().bottom() <= self.viewport().height()
        )

    def _enter(self) -> None:
        """Into the current block: to its buttons, or to what unfolds."""
        widget = self.widget_of(self._current)
        if widget is not None and widget.isVisible():
            widget.enter()

    # ---- copying -----------------------------------------------------------------------------------------------------

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        block = self._block_at(self.viewport().mapFromGlobal(event.globalPos()))
        selection = self._selection()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self._theme.icon("copy"), "Copy\tCtrl+C")
        copy.setEnabled(bool(selection))
        copy.triggered.connect(lambda: self._copy(selection))
        address = self._address_at(event.globalPos())
        if address:
            menu.addAction("Copy link").triggered.connect(lambda: self._copy(address))
        if block is not None:
            menu.addAction("Copy block").triggered.connect(lambda: self._copy(plain_text(block)))
            menu.addAction("Copy message").triggered.connect(lambda: self._copy(self.message_text(block.id)))
        menu.addSeparator()
        menu.addAction("Select all\tCtrl+A").triggered.connect(self.selecting.select_all)
        menu.addAction(self._theme.icon("search"), "Find…\tCtrl+F").triggered.connect(self.find_requested)
        menu.popup(event.globalPos())

    def message_text(self, block_id: str) -> str:
        """All that was said at one go: from who speaks to the next who speaks."""
        blocks, index = self.transcript.blocks, self.transcript.index(block_id)
        first = index
        while first > 0 and not isinstance(blocks[first], SpeakerBlock):
            first -= 1
        last = index + 1
        while last < len(blocks) and not isinstance(blocks[last], SpeakerBlock | BranchBlock):
            last += 1
        said = [plain_text(block) for block in blocks[first:last] if not isinstance(block, _NOT_SAID)]
        return "\n\n".join(filter(None, said))

    def _block_at(self, point: QPoint) -> Block | None:
        for block_id in self.shown:
            widget = self.widget_of(block_id)
            if widget is not None and widget.geometry().top() <= point.y() <= widget.geometry().bottom():
                return self.transcript.block(block_id)
        return None

    def _address_at(self, point: QPoint) -> str:
        """Where the link under a point leads; only ever copied, never opened."""
        child = QApplication.widgetAt(point)
        text = child.parentWidget() if child is not None else None
        return text.anchorAt(text.viewport().mapFromGlobal(point)) if isinstance(text, QTextEdit) else ""

    def _selection(self) -> str:
        if self.selecting.active:
            return self.selecting.text
        focused = self.focusWidget()
        if isinstance(focused, QTextEdit | QPlainTextEdit) and self.isAncestorOf(focused):
            return focused.textCursor().selectedText().replace("\u2029", "\n")
        return ""

    def copy_all(self) -> None:
        self._copy("\n\n".join(filter(None, map(plain_text, self.transcript.blocks))))

    def _copy(self, text: str) -> None:
        if text:
            QGuiApplication.clipboard().setText(text)

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.color("surface"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for card in self._cards():
            painter.setPen(self._theme.color("border"))
            painter.setBrush(self._theme.color("raised"))
            painter.drawRoundedRect(card, RADIUS, RADIUS)
        for index in self.selecting.blocks:
            chosen = self.widget_of(self.transcript.blocks[index].id)
            if chosen is not None and chosen.isVisible():
                tint = mix(self._theme.color("accent"), self._theme.color("surface"), 0.1)
                painter.fillRect(chosen.geometry().adjusted(-CARD_PADDING, -XS, CARD_PADDING, XS), tint)
        widget = self.widget_of(self._current)
        if widget is not None and self._current in self.shown and self.hasFocus():
            box = widget.geometry()
            bar = QRect(box.left() - CARD_PADDING + XS, box.top(), _BAR_WIDTH, box.height())
            painter.fillRect(bar, self._theme.color("accent"))

    def _cards(self) -> list[QRect]:
        """What was said to the model, each message on a card of its own; a card may go on beyond the screen."""
        cards: list[QRect] = []
        blocks = self.transcript.blocks
        open_card = False
        for block_id in self.shown:
            block, widget = self.transcript.block(block_id), self.widget_of(block_id)
            if block is None or widget is None or not in_card(block):
                open_card = False
                continue
            box = widget.geometry().adjusted(-CARD_PADDING, 0, CARD_PADDING - 1, CARD_PADDING)
            if isinstance(block, SpeakerBlock):
                box.setTop(box.top() - CARD_PADDING)
            elif not open_card:
                box.setTop(-_OUT)  # it starts above the screen
            if open_card and not isinstance(block, SpeakerBlock):
                cards[-1].setBottom(box.bottom())
            else:
                cards.append(box)
            open_card = True
        if cards and open_card:
            after = self.transcript.index(self.shown[-1]) + 1
            if after < len(blocks) and in_card(blocks[after]) and not isinstance(blocks[after], SpeakerBlock):
                cards[-1].setBottom(cards[-1].bottom() + _OUT)
        return cards

    # ---- the mouse ---------------------------------------------------------------------------------------------------

    def text_pressed(self, text: QWidget) -> None:
        self.selecting.press(text)

    def text_dragged(self, text: QWidget, point: QPoint) -> None:
        self.selecting.drag(point)

    def text_released(self, text: QWidget) -> None:
        self.selecting.release()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.selecting.clear()
        block = self._block_at(event.position().toPoint())
        if block is not None:
            self._current = block.id
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()
