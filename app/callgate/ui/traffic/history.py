"""Earlier traffic out of the journal, page by page: one at a time, or on and on while a filter looks for something."""

import asyncio
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from callgate.core.events import Event, ExchangeStarted, InvocationChanged
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.traffic.model import MOST_EXCHANGES, TrafficModel

PAGE: Final = 300
"""Exchanges read from the journal at a time."""
_FOLDED_AT_ONCE: Final = 200
"""Events between two turns of the loop."""
_SHARE: Final = 4
"""What was read is shown when it is at least such a part of what is there: each time all of it is put in order anew."""
_REST_S: Final = 0.03
"""Between two pages: the journal has to write too."""


class TrafficHistory(QObject):
    changed = Signal()
    """A page is there, or there is none before it."""

    def __init__(
        self, console: Console, bridge: Bridge, model: TrafficModel, owner: QWidget, reads_on: Callable[[], bool]
    ) -> None:
        """`reads_on`: whether the page after this one is wanted too, without being asked for."""
        super().__init__(owner)
        self._console, self._bridge, self._model, self._owner = console, bridge, model, owner
        self._reads_on = reads_on
        self._oldest: float | None = None
        self._unshown = 0
        self.has_more = False
        """Whether there may be traffic that is older than what is here."""
        self.is_reading = False

    def read(self) -> None:
        """Reads a page: the first time the latest, then the one before what is here."""
        if not self.is_reading:
            self.is_reading = True
            self.changed.emit()
            QTimer.singleShot(0, self, self._start)  # the loop may not run yet while windows are built

    def _start(self) -> None:
        self._bridge.start(self._read(), self._owner, "loading traffic")

    async def _read(self) -> None:
        try:
            await self._read_page()
            while self.has_more and self._reads_on():
                await asyncio.sleep(_REST_S)
                await self._read_page()
        finally:
            self.is_reading = False
            self._show()

    async def _read_page(self) -> None:
        events = await self._console.recent_exchanges(PAGE, self._oldest)
        # what has been heard since the start is whole; of the rest nothing more will come
        self._bridge.flush()
        fold = self._model.fold
        known = set(fold.groups)
        unknown = [event for event in events if _exchange_of(event) not in known]
        for start in range(0, len(unknown), _FOLDED_AT_ONCE):
            fold.apply_all(unknown[start : start + _FOLDED_AT_ONCE])
            await asyncio.sleep(0)
        begun = [event.at for event in events if isinstance(event, ExchangeStarted)]
        self._oldest = min(begun, default=self._oldest)
        self._unshown += len(begun)
        self.has_more = len(begun) == PAGE and len(fold) < MOST_EXCHANGES
        if self._unshown * _SHARE >= len(fold):
            self._show()
        self.changed.emit()

    def _show(self) -> None:
        if self._unshown or not self.has_more:
            self._unshown = 0
            self._model.load(())
        self.changed.emit()


def _exchange_of(event: Event) -> str:
    if isinstance(event, InvocationChanged):
        return event.invocation.exchange_id
    return str(getattr(event, "exchange_id", ""))
