"""Two columns side by side where there is room for both, else one under the other. Knows nothing of what is in them."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from callgate.ui.theme.theme import XL, S

SIDE_BY_SIDE: Final = 620
"""From this width on two columns are easier to read than one."""
_SLACK: Final = 40
"""So much narrower they may get before they turn back: a scroll bar that comes and goes must not turn them for ever."""


class Columns(QWidget):
    turned = Signal(bool)
    """They stand side by side now, or do not any more."""

    def __init__(
        self,
        left: Sequence[QWidget],
        right: Sequence[QWidget],
        shares: tuple[int, int] = (3, 2),
        parent: QWidget | None = None,
    ) -> None:
        """`shares`: how the width is divided between them."""
        super().__init__(parent)
        self._row = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(S)
        for widgets, share in zip((left, right), shares, strict=True):
            column = QVBoxLayout()
            column.setSpacing(S)
            for widget in widgets:
                column.addWidget(widget)
            column.addStretch(1)
            self._row.addLayout(column, share)

    @property
    def is_wide(self) -> bool:
        return self._row.direction() == QBoxLayout.Direction.LeftToRight

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = event.size().width() >= SIDE_BY_SIDE - (_SLACK if self.is_wide else 0)
        if wide != self.is_wide:
            self._row.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
            self._row.setSpacing(XL if wide else S)
            self.turned.emit(wide)
