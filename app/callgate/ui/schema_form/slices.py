"""Work on widgets that is done a little at a time, so that a form of thousands of fields never stalls the window."""

import time
from collections import deque
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

SLICE_S: Final = 0.008
"""Half a frame: what was made must be laid out and drawn too."""


class Slices(QObject):
    done = Signal()
    """Nothing is left to do."""

    def __init__(self, screen: QWidget | None = None) -> None:
        """`screen`: while it can't be seen, the rest of the work waits until `resume`."""
        super().__init__(screen)
        self._screen = screen
        self._until = 0.0
        self._queue: deque[tuple[QObject, Callable[[], None]]] = deque()
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self.go)

    @property
    def is_done(self) -> bool:
        return not self._queue

    def resume(self) -> None:
        """What is looked at now is to be finished."""
        if self._queue:
            self._timer.start()

    def add(self, owner: QObject, work: Callable[[], None]) -> None:
        """Work for a widget; dropped where the widget is gone by then."""
        self._queue.append((owner, work))
        if not self._timer.isActive() and (self._screen is None or self._screen.isVisible()):
            self._timer.start()

    def go(self) -> None:
        """One slice, now."""
        self._work(time.monotonic() + SLICE_S)

    def finish(self) -> None:
        """All that is left, now: for pictures and tests."""
        self._work(float("inf"))

    @property
    def late(self) -> bool:
        """Whether the present slice is used up: what can wait should be added instead of done."""
        return time.monotonic() >= self._until

    def begin(self) -> None:
        """A slice begins with something else than queued work."""
        self._until = time.monotonic() + SLICE_S

    def _work(self, until: float) -> None:
        self._until = until
        while self._queue:
            owner, work = self._queue.popleft()
            if isValid(owner):
                work()
            if time.monotonic() >= until:
                break
        if not self._queue:
            self._timer.stop()
            self.done.emit()
        elif self._screen is not None and not self._screen.isVisible():
            self._timer.stop()
