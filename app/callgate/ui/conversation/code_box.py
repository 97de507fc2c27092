"""A fence: language, copy button, and the code in the theme's colours."""

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from callgate.ui.conversation.block_widget import BlockWidget
from callgate.ui.conversation.blocks import Block, CodeBlock
from callgate.ui.conversation.mono_text import MonoText
from callgate.ui.conversation.rows import row
from callgate.ui.copy_button import CopyButton
from callgate.ui.plain_text import plain_label
from callgate.ui.reveal import reveal
from callgate.ui.theme import RADIUS, XS, M, S, Theme


class CodeBox(BlockWidget):
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
