"""Find in the conversation: a field over the column, the count, and the way to the next and the previous place."""

import time
from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPlainTextEdit, QTextEdit, QToolButton

from callgate.ui.conversation.blocks import (
    Block,
    BranchBlock,
    CallBlock,
    CodeBlock,
    ErrorBlock,
    ImageBlock,
    NoteBlock,
    ReasoningBlock,
    SpeakerBlock,
    TextBlock,
    UsageBlock,
)
from callgate.ui.conversation.view import ConversationView
from callgate.ui.result_view.table import ResultTable
from callgate.ui.text.json_outline import JsonOutline
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.kept_icon import keep_icon
from callgate.ui.theme.theme import RADIUS, XS, M, S, Theme, mix


# Finding a text in all of a conversation: on screen or not, folded or not. Pure; searched in slices.
def haystack(block: Block) -> str:
    """All the words of a block, those that are folded away included."""
    match block:
        case TextBlock() | CodeBlock() | ReasoningBlock():
            return block.text
        case SpeakerBlock():
            return f"{block.who} {block.model}"
        case CallBlock():
            result = "" if block.result is None else block.result.text
            return "\n".join((block.tool, block.arguments, block.output, result))
        case ErrorBlock():
            return "\n".join((block.title, block.message, block.advice))
        case NoteBlock():
            return f"{block.text}\n{block.detail}"
        case BranchBlock():
            return block.title
        case ImageBlock():
            return f"{block.name} {block.media_type} {block.reference}"
        case UsageBlock():
            return ""
        case _:
            assert_never(block)


def hits(blocks: Sequence[Block], needle: str) -> Iterator[tuple[str, int]]:
    """Block by block, as they stand: its id, and how often it has the text; ("", 0) for those that have it not.

    Every block yields, so that the caller can stop between any two.
    """
    wanted = needle.casefold()
    for block in tuple(blocks):
        count = haystack(block).casefold().count(wanted) if wanted else 0
        yield (block.id, count) if count else ("", 0)


_SLICE_S: Final = 0.006
_AGAIN_MS: Final = 300
"""While an answer streams in, it is searched again that often."""
_MOST_MARKED: Final = 500
"""Places that are marked in one text: more are not seen at once."""
_WIDTH: Final = 220

TextEdit = QTextEdit | QPlainTextEdit


