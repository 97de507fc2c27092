"""Quitting while calls wait: asked once, in a window that holds nothing up. What it asks about goes on meanwhile."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.events import Event, InvocationChanged
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.decision.on_screen import Ownership
from callgate.ui.text.hidden_characters import reveal_name
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import ICON, L, M, S, Theme

_WIDTH: Final = 480
_NAMED: Final = 3
"""Tools that are named; the rest are counted."""
_LONGEST: Final = 40


class LeavingQuestion(QDialog):
    kept = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("leavingQuestion")
        self.setAccessibleName("Quit Callgate?")
        self.setWindowTitle("Quit Callgate?")
        self.setModal(False)
        self._theme = theme
        self._ownership = Ownership(self)
        self._icon = QLabel()
        self._heading = plain_label("", "heading")
        self._heading.setObjectName("leavingHeading")
        self._tools = plain_label("", "secondary", wrap=True)
        self._tools.setObjectName("leavingTools")
        self._words = plain_label("", wrap=True)
        self._words.setObjectName("leavingWords")
        self._keep = self._button("keepRunning", "primary", self.kept)
        self._leave = self._button("denyAndQuit", "danger", self.left)
        self._cancel = self._button("cancelLeaving", "quiet", None)
        self._cancel.setText("Cancel")
        self._keep.setDefault(True)
        self._arrange()
        theme.changed.connect(self._draw)
        self._draw()

    def show_calls(self, calls: Sequence[Invocation], *, tray: bool) -> None:
        count = len(calls)
        several = count != 1
        self._keep.setText("Keep running in the tray" if tray else "Keep running minimised")
        self._tools.setText(_named(calls))
        self._tools.setVisible(bool(calls))
        if not calls:
            self._heading.setText("Nothing waiting any more")
            self._words.setText("Requests that are still running are stopped when you quit.")
            self._leave.setText("Quit")
            return
        self._heading.setText(f"{count} calls are waiting" if several else "1 call is waiting")
        agents = "Their agents get" if several else "Its agent gets"
        self._words.setText(
            f"Quitting denies {'all of them' if several else 'it'} and stops what is running. "
            f"{agents} the answer that you quit Callgate."
        )
        self._leave.setText("Deny them and quit" if several else "Deny it and quit")

    def come_forward(self) -> None:
        if not self.isVisible():
            self.resize(_WIDTH, self.sizeHint().height())
            self._ownership.show()
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()
        self._keep.setFocus(Qt.FocusReason.OtherFocusReason)

    def _button(self, name: str, kind: str, chosen: object) -> QPushButton:
        button = QPushButton()
        button.setObjectName(name)
        button.setProperty("kind", kind)
        button.setAutoDefault(False)
        button.clicked.connect(self.hide)
        if chosen is not None:
            button.clicked.connect(chosen)
        return button

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self._icon)
        head.addWidget(self._heading, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addWidget(self._cancel)
        buttons.addStretch(1)
        buttons.addWidget(self._leave)
        buttons.addWidget(self._keep)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, L, L, L)
        column.setSpacing(M)
        column.addLayout(head)
        column.addWidget(self._tools)
        column.addWidget(self._words)
        column.addStretch(1)
        column.addLayout(buttons)

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("waiting", "waiting").pixmap(ICON, ICON))


class Leaving(QObject):
    """Whether the program may end, and the question where it may not do so unasked."""

    left = Signal()
    """The program is to end: the person wants it, and knows what waits."""

    def __init__(
        self, console: Console, bridge: Bridge, theme: Theme, window: QWidget, *, has_tray: Callable[[], bool]
    ) -> None:
        super().__init__(window)
        self._console, self._window, self._has_tray = console, window, has_tray
        self.question = LeavingQuestion(theme, window)
        self.question.kept.connect(self._keep_running)
        self.question.left.connect(self.left)
        bridge.batch.connect(self.apply)

    def request(self) -> None:
        """The person wants to quit. Once more while the question is up brings that forward."""
        if self.may_leave():
            self.left.emit()

    def may_leave(self) -> bool:
        """True where nothing waits; else the question comes up. An open question is answered by its own buttons."""
        if not self._console.waiting() and not self.question.isVisible():
            return True
        self._refresh()
        self.question.come_forward()
        return False

    def apply(self, batch: tuple[Event, ...]) -> None:
        if self.question.isVisible() and any(isinstance(event, InvocationChanged) for event in batch):
            self._refresh()

    def close(self) -> None:
        self.question.hide()

    def _refresh(self) -> None:
        self.question.show_calls(self._console.waiting(), tray=self._has_tray())

    def _keep_running(self) -> None:
        if self._has_tray():
            self._window.close()
        else:
            self._window.showMinimized()


def _named(calls: Sequence[Invocation]) -> str:
    """Names only, as in a notification: who stands by may read along."""
    counted = Counter(_short(call.tool) for call in calls).most_common()
    named = [name if count == 1 else f"{name} ({count})" for name, count in counted[:_NAMED]]
    rest = len(counted) - _NAMED
    return ", ".join(named) + (f" and {rest} more" if rest > 0 else "")


def _short(name: str) -> str:
    shown = reveal_name(" ".join(name.split()))
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"
