"""The button at the end of a field that empties it, in the look of all other icons; Qt draws its own as a dark disc."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit

from callgate.ui.theme.theme import Theme

_ACTION = "_q_qlineeditclearaction"


def add_clear_button(field: QLineEdit, theme: Theme) -> None:
    field.setClearButtonEnabled(True)
    action = field.findChild(QAction, _ACTION)
    if action is not None:  # the name is Qt's own affair: without it, the button stays as Qt draws it
        _Keeper(action, theme)


class _Keeper(QObject):
    """A child of the action: it dies with it, and with it the connection to the theme."""

    def __init__(self, action: QAction, theme: Theme) -> None:
        super().__init__(action)
        self._action, self._theme = action, theme
        theme.changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        self._action.setIcon(self._theme.icon("cancelled", "text3"))