class FindBar(QFrame):
    closed = Signal()

    def __init__(self, view: ConversationView, theme: Theme) -> None:
        super().__init__(view)
        self._view, self._theme = view, theme
        self._search: Iterator[tuple[str, int]] = iter(())
        self._found: list[tuple[str, int]] = []
        self._at = -1
        """Which of all places is the current one, counted through all blocks."""
        self._block = ""
        self.setObjectName("findBar")
        self.setAccessibleName("Find in the conversation")
        self.field = QLineEdit()
        self.field.setObjectName("findField")
        self.field.setPlaceholderText("Find in conversation")
        self.field.setAccessibleName("Find in the conversation")
        self.field.setFixedWidth(_WIDTH)
        self.count = plain_label("", "hint")
        self.count.setObjectName("findCount")
        self.previous = self._button("up", "Previous (Shift+Enter)", -1)
        self.next = self._button("down", "Next (Enter)", 1)
        close = QToolButton()
        keep_icon(close, theme, "close")
        close.setToolTip("Close (Esc)")
        close.setAccessibleName("Close")
        close.clicked.connect(self.close_bar)
        line = QHBoxLayout(self)
        line.setContentsMargins(S, XS, XS, XS)
        line.setSpacing(XS)
        for widget in (self.field, self.count, self.previous, self.next, close):
            line.addWidget(widget)
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self._start)
        self.field.textChanged.connect(self._begin)
        self.field.installEventFilter(self)
        view.arranged.connect(self._mark)
        view.viewport().installEventFilter(self)
        theme.changed.connect(self._draw)
        self._draw()
        self.hide()

    def _button(self, icon: str, words: str, step: int) -> QToolButton:
        button = QToolButton()
        keep_icon(button, self._theme, icon)
        button.setToolTip(words)
        button.setAccessibleName(words)
        button.clicked.connect(lambda: self.step(step))
        return button

    def _draw(self) -> None:
        tokens = self._theme.tokens
        self.setStyleSheet(
            f"#findBar {{ background: {tokens.raised}; border: 1px solid {tokens.border}; border-radius: {RADIUS}px; }}"
        )

    # ---- opening and closing -----------------------------------------------------------------------------------------

    def open_bar(self) -> None:
        self.show()
        self._place()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._start()

    def close_bar(self) -> None:
        self._timer.stop()
        self._found = []
        self.hide()
        self._mark()
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        self.closed.emit()

    def refresh(self) -> None:
        """The conversation has changed."""
        if not self.isHidden() and not self._again.isActive():
            self._again.start()

    def _place(self) -> None:
        self.adjustSize()
        area = self._view.viewport().geometry()
        self.move(area.right() - self.width() - M, area.top() + M)
        self.raise_()

    # ---- searching ---------------------------------------------------------------------------------------------------

    @property
    def total(self) -> int:
        return sum(count for _, count in self._found)

    def _begin(self) -> None:
        self._at, self._block = -1, ""
        self._start()

    def _start(self) -> None:
        self._search = hits(self._view.transcript.blocks, self.field.text())
        self._found = []
        self._timer.start()
        self._go_on()

    def _go_on(self) -> None:
        until = time.monotonic() + _SLICE_S
        for block_id, count in self._search:
            if count:
                self._found.append((block_id, count))
            if time.monotonic() > until:
                break
        else:
            self._timer.stop()
            self._finish()
        self._say()

    def _finish(self) -> None:
        """From the top of the screen on, as one who reads expects; a search that runs again stays where it is."""
        if self._at < 0 and self._found:
            shown = self._view.shown
            first = self._view.transcript.index(shown[0]) if shown else 0
            before = 0
            for block_id, count in self._found:
                if self._view.transcript.index(block_id) >= first:
                    break
                before += count
            self._go_to(before % self.total)
        elif self._block:
            self._at = self._first_of(self._block) if self._block in dict(self._found) else -1
        self._mark()

    def _first_of(self, block_id: str) -> int:
        before = 0
        for known, count in self._found:
            if known == block_id:
                break
            before += count
        return before

    def _say(self) -> None:
        total, running = self.total, self._timer.isActive()
        if not self.field.text():
            words = ""
        elif not total:
            words = "…" if running else "Nothing found"
        else:
            words = f"{self._at + 1} of {total:,}{'…' if running else ''}" if self._at >= 0 else f"{total:,}…"
        self.count.setText(words)
        self.next.setEnabled(total > 0)
        self.previous.setEnabled(total > 0)
        self._place()

    # ---- going there -------------------------------------------------------------------------------------------------

    def step(self, by: int) -> None:
        if self.total:
            self._go_to((self._at + by) % self.total)
            self._mark()
            self._say()

    def _go_to(self, at: int) -> None:
        self._at = at
        rest = at
        for block_id, count in self._found:
            if rest < count:
                self._block = block_id
                break
            rest -= count
        if self._block not in self._view.shown:
            self._view.reveal_block(self._block)
        self._view.set_current(self._block)
        self._view.unfold(self._block)
        self._view.relayout()
        place = self._places(self._block)
        if place:
            text, cursor = place[min(rest, len(place) - 1)]
            self._bring(text, cursor)

    def _bring(self, text: TextEdit, cursor: QTextCursor) -> None:
        """First within the text, where that scrolls, then in the column."""
        widget = self._view.widget_of(self._block)
        if widget is None:
            return
        if text.verticalScrollBar().maximum():
            start = QTextCursor(cursor)
            start.clearSelection()
            text.setTextCursor(start)
            text.ensureCursorVisible()
        box = text.cursorRect(cursor)
        top = text.viewport().mapTo(widget, box.topLeft()).y()
        self._view.bring_on_screen(self._block, top, top + box.height())

    def _texts(self, block_id: str) -> list[TextEdit]:
        widget = self._view.widget_of(block_id)
        if widget is None:
            return []
        found: list[TextEdit] = [*widget.findChildren(QTextEdit), *widget.findChildren(QPlainTextEdit)]
        return [text for text in found if text.isVisible() and text.isReadOnly()]

    def _places(self, block_id: str) -> list[tuple[TextEdit, QTextCursor]]:
        needle, places = self.field.text(), []
        if not needle:
            return []
        for text in self._texts(block_id):
            cursor = text.document().find(needle)
            while not cursor.isNull() and len(places) < _MOST_MARKED:
                places.append((text, cursor))
                cursor = text.document().find(needle, cursor)
        return places

    def _mark(self) -> None:
        """Marks what is on screen; blocks that come on screen later are marked as they come."""
        needle = "" if self.isHidden() else self.field.text()
        current = self._current_place()
        for block_id in self._view.shown:
            widget = self._view.widget_of(block_id)
            if widget is None:
                continue
            for tree in (*widget.findChildren(JsonOutline), *widget.findChildren(ResultTable)):
                tree.set_needle(needle.casefold())
            marks: dict[TextEdit, list[QTextEdit.ExtraSelection]] = {text: [] for text in self._texts(block_id)}
            for text, cursor in self._places(block_id) if needle else []:
                marks[text].append(self._selection(cursor, (text, cursor) == current))
            for text, selections in marks.items():
                if selections or text.extraSelections():
                    text.setExtraSelections(selections)

    def _current_place(self) -> tuple[TextEdit, QTextCursor] | None:
        places = self._places(self._block) if self._at >= 0 and self._block else []
        if not places:
            return None
        return places[min(self._at - self._first_of(self._block), len(places) - 1)]

    def _selection(self, cursor: QTextCursor, current: bool) -> QTextEdit.ExtraSelection:
        ground = mix(self._theme.color("waiting"), self._theme.color("surface"), 0.55 if current else 0.25)
        form = QTextCharFormat()
        form.setBackground(ground)
        if current:
            form.setForeground(self._theme.color("text"))  # over the colours of code, which may be too near
        found = QTextEdit.ExtraSelection()
        found.cursor, found.format = cursor, form  # type: ignore[attr-defined]  # fields that the stubs lack
        return found

    # ---- keys --------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is not self.field:
            if not self.isHidden():
                self._place()
            return False
        if watched is not self.field or event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_F3:
                self.step(-1 if back else 1)
            case Qt.Key.Key_Down | Qt.Key.Key_Up:
                self.step(1 if event.key() == Qt.Key.Key_Down else -1)
            case Qt.Key.Key_Escape:
                self.close_bar()
            case _:
                return False
        return True
