"""The safety of the hand: telling a press that was meant from one that merely landed on a button.

A button that decides must not take the click that brought its window to the front, a click aimed at what was there a
moment ago, a key typed for another window, or a key that is held down. Knows widgets and time; knows nothing of
approvals.
"""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QPushButton, QWidget

ARM_MS: Final = 400
"""Longer than a click that was already under way when the buttons appeared."""
RAISE_MS: Final = 250
"""A window manager activates and forwards the click within this time."""

_ON_PURPOSE: Final = frozenset(
    {
        Qt.FocusReason.TabFocusReason,
        Qt.FocusReason.BacktabFocusReason,
        Qt.FocusReason.MouseFocusReason,
        Qt.FocusReason.ShortcutFocusReason,
    }
)
_PRESS_KEYS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Select})


class Deliberation(QObject):
    """Watches the widget that holds the buttons. `arm_ms=0`: nothing is guarded, for tests that mean every click."""

    armed_changed = Signal(bool)
    absorbed = Signal()
    """A press was taken for the one that raised the window."""

    def __init__(self, widget: QWidget, arm_ms: int = ARM_MS, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(widget)
        self._widget = widget
        self._arm_ms = arm_ms
        self._clock = clock
        self._armed = arm_ms == 0
        self._raised_at: float | None = None
        """When the window came to the front; None = it was not seen to."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._arm)
        widget.installEventFilter(self)

    @property
    def armed(self) -> bool:
        return self._armed

    def rearm(self) -> None:
        """Something else is shown now: the buttons need a moment before they count."""
        if self._arm_ms == 0:
            return
        self._timer.stop()
        self._armed = False
        self.armed_changed.emit(False)
        if self._widget.isVisible():
            self._timer.start(self._arm_ms)

    @property
    def now(self) -> float:
        return self._clock()

    def accepts_key(self, focused_at: float) -> bool:
        """Asked by a button when a key goes down on it; a key that was on its way to another widget comes at once."""
        return self._arm_ms == 0 or (self._armed and self._clock() - focused_at >= RAISE_MS / 1000)

    def accepts_press(self) -> bool:
        """Asked by a button when the mouse goes down on it."""
        if self._arm_ms == 0:
            return True
        now = self._clock()
        if self._raised_at is None and not self._widget.isActiveWindow():
            # this press raises the window; the next one counts, even where the platform never activates it
            self._raised_at = now
            self._widget.activateWindow()
        if self._raised_at is not None and now - self._raised_at < RAISE_MS / 1000:
            self.absorbed.emit()
            return False
        return self._armed

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.Show:
                self.rearm()
            case QEvent.Type.Hide:
                # told to nobody: a widget that is being destroyed hides too, and its parts may be gone
                self._timer.stop()
                self._armed = self._arm_ms == 0
            case QEvent.Type.WindowActivate:
                self._raised_at = self._clock()
            case QEvent.Type.WindowDeactivate:
                self._raised_at = None
            case _:
                pass
        return super().eventFilter(watched, event)

    def _arm(self) -> None:
        self._armed = True
        self.armed_changed.emit(True)


class DeliberateButton(QPushButton):
    """Never a default button; keys press it only where Tab or a click has put the focus on it."""

    def __init__(self, text: str, deliberation: Deliberation, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._deliberation = deliberation
        self._on_purpose = False
        self._focused_at = 0.0
        self.setAutoDefault(False)
        self.setDefault(False)
        deliberation.armed_changed.connect(self._forget_purpose)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._deliberation.accepts_press():
            super().mousePressEvent(event)
        else:
            event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second half of a double click is no second decision."""
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._on_purpose = event.reason() in _ON_PURPOSE
        self._focused_at = self._deliberation.now
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in _PRESS_KEYS:
            super().keyPressEvent(event)
            return
        event.accept()
        bare = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        meant = self._on_purpose and self._deliberation.accepts_key(self._focused_at)
        if meant and bare and not event.isAutoRepeat():
            self.click()

    def _forget_purpose(self, armed: bool) -> None:
        if not armed:
            self._on_purpose = False
