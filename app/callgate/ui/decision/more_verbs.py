"""The verbs that are wanted less often, behind three dots. Decides nothing: says which one was chosen."""

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from callgate.ui.theme.theme import Theme


class MoreVerbs(QPushButton):
    skip_chosen = Signal()
    snooze_chosen = Signal()
    stop_chosen = Signal()
    """The whole exchange, with every call in it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("moreButton")
        self.setAutoDefault(False)
        self.setAccessibleName("More")
        self.setToolTip("Skip, not now, stop")
        self.verbs = QMenu(self)
        self._skip = self.verbs.addAction("Skip this call", self.skip_chosen.emit)
        self.verbs.addAction("Not now: decide later", self.snooze_chosen.emit)
        self.verbs.addSeparator()
        self.verbs.addAction("Stop the request", self.stop_chosen.emit)
        self.clicked.connect(self._open)
        theme.changed.connect(self._draw)
        self._draw()

    def offer_skip(self, offered: bool) -> None:
        self._skip.setVisible(offered)

    def _open(self) -> None:
        self.verbs.popup(self.mapToGlobal(QPoint(0, self.height())))

    def _draw(self) -> None:
        self.setIcon(self._theme.icon("more", "text"))
        self.setIconSize(self._theme.icon_size)
