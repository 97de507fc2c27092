"""An icon on a button that follows the theme for as long as the button lives."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QAbstractButton

from callgate.ui.theme.theme import Theme


def keep_icon(button: QAbstractButton, theme: Theme, icon: str, color: str = "text2") -> None:
    """`icon` as in `ICONS`, `color` as in `Tokens`."""
    _Keeper(button, theme, icon, color)


class _Keeper(QObject):
    """A child of its button: it dies with it, and with it the connection to the theme."""

    def __init__(self, button: QAbstractButton, theme: Theme, icon: str, color: str) -> None:
        super().__init__(button)
        self._button, self._theme, self._icon, self._color = button, theme, icon, color
        theme.changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        self._button.setIcon(self._theme.icon(self._icon, self._color))
