"""Which presses and keys count: the one place that decides it, for every button and chord that does something for good.

| | input | outcome |
|---|---|---|
| a | a press that decides nothing (Deny…, Edit, Answer…, ⋯, tabs, chips, fields, scrolling) | works, armed or not |
| b | a press on what decides, while no window of the program was active, or just as one became active | absorbed |
| b | the same while any window of the program is active, also one that was shown without activation | counts |
| b | a chord within `RAISE_MS` of the program coming to the front | absorbed: it was on its way elsewhere |
| c | any of them within `ARM_MS` of another call being shown under the pointer | nothing |
| d | Ctrl+Enter | approves what is shown; in Edit and Answer it sends what was written; nothing in a denial |
| e | after an absorbed press, or letters that no field took: a chord, or a click without moving | absorbed |
| e | the same after the pointer has moved to a button, or Tab or a click has put the focus on a field | counts |
| f | Ctrl+Backspace, Shift+click on Deny… | denies at once |

Rules d and f are carried out by `decision` and routed by `decision_chords`; everything else is here. Knows widgets and
time; knows nothing of approvals.
"""

import math
import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QCursor,
    QEnterEvent,
    QFocusEvent,
    QGuiApplication,
    QHideEvent,
    QInputEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
)
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from callgate.ui.desktop.x11_focus import X11Focus
from callgate.ui.theme.tokens import RADIUS

ARM_MS: Final = 400
"""Longer than a click that was already under way when the buttons appeared."""
RAISE_MS: Final = 250
"""A window manager activates and forwards the click within this time."""
SWAP_MS: Final = 30
"""From one window of the program to another there may be a moment without an active one."""
STALL_MS: Final = 10_000
"""A press that seems to be older than this has a time by another clock, of an X server on another machine."""
SECOND_MS: Final = 5000
"""Where the platform never activates a window, the click after an absorbed one counts within this time."""
MOVED: Final = 4
"""Pixels: more than a hand trembles when it clicks again at the same place."""
HOLD_MS: Final = 700
"""Longer than any click or double click, short enough not to be a punishment."""
_LOOK_MS: Final = 25
_FRAME_MS: Final = 16
_FILL_ALPHA: Final = 0.32
"""Of the progress over the button: seen at once, and the words stay readable through it."""

FROM_ELSEWHERE: Final = "That click only activated the window. Click again to confirm."
NOT_MOVED: Final = "Move the pointer, then click again to confirm."
KEYS_FROM_ELSEWHERE: Final = "Those keys came while the window was being activated. Press them again to confirm."
STRAY: Final = "Typing decides nothing here. Move the pointer to a button, or press Tab, to decide."

_ON_PURPOSE: Final = frozenset(
    {
        Qt.FocusReason.TabFocusReason,
        Qt.FocusReason.BacktabFocusReason,
        Qt.FocusReason.MouseFocusReason,
        Qt.FocusReason.ShortcutFocusReason,
    }
)
_PRESS_KEYS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Select})
_TYPING: Final = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier


