"""The warning above arguments that are not what they seem. Words only; the marks are in the text."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from callgate.ui.text.hidden_characters import Suspect
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import ICON, XS, M, S, Theme

_LISTED: Final = 7
"""More lines than this push the arguments away, which are what should be read."""
_LONGEST: Final = 60


class SuspectBox(QFrame):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("suspectBox")
        self.setProperty("card", True)
        self._icon = QLabel()
        self._title = plain_label("Look closely: this text is not what it seems", "waiting", wrap=True)
        self._list = plain_label("", "secondary", selectable=True, wrap=True)
        words = QVBoxLayout()
        words.setSpacing(XS)
        words.addWidget(self._title)
        words.addWidget(self._list)
        row = QHBoxLayout(self)
        row.setContentsMargins(M, S, M, S)
        row.setSpacing(S)
        row.addWidget(self._icon)
        row.setAlignment(self._icon, row.alignment().AlignTop)
        row.addLayout(words, 1)
        theme.changed.connect(self._draw)
        self._draw()
        self.hide()

    @property
    def words(self) -> str:
        return self._list.text()

    def show_suspects(self, suspects: Sequence[Suspect]) -> None:
        grouped: dict[str, list[str]] = {}
        for suspect in suspects:
            whats = grouped.setdefault(suspect.why, [])
            what = suspect.what if len(suspect.what) <= _LONGEST else suspect.what[: _LONGEST - 1] + "…"
            if what not in whats:
                whats.append(what)
        lines = [f"{_named(whats)} {why}." for why, whats in grouped.items()]
        if len(lines) > _LISTED:
            lines = [*lines[: _LISTED - 1], f"… and {len(lines) - _LISTED + 1} more kinds."]
        self._list.setText("\n".join(lines))
        self.setVisible(bool(lines))

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("warning", "waiting").pixmap(ICON, ICON))


def _named(whats: list[str]) -> str:
    return whats[0] if len(whats) == 1 else f"{whats[0]} (and {len(whats) - 1} like it)"
