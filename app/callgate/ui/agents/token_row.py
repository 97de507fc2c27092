"""One token of an agent: when it was made and used, and the way to revoke it."""

from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from callgate.engine.console.agent_service import TokenView
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.text.time_format import ago
from callgate.ui.theme.theme import L, M, S, Theme
from callgate.ui.widgets.agent_name import PROVEN_ICON

SURE_MS: Final = 4000
"""A revocation can't be undone: it takes a second press, but not for ever."""


class TokenRow(QFrame):
    revoke_requested = Signal(str)
    """The token's id."""

    def __init__(self, view: TokenView, now: float, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.view = view
        self._theme = theme
        used = "never used" if view.last_used is None else f"last used {ago(view.last_used, now)}"
        self.words = f"made {ago(view.created, now)}  ·  {used}"
        self.setAccessibleName(f"Token of {view.name}, {self.words}")
        self._icon = QLabel()
        set_plain_tip(self._icon, f"Requests with this token are proven to be {view.name}'s")
        self.revoke = QPushButton("Revoke")
        self.revoke.setObjectName("revokeToken")
        self.revoke.setAccessibleName(f"Revoke this token of {view.name}")
        self.revoke.setAutoDefault(False)
        self.revoke.clicked.connect(self._pressed)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._rest)
        text = QVBoxLayout()
        text.setSpacing(0)
        text.addWidget(plain_label(view.name, "strong"))
        text.addWidget(plain_label(self.words, "secondary", wrap=True))
        row = QHBoxLayout(self)
        row.setContentsMargins(L, S, M, S)
        row.setSpacing(M)
        row.addWidget(self._icon)
        row.addLayout(text, 1)
        row.addWidget(self.revoke)
        theme.changed.connect(self._draw)
        self._draw()

    def _pressed(self) -> None:
        if self.revoke.property("kind") == "danger":
            self.revoke_requested.emit(self.view.id)
            return
        self._dress("danger", "Revoke for good")
        self._timer.start(SURE_MS)

    def _rest(self) -> None:
        self._dress("", "Revoke")

    def _dress(self, kind: str, words: str) -> None:
        self.revoke.setProperty("kind", kind)
        self.revoke.setText(words)
        self.revoke.setAccessibleName(f"{words}: this token of {self.view.name}")
        self.revoke.style().polish(self.revoke)

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon(PROVEN_ICON, "completed").pixmap(self._theme.icon_size))
