"""Garbage collection on the main thread only.

Python's collector runs on whichever thread happens to allocate; if that is a worker and the garbage holds Qt objects,
their destructors run off the GUI thread and the process dies. So collecting is switched off, and done here by a timer,
which also keeps it out of the middle of a burst of deltas.
"""

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 1000


class MainThreadCollector(QObject):
    """Alive from its making until `close`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thresholds = gc.get_threshold()
        self._was_enabled = gc.isenabled()
        gc.disable()
        # `gc.disable` alone does not last: parso, behind the tools that read code, enables collecting after each file
        # that it finds in its cache
        gc.set_threshold(0)
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """Collects the oldest generation that is due, as Python itself would."""
        counts = gc.get_count()
        for generation in (2, 1, 0):
            if counts[generation] > self._thresholds[generation]:
                gc.collect(generation)
                return

    def close(self) -> None:
        """The last to go: what is left of the window is collected here, before any other thread may do so."""
        self._timer.stop()
        gc.collect()
        gc.set_threshold(*self._thresholds)
        if self._was_enabled:
            gc.enable()
