"""Which widget shows which block."""

from collections.abc import Callable
from typing import assert_never

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from callgate.core.catalog.prices import PriceTable
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.block_widget import BlockWidget
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
from callgate.ui.conversation.branch_row import BranchRow
from callgate.ui.conversation.call_card import CallCard
from callgate.ui.conversation.mono_text import MonoText
from callgate.ui.conversation.rows import ErrorRow, FoldRow, SpeakerRow, TextPiece, UsageRow, icon_label, pixmap, row
from callgate.ui.result_view.picture import Picture
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import RADIUS, XS, M, S, Theme
from callgate.ui.widgets.copy_button import CopyButton


class ImageRow(BlockWidget):
    """An attachment: a picture that came along is shown, everything else is named. Nothing is fetched."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._icon = icon_label(theme, "image", "text2")
        self._label = plain_label(tone="secondary", selectable=True)
        self.picture = Picture(theme)
        self._pictured = False
        self._line = row(self._icon, self._label)
        self._line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addWidget(self.picture)
        column.addLayout(self._line)

    def show_block(self, block: Block, unfolded: bool) -> None:
        assert isinstance(block, ImageBlock)
        self._pictured = bool(block.data) and self.picture.show_data(block.data)
        self.picture.setVisible(self._pictured)
        padding = (0, 0, 0, 0) if self._pictured else (M, S, M, S)
        self._line.setContentsMargins(*padding)
        name = "image" if block.what == "image" else "file"
        self._icon.setPixmap(pixmap(self.theme, name, "text2", self._icon))
        kind = block.media_type or ("Image" if block.what == "image" else "File")
        amount = figures.size(block.bytes) if block.bytes else "not fetched"
        size = self.picture.dimensions if self._pictured else ""
        problem = self.picture.problem if block.data and not self._pictured else ""
        text = reveal(" · ".join(filter(None, (block.name, kind, size, amount, block.reference, problem))))
        self._label.setText(text)
        self._label.setProperty("tone", "hint" if self._pictured else "secondary")
        self.picture.setAccessibleName(text)
        if block.reference:
            set_plain_tip(self, "Callgate shows that it is there, but does not fetch it.")
        else:
            self.setToolTip("")
        self.setAccessibleName(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._pictured:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.theme.color("border"))
        painter.setBrush(self.theme.color("raised"))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), RADIUS, RADIUS)


class CodeBox(BlockWidget):
    """A fence: language, copy button, and the code in the theme's colours."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._source = ""
        self._language = plain_label(tone="hint")
        self._copy = CopyButton(theme, lambda: self._source, "the code")
        self._code = MonoText(theme, wrap=False)
        head = row(self._language)
        head.setContentsMargins(M, XS, XS, XS)
        head.addStretch(1)
        head.addWidget(self._copy)
        body = QVBoxLayout()
        body.setContentsMargins(M, S, M, S)
        body.addWidget(self._code)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(body)

    def show_block(self, block: Block, unfolded: bool) -> None:
        assert isinstance(block, CodeBlock)
        self._source = block.text
        self._language.setText(reveal(block.language) or "code")
        self._code.show_text(reveal(block.text), block.language, growing=block.growing)
        self._code.setAccessibleName(f"{block.language or 'plain'} code")
        self.setAccessibleName(f"{block.language or 'plain'} code")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.theme.color("border"))
        painter.setBrush(self.theme.color("canvas"))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), RADIUS, RADIUS)
        line = self._code.geometry().top() - S
        painter.drawLine(1, line, self.width() - 2, line)


def make_widget(
    block: Block,
    console: Console,
    theme: Theme,
    parent: QWidget,
    bridge: Bridge | None = None,
    prices: Callable[[], PriceTable] = PriceTable,
) -> BlockWidget:
    match block:
        case SpeakerBlock():
            return SpeakerRow(theme, parent)
        case TextBlock():
            return TextPiece(theme, parent)
        case CodeBlock():
            return CodeBox(theme, parent)
        case ReasoningBlock() | NoteBlock():
            return FoldRow(theme, parent)
        case CallBlock():
            return CallCard(console, theme, parent, bridge)
        case BranchBlock():
            return BranchRow(theme, parent)
        case ErrorBlock():
            return ErrorRow(theme, parent)
        case ImageBlock():
            return ImageRow(theme, parent)
        case UsageBlock():
            return UsageRow(theme, parent, prices)
        case _:
            assert_never(block)
