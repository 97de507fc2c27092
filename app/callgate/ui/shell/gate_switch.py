"""The switch for the gate as a whole, in the toolbar. Says how it stands, counts down, and cannot be overlooked when
it is open. Opening it is only asked for here: the strip under the toolbar confirms."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, QRect, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from callgate.core.events import Event, GateChanged
from callgate.core.gate_mode import GateMode, GateModeKind
from callgate.engine.console.console import Console
from callgate.ui.text.plain_text import set_plain_tip
from callgate.ui.text.time_format import left
from callgate.ui.theme.restyle import set_kind
from callgate.ui.theme.theme import ICON, S, Theme

TICK_MS: Final = 1000
MODES: Final[tuple[tuple[GateModeKind, str, str], ...]] = (
    ("ask", "Ask about everything", "Every call waits for you, whatever rules allow"),
    ("rules", "By rules", "Rules decide; a call that no rule settles waits for you"),
    ("observe", "Observe only", "Calls run without asking; only rules that deny stop one"),
)
_SHORT: Final[dict[GateModeKind, str]] = {"ask": "Ask", "rules": "By rules", "observe": "Observe only"}
_ICONS: Final[dict[GateModeKind, str]] = {"ask": "lock", "rules": "gate", "observe": "warning"}


class GateSwitch(QPushButton):
    observe_wanted = Signal()
    """The person wants to open the gate; nothing is open yet."""
    mode_changed = Signal(GateMode)
    """It stands otherwise now: somebody changed it, or its time was over."""

    def __init__(
        self, console: Console, theme: Theme, parent: QWidget | None = None, *, now: Callable[[], float] = time.time
    ) -> None:
        super().__init__(parent)
        self.setObjectName("gateMode")
        self.setIconSize(theme.icon_size)
        self._console, self._theme, self._now = console, theme, now
        self._mode = console.gate_mode
        self.modes = QMenu(self)
        self._actions = self._make_actions()
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.tick)
        self.clicked.connect(self._open)
        theme.changed.connect(self._show)
        self._follow(self._mode)

    @property
    def mode(self) -> GateMode:
        return self._mode

    def apply(self, batch: tuple[Event, ...]) -> None:
        changes = [event for event in batch if isinstance(event, GateChanged)]
        if changes:
            self._follow(changes[-1].mode.at(self._now()))

    def tick(self) -> None:
        """Time has passed; nobody tells when the time of a mode is over."""
        self._follow(self._mode.at(self._now()))

    def choose(self, kind: GateModeKind) -> None:
        """Stricter at once; more open only after a word about it."""
        if kind == "observe":
            self.observe_wanted.emit()
            self._show()  # the menu has marked it already
        else:
            self._console.set_gate_mode(GateMode(kind))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The button with the caret of a menu at its end."""
        super().paintEvent(event)
        place = QRect(self.width() - ICON - S // 2, (self.height() - ICON) // 2, ICON, ICON)
        self._theme.icon("expanded", self._ink).paint(QPainter(self), place)

    @property
    def _ink(self) -> str:
        if self._mode.kind != "observe":
            return "text2"
        return "canvas" if self._theme.is_dark else "surface"

    def _make_actions(self) -> dict[GateModeKind, QAction]:
        group = QActionGroup(self)
        made: dict[GateModeKind, QAction] = {}
        for kind, words, about in MODES:
            action = self.modes.addAction(f"{words}…" if kind == "observe" else words)
            action.setCheckable(True)
            action.setToolTip(about)
            action.triggered.connect(self._chooser(kind))
            group.addAction(action)
            made[kind] = action
        self.modes.setToolTipsVisible(True)
        return made

    def _chooser(self, kind: GateModeKind) -> Callable[[], None]:
        return lambda: self.choose(kind)

    def _open(self) -> None:
        self.modes.popup(self.mapToGlobal(QPoint(0, self.height())))

    def _follow(self, mode: GateMode) -> None:
        before, self._mode = self._mode, mode
        if mode.until is not None and not self._timer.isActive():
            self._timer.start()
        elif mode.until is None:
            self._timer.stop()
        self._show()
        if mode != before:
            self.mode_changed.emit(mode)

    def _show(self) -> None:
        mode = self._mode
        words = f"Gate: {_SHORT[mode.kind]}"
        if mode.until is not None:
            words += f"  {left(mode.until - self._now())}"
        about = next(about for kind, _, about in MODES if kind == mode.kind)
        set_kind(self, "alarm" if mode.kind == "observe" else "address")
        self.setText(words)
        self.setIcon(self._theme.icon(_ICONS[mode.kind], self._ink))
        self.setAccessibleName(f"Gate mode: {_SHORT[mode.kind]}")
        set_plain_tip(self, about)
        self._actions[mode.kind].setChecked(True)
