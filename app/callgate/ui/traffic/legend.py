"""What the colours of the duration bars mean, in one line. Knows the colours, no rows."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from callgate.ui.theme import SMALL_SIZE, XS, M, Theme
from callgate.ui.traffic.delegate import BARS, bar_color

_SWATCH = QSize(10, 6)


class DurationLegend(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("durationLegend")
        self.setAccessibleName("Colours of the duration: " + ", ".join(words for _, _, words in BARS))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._theme.ui(SMALL_SIZE))
        width = sum(_SWATCH.width() + XS + metrics.horizontalAdvance(words) + M for _, _, words in BARS)
        return QSize(width, metrics.height() + 2 * XS)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = self._theme.ui(SMALL_SIZE)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        left, middle = 0, self.height() // 2
        for name, _, words in BARS:
            swatch = QRect(left, middle - _SWATCH.height() // 2, _SWATCH.width(), _SWATCH.height())
            painter.fillRect(swatch, bar_color(self._theme, name))
            left += _SWATCH.width() + XS
            painter.setPen(self._theme.color("text3"))
            room = QRect(left, 0, metrics.horizontalAdvance(words) + 2, self.height())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), words)
            left += metrics.horizontalAdvance(words) + M
        painter.end()
