"""Which wall stands between the programs that a waiting call starts and the machine: a short fact, before deciding."""

from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.tool import is_confined
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import ICON, S, Theme

_TIP_CONFINED: Final = (
    "The command can write in the workspace and to temporary files of its own. Keys, browser profiles and Callgate's"
    " own files are hidden from it. [tools] sandbox and sandbox_network in the configuration change this."
)
_TIP_FREE: Final = (
    "The command can read and write whatever you can, and reach the network. [tools] sandbox in the configuration"
    " decides whether commands run in a sandbox where there is one, or not at all without one."
)


class WallLine(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("wallLine")
        self._theme = theme
        self._is_confined = True
        self._icon = QLabel()
        self._words = plain_label("", "hint", wrap=True)
        self._words.setObjectName("wallWords")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S)
        row.addWidget(self._icon)
        row.addWidget(self._words, 1)
        theme.changed.connect(self._draw)
        self.hide()

    @property
    def words(self) -> str:
        return self._words.text()

    def show_invocation(self, invocation: Invocation | None) -> None:
        wall = invocation.wall if invocation is not None and invocation.state == "WaitingForConfirmation" else ""
        self._is_confined = is_confined(wall)
        self._words.setText(wall)
        for part in (self, self._words, self._icon):
            set_plain_tip(part, _TIP_CONFINED if self._is_confined else _TIP_FREE)
        self.setVisible(bool(wall))
        self._draw()

    def _draw(self) -> None:
        icon, color = ("gate", "text3") if self._is_confined else ("warning", "waiting")
        self._icon.setPixmap(self._theme.icon(icon, color).pixmap(ICON, ICON))
