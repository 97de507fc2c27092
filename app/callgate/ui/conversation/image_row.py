"""An attachment: a picture that came along is shown, everything else is named. Nothing is fetched."""

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from callgate.ui import figures
from callgate.ui.conversation.block_widget import BlockWidget
from callgate.ui.conversation.blocks import Block, ImageBlock
from callgate.ui.conversation.rows import icon_label, pixmap, row
from callgate.ui.plain_text import plain_label, set_plain_tip
from callgate.ui.result_view.picture import Picture
from callgate.ui.reveal import reveal
from callgate.ui.theme import RADIUS, XS, M, S, Theme


class ImageRow(BlockWidget):
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
