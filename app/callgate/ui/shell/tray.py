"""Noticing from afar: an icon that counts what waits, a menu, and notifications that name tool and agent only.

Nothing is said of calls that a rule let through, and nothing of arguments: a notification is seen by whoever is in the
room. Works on events alone, so also while the window is hidden. Decides nothing.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Final

from PySide6.QtCore import QObject, QSettings, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, Qt
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.events import Event, GateChanged, InvocationChanged
from callgate.core.gate_mode import GateMode, GateModeKind
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.shell.gate_switch import MODES
from callgate.ui.shell.palette_entry import PaletteEntry
from callgate.ui.shell.tray_badge import tray_icon
from callgate.ui.shell.tray_port import TrayPort
from callgate.ui.text.hidden_characters import reveal_name
from callgate.ui.theme.theme import Theme

QUIET_SECONDS: Final = 3600.0
LISTED: Final = 5
"""Calls in the menu; the window shows all."""
_LONGEST: Final = 60
"""Characters of a name in a notification; names come from strangers."""
PAUSE_MS: Final = 3000
"""Between two notifications; what comes meanwhile is told in one."""
AGAIN_MS: Final = 1000
"""After a call came while the person looked: whether they still do."""
_SOUND: Final = "notice/sound"
_TOLD: Final = "notice/told_hidden"


def person_looks() -> bool:
    return QGuiApplication.applicationState() == Qt.ApplicationState.ApplicationActive


class Tray(QObject):
    open_requested = Signal()
    """Show the window."""
    approvals_requested = Signal()
    call_requested = Signal(str)
    """Show a call that waits; invocation id."""
    observe_wanted = Signal()
    """The person wants to open the gate; the window must ask first."""
    quiet_changed = Signal(bool)
    """Do not disturb: nothing may come up by itself."""
    quit_requested = Signal()
    attention_wanted = Signal()
    """Calls wait that the person does not look at: the desktop should mark the window, with or without a tray."""

    def __init__(
        self,
        console: Console,
        bridge: Bridge,
        theme: Theme,
        settings: QSettings,
        port: TrayPort,
        parent: QObject | None = None,
        *,
        looks: Callable[[], bool] = person_looks,
        beep: Callable[[], None] = QApplication.beep,
        pause_ms: int = PAUSE_MS,
        again_ms: int = AGAIN_MS,
    ) -> None:
        """`looks`: whether the person has a window of the program in front, and needs no notification."""
        super().__init__(parent)
        self._console, self._theme, self._settings, self._port = console, theme, settings, port
        self._looks, self._beep = looks, beep
        self._waiting = {call.id: call for call in console.waiting()}
        self._told = ""
        """The call that the notification on show is about."""
        self._untold: dict[str, Invocation] = {}
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(pause_ms)
        self._pause.timeout.connect(self._notify)
        # a desktop says late that the person has gone elsewhere, and a call may come just as they go
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(again_ms)
        self._again.timeout.connect(self._look_again)
        self._listed: list[tuple[str, str]] = []
        self._call_actions: list[QAction] = []
        self.menu = QMenu()
        self._fill()
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.timeout.connect(lambda: self._disturb_again())
        port.set_menu(self.menu)
        port.clicked.connect(self.open_requested)
        port.message_clicked.connect(self._message_clicked)
        bridge.batch.connect(self.apply)
        theme.changed.connect(self.refresh)
        self.refresh()

    # ---- what happens ----------------------------------------------------------------------------------------------

    @property
    def is_available(self) -> bool:
        return self._port.is_available()

    @property
    def is_quiet(self) -> bool:
        return self._quiet.isActive()

    def offer(self, window: QWidget) -> None:
        """What its menu sets, for whoever looks for it by name in the window."""
        for action, words in (
            (self._quiet_action, "Notifications: do not disturb for 1 hour"),
            (self._sound, "Notifications: sound"),
        ):
            told = partial(_switching, action, words)
            PaletteEntry(window, "Notifications", words, action.trigger, words=told, kind="setting")

    def apply(self, batch: tuple[Event, ...]) -> None:
        began: dict[str, Invocation] = {}
        touched = False
        for event in batch:
            match event:
                case InvocationChanged():
                    touched = True
                    self._follow(event.invocation, began)
                case GateChanged():
                    touched = True
                case _:
                    pass
        if touched:
            self.refresh()
        if began and not self.is_quiet:
            self._untold |= began
            if self._looks():
                self._again.start()
            elif not self._pause.isActive():
                self._notify()

    def say_hidden(self) -> None:
        """The window was closed and the program goes on: said once, for good."""
        if self._settings.value(_TOLD, False, type=bool):
            return
        self._settings.setValue(_TOLD, True)
        self._told = ""
        self._port.notify("Callgate is still running", "It keeps guarding tool calls. Quit from this icon's menu.")

    def close(self) -> None:
        self._quiet.stop()
        self._pause.stop()
        self._again.stop()
        self._port.hide()
        self.menu.deleteLater()

    def _follow(self, invocation: Invocation, began: dict[str, Invocation]) -> None:
        known = self._waiting.get(invocation.id)
        if not invocation.is_waiting:
            self._waiting.pop(invocation.id, None)
            self._untold.pop(invocation.id, None)
            began.pop(invocation.id, None)
        else:
            self._waiting[invocation.id] = invocation
            if known is None or known.state != invocation.state:
                began[invocation.id] = invocation

    # ---- telling ---------------------------------------------------------------------------------------------------

    def _look_again(self) -> None:
        if not self._pause.isActive():
            self._notify()

    def _notify(self) -> None:
        """Tells in one of all calls that came since the last time, unless the person looks by now."""
        calls = () if self.is_quiet or self._looks() else tuple(self._untold.values())
        self._untold.clear()
        if not calls:
            return
        self._pause.start()
        self._told = calls[0].id
        self._port.notify(self._title(calls), _told_of(calls))
        self.attention_wanted.emit()
        if self._settings.value(_SOUND, False, type=bool):
            self._beep()

    def _title(self, calls: Sequence[Invocation]) -> str:
        reviews = sum(call.state == "WaitingForPostApproval" for call in calls)
        if len(calls) == 1:
            title = "Tool result needs review" if reviews else "Tool call needs approval"
        else:
            title = (
                f"{len(calls)} {'tool results need review' if reviews == len(calls) else 'tool calls need approval'}"
            )
        return title if len(self._waiting) == len(calls) else f"{title} · {len(self._waiting)} waiting"

    def _message_clicked(self) -> None:
        if self._told in self._waiting:
            self.call_requested.emit(self._told)
        else:
            self.open_requested.emit()

    def refresh(self) -> None:
        """Count and mode as they are now; nobody publishes that the time of an open gate is over."""
        count = len(self._waiting)
        mode = self._console.gate_mode
        tip = f"Callgate: {count} waiting" if count else "Callgate: nothing waiting"
        if mode.kind == "observe":
            tip += ". The gate only observes"
        self._approvals.setText(f"Approvals ({count})" if count else "Approvals")
        self._list_calls()
        self._port.show(tray_icon(self._theme, count, is_open=mode.kind == "observe"), tip, count)

    # ---- the menu --------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        self._action("trayOpen", "Open Callgate", self.open_requested.emit)
        self._approvals = self._action("trayApprovals", "Approvals", self.approvals_requested.emit)
        self._modes: dict[GateModeKind, QAction] = {}
        self._below_calls = self.menu.addSeparator()
        gate = self.menu.addMenu("Gate")
        for kind, words, _ in MODES:
            action = gate.addAction(f"{words}…" if kind == "observe" else words)
            action.setCheckable(True)
            action.triggered.connect(self._chooser(kind))
            self._modes[kind] = action
        self.menu.addSeparator()
        self._quiet_action = self._action("trayQuiet", "Do not disturb for 1 hour", self._switch_quiet)
        self._quiet_action.setCheckable(True)
        self._sound = self._action("traySound", "Sound", lambda: None)
        self._sound.setCheckable(True)
        self._sound.setChecked(bool(self._settings.value(_SOUND, False, type=bool)))
        self._sound.toggled.connect(lambda on: self._settings.setValue(_SOUND, on))
        self.menu.addSeparator()
        self._action("trayQuit", "Quit", self.quit_requested.emit)
        self.menu.aboutToShow.connect(self._mark_mode)
        self._mark_mode()

    def _list_calls(self) -> None:
        """The oldest calls under their heading, each a way to its card. Names only, as everywhere on the desktop."""
        listed = [(call.id, f"{_name(call.tool)}  ·  {_name(call.agent)}") for call in islice(self._calls(), LISTED)]
        if listed == self._listed:
            return
        self._listed = listed
        for action in self._call_actions:
            self.menu.removeAction(action)
            action.deleteLater()
        self._call_actions = [self._call_action(*entry) for entry in listed]
        self.menu.insertActions(self._below_calls, self._call_actions)

    def _calls(self) -> list[Invocation]:
        return sorted(self._waiting.values(), key=lambda call: call.started)

    def _call_action(self, invocation_id: str, words: str) -> QAction:
        action = QAction("    " + words.replace("&", "&&"), self.menu)
        action.setObjectName(f"trayCall:{invocation_id}")
        action.triggered.connect(lambda: self.call_requested.emit(invocation_id))
        return action

    def _action(self, name: str, words: str, run: Callable[[], None]) -> QAction:
        action = self.menu.addAction(words)
        action.setObjectName(name)
        action.triggered.connect(lambda _=False: run())
        return action

    def _chooser(self, kind: GateModeKind) -> Callable[[], None]:
        return lambda: self._choose(kind)

    def _choose(self, kind: GateModeKind) -> None:
        if kind == "observe":
            self.observe_wanted.emit()
        else:
            self._console.set_gate_mode(GateMode(kind))
        self._mark_mode()

    def _mark_mode(self) -> None:
        now = self._console.gate_mode.kind
        for kind, action in self._modes.items():
            action.setChecked(kind == now)

    # ---- do not disturb --------------------------------------------------------------------------------------------

    def _switch_quiet(self) -> None:
        if self._quiet_action.isChecked():
            self._quiet.start(int(QUIET_SECONDS * 1000))
            self.quiet_changed.emit(True)
        else:
            self._quiet.stop()
            self._disturb_again()

    def _disturb_again(self) -> None:
        """The hour is over, or was ended: what has come in the meantime is told now."""
        self._quiet_action.setChecked(False)
        self.quiet_changed.emit(False)
        self._untold = {call.id: call for call in self._calls()}
        self._notify()


def _switching(action: QAction, words: str) -> str:
    """What choosing it would do now."""
    return f"{words}: {'off' if action.isChecked() else 'on'}"


def _told_of(calls: Sequence[Invocation]) -> str:
    first = calls[0]
    tool, agent = _name(first.tool), _name(first.agent)
    if len(calls) == 1:
        review = first.state == "WaitingForPostApproval"
        return f"{tool} has run for {agent}: review its result" if review else f"{agent} wants to run {tool}"
    named = list(dict.fromkeys(_name(call.tool) for call in calls))
    more = f" and {len(named) - 3} other tools" if len(named) > 3 else ""
    return f"{agent}: {', '.join(named[:3])}{more}"


def _name(text: str) -> str:
    shown = reveal_name(" ".join(text.split())) or "an agent"
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"
