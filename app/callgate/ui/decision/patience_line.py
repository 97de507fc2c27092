"""What is special about how long a call waits: its agent may leave before, and one that was shown late waits longer."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.ui.decision.deadline_words import late_verb
from callgate.ui.text.format import stopwatch
from callgate.ui.text.hidden_characters import reveal_name
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.restyle import set_tone
from callgate.ui.theme.theme import ICON, XS, Theme

_TICK_MS: Final = 1000
SOON: Final = 30.0
"""Seconds before the agent leaves at which the line becomes urgent."""


class PatienceLine(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None, *, now: Callable[[], float] = time.time) -> None:
        super().__init__(parent)
        self.setObjectName("patienceLine")
        self._theme, self._now = theme, now
        self._invocation: Invocation | None = None
        self._icon = QLabel()
        self._words = plain_label("", "hint")
        self._words.setObjectName("patienceWords")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(XS)
        row.addWidget(self._icon)
        row.addWidget(self._words, 1)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._count)
        theme.changed.connect(self._draw)
        self._draw()
        self.hide()

    @property
    def words(self) -> str:
        return self._words.text()

    def show_invocation(self, invocation: Invocation | None) -> None:
        self._invocation = invocation
        self._count()
        self.setVisible(bool(self._told))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    @property
    def _until(self) -> float | None:
        waits = self._invocation is not None and self._invocation.is_waiting
        return self._invocation.client_until if waits and self._invocation is not None else None

    @property
    def _told(self) -> str:
        return " · ".join(words for words in (deferred_words(self._invocation), self._left()) if words)

    def _count(self) -> None:
        self._words.setText(self._told)
        until = self._until
        set_plain_tip(self._words, "Most agents then ask again; the same call joins this decision." if until else "")
        set_tone(self._words, "danger" if until is not None and until - self._now() <= SOON else "hint")

    def _left(self) -> str:
        until = self._until
        if until is None or self._invocation is None:
            return ""
        agent = reveal_name(self._invocation.agent) or "The agent"
        seconds = until - self._now()
        return (
            f"{agent} stops waiting in {stopwatch(seconds)}" if seconds > 0 else f"{agent} has probably stopped waiting"
        )

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("agent", "text3").pixmap(ICON, ICON))


def deferred_words(invocation: Invocation | None) -> str:
    """Why a call still waits although its deadline has passed, or nearly had; empty = it has its usual time."""
    if invocation is None or not invocation.is_waiting or not invocation.deferred:
        return ""
    if invocation.seen_at is None or invocation.deadline is None:
        return "Not shown yet: it waits until you can see it"
    shown = time.strftime("%H:%M", time.localtime(invocation.seen_at))
    seconds = invocation.deadline - invocation.seen_at
    return f"Not shown until {shown} · auto-{late_verb(invocation)} {seconds:.0f} s after it was shown"
