"""What a person really has on the screen: not minimised, hidden, scrolled away or on another workspace.

`SeenReport` says so of a waiting call, as its deadline runs out only on one that was shown. `Ownership` keeps a window
on the screen whose owner is put away.
"""

from typing import Final, cast

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QWidget

from callgate.core.calls.invocation import Invocation
from callgate.engine.console.console import Console

_LOOK_MS: Final = 500
"""How often it is looked again: no platform tells of every way in which a window goes out of sight."""
_ARRIVAL_MS: Final = 100
"""How often a window that was just shown is looked for."""
_LATE_LOOKS: Final = 15
"""So many looks without the window: the desktop has lost it. A busy one takes some hundred milliseconds."""
_MOST_TRIES: Final = 3


def is_on_screen(widget: QWidget) -> bool:
    window = widget.window()
    handle = window.windowHandle()
    return (
        widget.isVisible()
        and not window.isMinimized()
        and handle is not None
        and handle.isExposed()
        and not widget.visibleRegion().isEmpty()
    )


class SeenReport(QObject):
    """Tells the engine what a view shows of a waiting call is on the screen."""

    def __init__(self, view: QWidget, console: Console) -> None:
        super().__init__(view)
        self._view, self._console = view, console
        self._invocation: Invocation | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)
        view.installEventFilter(self)

    def show_invocation(self, invocation: Invocation | None) -> None:
        self._invocation = invocation
        self._watch()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._watch()
        return False

    def _watch(self) -> None:
        call = self._invocation
        if call is None or not call.is_waiting or call.seen_at is not None or not self._view.isVisible():
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def _look(self) -> None:
        """Says so until the call itself has it: behind a locked screen it does not count."""
        if self._invocation is not None and is_on_screen(self._view):
            self._console.seen(self._invocation.id)


class Ownership(QObject):
    """A window that stands above its parent's window while that is on the screen, and alone while it is not.

    Desktops minimise and hide what belongs to a window together with it.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._owner: QWidget | None = None
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.timeout.connect(self._follow)
        self._arrival = QTimer(self)
        self._arrival.setInterval(_ARRIVAL_MS)
        self._arrival.timeout.connect(self._look_for_it)
        self._looks = self._tries = 0

    @property
    def owner_is_up(self) -> bool:
        parent = self._window.parentWidget()
        return parent is not None and parent.window().isVisible() and not parent.window().isMinimized()

    def choose(self) -> None:
        """Before it is shown, and again after, as showing it gives it back to its parent's window."""
        self._window.winId()  # else there is no window yet that could belong to another
        parent, handle = self._window.parentWidget(), self._window.windowHandle()
        if parent is not None and parent.window() is not self._owner:
            self._owner = parent.window()
            self._owner.installEventFilter(self)
        if handle is None:
            return
        above = self._owner.windowHandle() if self._owner is not None and self.owner_is_up else None
        # a dialog without an owner would belong to all windows of the program, and be minimised with any of them
        kind = Qt.WindowType.Window if above is None else Qt.WindowType.Dialog
        handle.setFlags(handle.flags() & ~Qt.WindowType.WindowType_Mask | kind)
        handle.setTransientParent(cast("QWindow", above))  # None is meant, though the stubs know none

    def show(self) -> None:
        """Onto the screen, without the focus."""
        self._tries = 0
        self._show()

    def come_back(self) -> None:
        """Onto the screen again from wherever it is; one that is only just arriving is left to arrive.

        To hide and show a window that the desktop has not mapped yet makes some window managers lose it.
        """
        if self._window.isVisible() and self._arrival.isActive() and not self._window.isMinimized():
            return
        self._tries = 0
        self._show_again()

    def _show_again(self) -> None:
        self._window.hide()
        self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowMinimized)
        self._show()

    def _show(self) -> None:
        self.choose()
        self._window.show()
        self.choose()
        self._looks = 0
        self._arrival.start()

    def _look_for_it(self) -> None:
        self._looks += 1
        if is_on_screen(self._window) or not self._window.isVisible() or self._window.isMinimized():
            self._arrival.stop()
        elif self._looks >= _LATE_LOOKS:
            self._arrival.stop()
            self._tries += 1
            if self._tries <= _MOST_TRIES:
                self._show_again()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._owner and event.type() in (
            QEvent.Type.WindowStateChange,
            QEvent.Type.Hide,
            QEvent.Type.Show,
        ):
            self._settle.start(0)  # the desktop is still busy with both
        return False

    def _follow(self) -> None:
        if not self._window.isVisible():
            return
        handle = self._window.windowHandle()
        alone = handle is None or handle.transientParent() is None
        if self.owner_is_up == alone:
            self._show_again()
