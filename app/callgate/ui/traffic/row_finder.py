"""Finds an exchange that the traffic table does not have: one from long ago, or from a file. Shows nothing itself."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.row import TrafficRow


class RowFinder(QObject):
    found = Signal(object)
    """The `TrafficRow` that was asked for last."""

    def __init__(self, console: Console, bridge: Bridge, owner: QWidget) -> None:
        super().__init__(owner)
        self._console, self._bridge, self._owner = console, bridge, owner
        self._wanted = ("", 0)

    def find(self, exchange_id: str, number: int) -> None:
        """An exchange, or a round of it."""
        if self._bridge.can_start:
            self._wanted = (exchange_id, number)
            self._bridge.start(self._find(exchange_id, number), self._owner, "looking for an exchange")

    async def _find(self, exchange_id: str, number: int) -> None:
        service = self._console.wire_service
        fold = ExchangeFold(is_mcp=service.is_mcp)
        fold.apply_all(await service.exchange(exchange_id))
        rows: tuple[TrafficRow, ...] = (*fold.groups.get(exchange_id, ()), *fold.rounds(exchange_id))
        row = next((row for row in rows if row.round == number), rows[0] if rows else None)
        if row is not None and self._wanted == (exchange_id, number):
            self.found.emit(row)
