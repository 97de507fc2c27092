"""What came of asking an endpoint for its models: a sign, words, and the models. Asks nobody."""

import time
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QGridLayout, QLabel, QPlainTextEdit, QWidget

from callgate.engine.endpoints.endpoint_service import Examination
from callgate.ui.endpoints.look import CHECKING, OUTCOME_LOOKS, UNCHECKED, Look
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, S, Theme

_TICK_MS: Final = 250
_LINES: Final = 9
"""Of models at once; more are scrolled."""
_AROUND: Final = 20
"""Padding, border and the document's own margin."""


class CheckView(QWidget):
    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self.setObjectName("endpointCheckView")
        self.setAccessibleName("Connection check")
        self._theme, self._now = theme, now
        self._look = UNCHECKED
        self._began = 0.0
        self._icon = QLabel()
        self.title = plain_label("", "strong")
        self.title.setObjectName("endpointOutcome")
        self._time = plain_label("", "hint")
        self.words = plain_label("", "secondary", wrap=True, selectable=True)
        self.words.setObjectName("endpointFinding")
        self.models = QPlainTextEdit()
        self.models.setObjectName("endpointModels")
        self.models.setAccessibleName("Models found")
        self.models.setReadOnly(True)
        self.models.setTabChangesFocus(True)
        self.models.setFont(theme.mono())
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(S)
        grid.setVerticalSpacing(XS)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._icon, 0, 0)
        grid.addWidget(self.title, 0, 1)
        grid.addWidget(self._time, 0, 2, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self.words, 1, 1, 1, 2)
        grid.addWidget(self.models, 2, 1, 1, 2)
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._count)
        theme.changed.connect(self._draw)
        self.clear()

    @property
    def is_running(self) -> bool:
        return self._tick.isActive()

    def clear(self) -> None:
        self._tick.stop()
        self.hide()

    def begin(self, place: str) -> None:
        self._began = self._now()
        self._say(CHECKING, f"{place} is asked for its models…")
        self._tick.start()

    def show_finding(self, found: Examination, patterns: Sequence[str] = ("*",), *, ago: str = "") -> None:
        """`patterns`: which of the models it answers for."""
        self._tick.stop()
        self._say(OUTCOME_LOOKS[found.outcome], found.words, listed(found.models, patterns))
        self._time.setText(ago or figures.seconds(found.seconds))

    def stop(self) -> None:
        """It was broken off."""
        if self.is_running:
            self._tick.stop()
            self._say(UNCHECKED, "The check was stopped.")

    def _say(self, look: Look, words: str, models: str = "") -> None:
        self._look = look
        self.title.setText(look.word)
        self.title.setAccessibleName(f"{look.word}. {words}")
        self.words.setText(reveal(words))
        self.models.setPlainText(reveal(models))
        lines = min(_LINES, models.count("\n") + 1)
        self.models.setFixedHeight(self.models.fontMetrics().lineSpacing() * lines + _AROUND)
        self.models.setVisible(bool(models))
        self._time.setText("")
        self._draw()
        self.show()

    def _count(self) -> None:
        spent = self._now() - self._began
        if spent >= 1:
            self._time.setText(figures.stopwatch(spent))

    def _draw(self) -> None:
        icon = self._theme.icon(self._look.icon, self._look.color)
        self._icon.setPixmap(icon.pixmap(self._theme.icon_size))


def listed(models: Sequence[str], patterns: Sequence[str]) -> str:
    """One in a line; those that no request would reach are told apart."""
    served = [model for model in models if any(fnmatchcase(model, glob) for glob in patterns)]
    others = [model for model in models if model not in set(served)]
    if not others:
        return "\n".join(served)
    return "\n".join((*served, "— outside the patterns:", *others))
