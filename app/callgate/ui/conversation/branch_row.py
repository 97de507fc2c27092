"""Where a turn was tried again: which try this is, the way to the others, and back to all of them."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from callgate.ui.conversation.block_widget import BlockWidget
from callgate.ui.conversation.blocks import Block, BranchBlock
from callgate.ui.conversation.rows import icon_label, row
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import RADIUS, XS, S, Theme

_ONLY: Final = "Show what came of this try, and fold the others"
_WORDS: Final[dict[tuple[bool, bool], tuple[str, str]]] = {
    (True, True): ("Show all tries", "Show the other tries beside this one"),
    (True, False): ("Show only this", _ONLY),
    (False, False): ("Show this try", _ONLY),
}
"""What the button does, by whether the try is shown, and whether it is shown alone."""


class BranchRow(BlockWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._block: BranchBlock | None = None
        self._label = plain_label(tone="secondary")
        self._title = plain_label(tone="hint")
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._switch = QToolButton()
        self._switch.setObjectName("branchSwitch")
        self._switch.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._switch.clicked.connect(self.enter)
        line = row(icon_label(theme, "retry", "text3"), self._label)
        line.setContentsMargins(S, XS, XS, XS)
        line.addWidget(self._title, 1)
        line.addWidget(self._switch)
        self.setLayout(line)

    def show_block(self, block: Block, unfolded: bool) -> None:
        assert isinstance(block, BranchBlock)
        self._block = block
        self._label.setText(f"Try {block.number} of {block.count}")
        self._title.setText(reveal(block.title))
        set_plain_tip(self._title, block.title)
        words, tip = _WORDS[block.shown, block.alone]
        self._switch.setText(words)
        self._switch.setToolTip(tip)
        said = f"Try {block.number} of {block.count}, {'shown' if block.shown else 'folded'}"
        self._switch.setAccessibleName(f"{self._switch.text()}: try {block.number} of {block.count}")
        self.setCursor(Qt.CursorShape.ArrowCursor if block.shown else Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"{said}: {block.title}")
        self.update()

    def enter(self) -> None:
        if self._block is not None:
            self.branch_wanted.emit(self._block.exchange_id, self._block.alone)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._block is not None and not self._block.shown:
            self.enter()
        else:
            super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.theme.color("border"))
        if self._block is not None and not self._block.shown:
            painter.setBrush(self.theme.color("raised"))
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), RADIUS, RADIUS)
        else:
            painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