class Foreground(QObject):
    """Whether a window of the program is active, since when, and whether the person is known to look at it.

    One for the whole program: a press in one window must not be judged by what another window knows.
    """

    strayed = Signal()
    """Letters were typed that no field took."""

    def __init__(
        self, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic, *, active: bool = False
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._active = active
        self._left_at = self._came_at = self._absorbed_at = -math.inf
        self._doubted: QPoint | None = None
        """Where the pointer was when something arrived that was not meant for this program; None = nothing did."""
        self._went_away = False
        """It has moved off that place since, to nothing that decides."""
        # a window manager that grabs the pointer keeps from the widgets that it has left them
        self._pointer = QTimer(self)
        self._pointer.setInterval(_LOOK_MS)
        self._pointer.timeout.connect(lambda: self.pointer_went(QCursor.pos()))
        self._server: X11Focus | None = None

    @classmethod
    def of_program(cls) -> "Foreground":
        """The one of the running application, made when it is first wanted."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        known = app.findChild(cls, options=Qt.FindChildOption.FindDirectChildrenOnly)
        if known is None:
            known = cls(app, active=app.applicationState() == Qt.ApplicationState.ApplicationActive)
            # widgets and states only: Python's view of a QWindow does not survive the platform making it anew
            app.applicationStateChanged.connect(known._state_changed)
            app.focusChanged.connect(known._focus_moved)
            known._watch(app.activeWindow())
            if QGuiApplication.platformName() == "xcb":
                known._server = X11Focus(lambda: known.move(False), lambda visited: known.move(True, visited=visited))
                app.installNativeEventFilter(known._server)
        return known

    @property
    def doubtful(self) -> bool:
        return self._doubted is not None

    def just_came(self, age: float = 0.0) -> bool:
        """Whether a press or key that was made `age` seconds ago may have been aimed at another program."""
        return self._clock() - age - self._came_at < RAISE_MS / 1000

    def is_from_elsewhere(self, age: float = 0.0) -> bool:
        """Whether a press that was made `age` seconds ago began while no window of the program was active."""
        if self._active:
            # one press was under way when the window came; after it, rule e looks at the pointer
            return self.just_came(age) and self._absorbed_at < self._came_at - RAISE_MS / 1000
        # the window manager forwards the press before it activates the window, or never activates it
        return not RAISE_MS / 1000 <= self._clock() - self._absorbed_at < SECOND_MS / 1000

    def age_of(self, event: QInputEvent) -> float:
        """How long ago the person made it, in seconds, where that is known: a busy program reads late, and must not
        judge by when it read. An X server stamps input with the machine's monotonic clock, in 32 bits of milliseconds.
        """
        if self._server is None:
            return 0.0
        age = (int(self._clock() * 1000) - event.timestamp()) % 2**32
        return age / 1000 if age < STALL_MS else 0.0

    def move(self, active: bool, *, visited: bool = False) -> None:
        """A window of the program became active, or none is any more; `visited`: another program was, in between."""
        if active == self._active:
            return
        now, self._active = self._clock(), active
        if not active:
            self._left_at = now
        elif visited or now - self._left_at >= SWAP_MS / 1000:
            self._came_at = now

    def absorb(self, pointer: QPoint) -> None:
        self._absorbed_at = self._clock()
        self.doubt(pointer)

    def doubt(self, pointer: QPoint) -> None:
        self._doubted, self._went_away = pointer, False
        self._pointer.start()

    def trust(self) -> None:
        self._doubted = None
        self._pointer.stop()

    def pointer_at(self, place: QPoint) -> None:
        """The pointer is on a button that decides; one that slid under a resting pointer proves nothing."""
        if self._went_away or self._is_off(place):
            self.trust()

    def pointer_went(self, place: QPoint) -> None:
        """The pointer is there, whatever it is on."""
        if self._is_off(place):
            self._went_away = True
            self._pointer.stop()

    def _is_off(self, place: QPoint) -> bool:
        return self._doubted is not None and (place - self._doubted).manhattanLength() >= MOVED

    def _state_changed(self, state: Qt.ApplicationState) -> None:
        self.move(state == Qt.ApplicationState.ApplicationActive)
        self._watch(QApplication.activeWindow())

    def _focus_moved(self, _before: QWidget | None, now: QWidget | None) -> None:
        self._watch(QApplication.activeWindow() if now is None else now.window())

    def _watch(self, window: QWidget | None) -> None:
        """To notice what is typed into it and taken by no field."""
        if window is not None:
            window.installEventFilter(self)  # a second time is the same as once

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A key comes to the window itself only where nothing in it had a use for it."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and is_typing(event):
            self.doubt(QCursor.pos())
            self.strayed.emit()
        return False


def is_typing(event: QKeyEvent) -> bool:
    """Whether a key is part of a text, not a command."""
    return bool(event.text().strip()) and event.text().isprintable() and not event.modifiers() & ~_TYPING


class ClickGuard(QObject):
    """Watches the widget that holds the buttons. `arm_ms=0`: nothing is guarded, for tests that mean every click."""

    armed_changed = Signal(bool)
    absorbed = Signal(str)
    """A press or chord was taken for one that was not meant; why, and what to do."""

    def __init__(
        self,
        widget: QWidget,
        arm_ms: int = ARM_MS,
        clock: Callable[[], float] = time.monotonic,
        foreground: Foreground | None = None,
    ) -> None:
        super().__init__(widget)
        self._widget = widget
        self._arm_ms = arm_ms
        self._clock = clock
        self._armed = arm_ms == 0
        self._armed_at = -math.inf
        self.foreground = Foreground.of_program() if foreground is None else foreground
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._arm)
        widget.installEventFilter(self)

    @property
    def armed(self) -> bool:
        return self._armed

    @property
    def now(self) -> float:
        return self._clock()

    def rearm(self) -> None:
        """Something else is shown now: the buttons need a moment before they count."""
        if self._arm_ms == 0:
            return
        self._timer.stop()
        self._armed = False
        self.armed_changed.emit(False)
        if self._widget.isVisible():
            self._timer.start(self._arm_ms)

    def accepts_key(self, focused_at: float, age: float = 0.0) -> bool:
        """Asked by a button when a key goes down on it; a key that was on its way to another widget comes at once."""
        if self._arm_ms == 0:
            return True
        return self.accepts_chord(age) and self._clock() - age - focused_at >= RAISE_MS / 1000

    def accepts_press(self, place: QPoint, age: float = 0.0) -> bool:
        """Asked when the mouse goes down on something that decides; `place`: on the screen, `age`: seconds ago."""
        if self._arm_ms == 0:
            return True
        if self.foreground.is_from_elsewhere(age):
            self.foreground.absorb(place)
            self._widget.activateWindow()
            self.absorbed.emit(FROM_ELSEWHERE)
            return False
        self.foreground.pointer_at(place)
        if self.foreground.doubtful:
            self.absorbed.emit(NOT_MOVED)
            return False
        return self._was_armed(age)

    def accepts_chord(self, age: float = 0.0) -> bool:
        """Asked when keys that decide come."""
        if self._arm_ms == 0:
            return True
        if self.foreground.just_came(age):
            self.foreground.absorb(QCursor.pos())
            self.absorbed.emit(KEYS_FROM_ELSEWHERE)
            return False
        if self.foreground.doubtful:
            self.absorbed.emit(STRAY)
            return False
        return self._was_armed(age)

    def accepts_field_key(self, *, written: bool) -> bool:
        """Asked when Enter comes in a field of the bar; `written`: the text in it shows that it was meant."""
        return self._arm_ms == 0 or (self._armed and (written or not self.foreground.just_came()))

    def watch_field(self, field: QWidget) -> None:
        """A field near the buttons: focused on purpose, it shows that the person is here."""
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.FocusIn and isinstance(event, QFocusEvent):
            if event.reason() in _ON_PURPOSE:
                self.foreground.trust()
        elif watched is self._widget and kind == QEvent.Type.Show:
            self.rearm()
        elif watched is self._widget and kind == QEvent.Type.Hide:
            # no signal: a widget that is being destroyed hides too, and its parts may be gone
            self._timer.stop()
            self._armed = self._arm_ms == 0
        return super().eventFilter(watched, event)

    def _was_armed(self, age: float) -> bool:
        """Whether it was when the press or key was made, not only by now."""
        return self._armed and self._clock() - age >= self._armed_at

    def _arm(self) -> None:
        self._armed, self._armed_at = True, self._clock()
        self.armed_changed.emit(True)


class GuardedButton(QPushButton):
    """Never a default button; keys press it only where Tab or a click has put the focus on it.

    With `set_hold`, a press counts when it has lasted; `clicked` then comes with `held` true. A click that came another
    way (assistive technology, code) still emits `clicked`, with `held` false: the receiver asks.
    """

    let_go = Signal()
    """It was pressed, and not for long enough."""

    def __init__(self, text: str, guard: ClickGuard, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._guard = guard
        self._on_purpose = False
        self._focused_at = 0.0
        self._hold_ms = 0
        self._held_since: float | None = None
        self._held = False
        self._decides = True
        self._decides_shifted = False
        self._shifted = False
        self._frames = QTimer(self)
        self._frames.setInterval(_FRAME_MS)
        self._frames.setTimerType(Qt.TimerType.PreciseTimer)
        self._frames.timeout.connect(self._go_on)
        self.setAutoDefault(False)
        self.setDefault(False)
        self.setMouseTracking(True)
        guard.armed_changed.connect(self._forget_purpose)

    # ---- what a press means ----------------------------------------------------------------------------------------

    @property
    def shifted(self) -> bool:
        """Whether the click that is being handled was made with Shift."""
        return self._shifted

    def set_decides(self, decides: bool, *, shifted: bool = False) -> None:
        """False: a press only opens something, and is never swallowed. `shifted`: with Shift it decides."""
        self._decides, self._decides_shifted = decides, shifted

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
        return min(1.0, (self._guard.now - self._held_since) * 1000 / self._hold_ms)

    def set_hold(self, milliseconds: int) -> None:
        """How long it must be pressed; 0 = a click will do."""
        if milliseconds != self._hold_ms:
            self._hold_ms = milliseconds
            self._stop_hold()

    def _begin_hold(self) -> None:
        self._held_since = self._guard.now
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
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._shifted = shift and self._decides_shifted
        place = event.globalPosition().toPoint()
        self._guard.foreground.pointer_at(place)
        if (self._decides or self._shifted) and not self._guard.accepts_press(
            place, self._guard.foreground.age_of(event)
        ):
            event.accept()
        elif self._hold_ms:
            if event.button() == Qt.MouseButton.LeftButton:
                self._begin_hold()
            event.accept()
        else:
            super().mousePressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._guard.foreground.pointer_at(event.globalPosition().toPoint())
        super().enterEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._guard.foreground.pointer_at(event.globalPosition().toPoint())
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

    def click(self) -> None:
        """Assistive technology and code: never with Shift."""
        self._shifted = False
        super().click()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._on_purpose = event.reason() in _ON_PURPOSE
        if self._on_purpose and event.reason() != Qt.FocusReason.MouseFocusReason:
            self._guard.foreground.trust()  # of the mouse its way is judged, not where it ended
        self._focused_at = self._guard.now
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
        if not self._on_purpose or not bare or event.isAutoRepeat():
            return
        self._shifted = False
        if self._decides and not self._guard.accepts_key(self._focused_at, self._guard.foreground.age_of(event)):
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
