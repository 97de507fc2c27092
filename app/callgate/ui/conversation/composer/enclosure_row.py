"""What goes along with the next message, each as a chip that can be taken away again."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from callgate.core.messages import Image
from callgate.ui.conversation.composer.enclosures import Enclosure
from callgate.ui.result_view.picture import decode
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.kept_icon import keep_icon
from callgate.ui.theme.theme import ICON, RADIUS, XS, S, Theme
from callgate.ui.widgets.flow_layout import FlowLayout

_THUMB = 28
_NAME = 32


class EnclosureRow(QWidget):
    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("enclosures")
        self._theme = theme
        self._chips: list[tuple[Enclosure, QWidget]] = []
        around = QVBoxLayout(self)
        around.setContentsMargins(S, S, S, 0)
        self._flow = FlowLayout(XS)
        around.addLayout(self._flow)
        self.hide()

    @property
    def enclosures(self) -> tuple[Enclosure, ...]:
        return tuple(one for one, _ in self._chips)

    def set_enclosures(self, enclosures: tuple[Enclosure, ...]) -> None:
        for _, chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = []
        for one in enclosures:
            chip = _Chip(self._theme, one)
            chip.remove.clicked.connect(lambda _=False, gone=one: self.take_away(gone))
            self._chips.append((one, chip))
            self._flow.addWidget(chip)
        self.setVisible(bool(enclosures))
        self.updateGeometry()
        self.changed.emit()

    def add(self, enclosure: Enclosure) -> None:
        self.set_enclosures((*self.enclosures, enclosure))

    def take_away(self, enclosure: Enclosure) -> None:
        self.set_enclosures(tuple(one for one in self.enclosures if one is not enclosure))


class _Chip(QWidget):
    def __init__(self, theme: Theme, enclosure: Enclosure) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("enclosureChip")
        self._picture, self._icon = QLabel(), ""
        image = None
        if isinstance(enclosure.part, Image):
            image, _ = decode(enclosure.part.data, self.devicePixelRatioF())
        if image is not None:
            small = image.scaled(
                _THUMB, _THUMB, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            self._picture.setPixmap(QPixmap.fromImage(small))
        else:
            self._icon = "image" if enclosure.what == "image" else "file"
        shown = enclosure.name if len(enclosure.name) <= _NAME else f"{enclosure.name[: _NAME - 1]}…"
        label = plain_label(reveal(shown))
        about = figures.size(enclosure.size) + (" as text" if enclosure.what == "text" else "")
        self.remove = QToolButton()
        keep_icon(self.remove, theme, "close", "text3")
        self.remove.setAccessibleName(f"Take away {enclosure.name}")
        self.remove.setToolTip("Take away")
        line = QHBoxLayout(self)
        line.setContentsMargins(S, XS, XS, XS)
        line.setSpacing(S)
        line.addWidget(self._picture)
        line.addWidget(label)
        line.addWidget(plain_label(about, "hint"))
        line.addWidget(self.remove)
        set_plain_tip(self, enclosure.name)
        self.setAccessibleName(f"{enclosure.name}, {about}")
        theme.changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        if self._icon:
            self._picture.setPixmap(self._theme.icon(self._icon, "text2").pixmap(ICON, ICON))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("border"))
        painter.setBrush(self._theme.color("raised"))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
