"""A picture that came along, and never one that would have to be fetched. Decoded small, and only plain pixel formats.

SVG and everything else that is a program of sorts is named, not drawn.
"""

import base64
import binascii
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from callgate.ui.theme.theme import RADIUS, Theme

WIDEST: Final = 560
TALLEST: Final = 360
MOST_BYTES: Final = 12_000_000
MOST_PIXELS: Final = 16_000_000
"""More takes too long to decode while somebody scrolls."""
_SIGNATURES: Final = (
    (b"\x89PNG\r\n\x1a\n", b"png"),
    (b"\xff\xd8\xff", b"jpeg"),
    (b"GIF87a", b"gif"),
    (b"GIF89a", b"gif"),
    (b"BM", b"bmp"),
)


@lru_cache(maxsize=24)
def decode(data: str, scale: float = 1.0) -> tuple[QImage | None, str]:
    """The picture, no larger than is shown; else None and why not. The last ones are kept: for scrolling."""
    if len(data) > MOST_BYTES * 4 // 3:
        return None, "too large to be shown"
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None, "its data cannot be read"
    kind = format_of(raw)
    if not kind:
        return None, "a kind of picture that is not shown"
    holder = QBuffer()
    holder.setData(QByteArray(raw))
    holder.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(holder, QByteArray(kind))
    reader.setDecideFormatFromContent(False)
    reader.setAutoTransform(True)
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > MOST_PIXELS:
        return None, "too large to be shown" if size.isValid() else "its data cannot be read"
    fitted = fit(size)
    reader.setScaledSize(QSize(round(fitted.width() * scale), round(fitted.height() * scale)).boundedTo(size))
    image = reader.read()
    if image.isNull():
        return None, "its data cannot be read"
    image.setText("size", f"{size.width()} × {size.height()}")
    return image, ""


def format_of(raw: bytes) -> bytes:
    """By the bytes themselves, never by what they are said to be; empty = none that is shown."""
    if raw[:4] == b"RIFF" and raw[8:12] == b"WEBP":
        return b"webp"
    return next((name for signature, name in _SIGNATURES if raw.startswith(signature)), b"")


def fit(size: QSize) -> QSize:
    most = QSize(WIDEST, TALLEST)
    too_large = size.width() > most.width() or size.height() > most.height()
    return size.scaled(most, Qt.AspectRatioMode.KeepAspectRatio) if too_large else size


class Picture(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._image: QImage | None = None
        self._size = QSize(0, 0)
        self._data = ""
        self.problem = ""
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def dimensions(self) -> str:
        return "" if self._image is None else self._image.text("size")

    def show_data(self, data: str) -> bool:
        """False: it can't be shown, and `problem` says why."""
        if data != self._data:
            self._data = data
            self._image, self.problem = decode(data, self.devicePixelRatioF())
            if self._image is not None:
                width, _, height = self._image.text("size").partition(" × ")
                self._size = fit(QSize(int(width), int(height)))
            self.updateGeometry()
            self.update()
        return self._image is not None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if self._image is None or not self._size.width():
            return 0
        return max(1, self._size.height() * min(width, self._size.width()) // self._size.width())

    def sizeHint(self) -> QSize:
        return self._size if self._image is not None else QSize(0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._image is None:
            return
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.SmoothPixmapTransform | QPainter.RenderHint.Antialiasing)
        width = min(self.width(), self._size.width())
        box = QRectF(0, 0, width, self._size.height() * width / max(1, self._size.width()))
        shape = QPainterPath()
        shape.addRoundedRect(box, RADIUS, RADIUS)
        painter.setClipPath(shape)
        painter.drawImage(box, self._image)
        painter.setClipping(False)
        painter.setPen(self._theme.color("border"))
        painter.drawPath(shape)
