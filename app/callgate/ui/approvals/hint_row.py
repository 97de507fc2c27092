"""Small signs in a row that wraps: what a tool says of itself. Knows words, icons and colours; no calls."""

from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from callgate.ui.approvals.words import Hint, Weight
from callgate.ui.plain_text import plain_label
from callgate.ui.theme import ICON, XS, M, Theme
from callgate.ui.wrapping_row import WrappingRow

_COLORS: Final[dict[Weight, str]] = {"calm": "text2", "mind": "waiting", "danger": "denied"}
_TONES: Final[dict[Weight, str]] = {"calm": "secondary", "mind": "secondary", "danger": "danger"}


class HintRow(WrappingRow):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(M, parent)
        self._theme = theme
        self._hints: tuple[Hint, ...] = ()
        theme.changed.connect(self._draw)

    def show_hints(self, hints: tuple[Hint, ...]) -> None:
        if hints != self._hints:
            self._hints = hints
            self._draw()
        self.setVisible(bool(hints))

    def _draw(self) -> None:
        self.clear()
        for hint in self._hints:
            self.add(self._sign(hint))

    def _sign(self, hint: Hint) -> QWidget:
        sign = QWidget()
        row = QHBoxLayout(sign)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(XS)
        icon = QLabel()
        icon.setPixmap(self._theme.icon(hint.icon, _COLORS[hint.weight]).pixmap(ICON, ICON))
        row.addWidget(icon)
        row.addWidget(plain_label(hint.words, _TONES[hint.weight]))
        return sign
