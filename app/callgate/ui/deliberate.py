"""The safety of the hand: telling a press that was meant from one that merely landed on a button.

A button that decides must not take the click that brought its window to the front, a click aimed at what was there a
moment ago, a key typed for another window, or a key that is held down. One that does harm wants to be held. Knows
widgets and time; knows nothing of approvals.
"""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from callgate.ui.tokens import RADIUS

ARM_MS: Final = 400
"""Longer than a click that was already under way when the buttons appeared."""
RAISE_MS: Final = 250
"""A window manager activates and forwards the click within this time."""
HOLD_MS: Final = 700
"""Longer than any click or double click, short enough not to be a punishment."""
_FRAME_MS: Final = 16
_FILL_ALPHA: Final = 0.32
"""Of the progress over the button: seen at once, and the words stay readable through it."""

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
        if self._raised_at is None and not self._widget.isActiveWindow():
            # this press raises the window; the next one counts, even where the platform never activates it
            self._raised_at = self._clock()
            self._widget.activateWindow()
        return self.accepts_shortcut()

    def accepts_shortcut(self) -> bool:
        """Asked when keys that decide come; those typed for another window arrive right after this one came forward."""
        if self._arm_ms and self._raised_at is not None and self._clock() - self._raised_at < RAISE_MS / 1000:
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
    """Never a default button; keys press it only where Tab or a click has put the focus on it.

    With `set_hold`, a press counts when it has lasted; `clicked` then comes with `held` true. A click that came another
    way (assistive technology, code) still emits `clicked`, with `held` false: the receiver asks.
    """

    let_go = Signal()
    """It was pressed, and not for long enough."""

    def __init__(self, text: str, deliberation: Deliberation, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._deliberation = deliberation
        self._on_purpose = False
        self._focused_at = 0.0
        self._hold_ms = 0
        self._held_since: float | None = None
        self._held = False
        self._frames = QTimer(self)
        self._frames.setInterval(_FRAME_MS)
        self._frames.setTimerType(Qt.TimerType.PreciseTimer)
        self._frames.timeout.connect(self._go_on)
        self.setAutoDefault(False)
        self.setDefault(False)
        deliberation.armed_changed.connect(self._forget_purpose)

    # ---- holding ---------------------------------------------------------------------------------------------------

    @property
    def held(self) -> bool:
        """True while `clicked` is emitted because the button was held long enough."""
        return self._held

    @property
    def progress(self) -> float:
        """Of the hold that is under way, from 0 to 1."""
        if self._held_since is None or not self._hold_ms:
            return 0.0
        return min(1.0, (self._deliberation.now - self._held_since) * 1000 / self._hold_ms)

    def set_hold(self, milliseconds: int) -> None:
        """How long it must be pressed; 0 = a click will do."""
        if milliseconds != self._hold_ms:
            self._hold_ms = milliseconds
            self._stop_hold()

    def _begin_hold(self) -> None:
        self._held_since = self._deliberation.now
        self.setDown(True)
        self._frames.start()

    def _go_on(self) -> None:
        self.update()
        if self.progress >= 1.0:
            self._stop_hold()
            self._held = True
            try:
                self.clicked.emit()
            finally:
                self._held = False

    def _stop_hold(self) -> bool:
        """True: one was under way."""
        under_way, self._held_since = self._held_since is not None, None
        self._frames.stop()
        if under_way:
            self.setDown(False)
            self.update()
        return under_way

    def _release(self) -> None:
        if self._stop_hold():
            self.let_go.emit()

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._deliberation.accepts_press():
            event.accept()
        elif self._hold_ms:
            if event.button() == Qt.MouseButton.LeftButton:
                self._begin_hold()
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held_since is None:
            super().mouseMoveEvent(event)
        elif not self.rect().contains(event.position().toPoint()):
            self._release()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held_since is None:
            super().mouseReleaseEvent(event)
        else:
            self._release()
            event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second half of a double click is no second decision."""
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._on_purpose = event.reason() in _ON_PURPOSE
        self._focused_at = self._deliberation.now
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._stop_hold()
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._stop_hold()
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.EnabledChange:
            self._stop_hold()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in _PRESS_KEYS:
            super().keyPressEvent(event)
            return
        event.accept()
        bare = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        meant = self._on_purpose and self._deliberation.accepts_key(self._focused_at)
        if not meant or not bare or event.isAutoRepeat():
            return
        if self._hold_ms:
            self._begin_hold()
        else:
            self.click()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() not in _PRESS_KEYS:
            super().keyReleaseEvent(event)
            return
        event.accept()
        if not event.isAutoRepeat():
            self._release()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The button, filling up while it is held."""
        super().paintEvent(event)
        if self._held_since is None:
            return
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)
        fill = QColor(self.palette().buttonText().color())
        fill.setAlphaF(_FILL_ALPHA)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipPath(shape)
        painter.fillRect(QRectF(0, 0, self.width() * self.progress, self.height()), fill)

    def _forget_purpose(self, armed: bool) -> None:
        if not armed:
            self._on_purpose = False
            self._stop_hold()
