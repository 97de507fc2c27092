"""The person's own prices, kept between runs. Knows where settings lie; what they mean is `core.prices`'s business."""

from collections.abc import Mapping
from typing import Final

import orjson
from PySide6.QtCore import QObject, QSettings, Signal

from callgate.core.catalog.prices import DEFAULT_PRICES, Price, PriceTable, read_prices, write_prices
from callgate.core.errors import UserFault

KEY: Final = "traffic/prices"


class PriceBook(QObject):
    changed = Signal(object)
    """The `PriceTable` that counts now."""

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.problem = ""
        """Why what was kept can't be read; the prices that ship are in force then."""
        self.table = self._read()

    @property
    def own(self) -> tuple[Price, ...]:
        return self.table.rows[: len(self.table.rows) - len(DEFAULT_PRICES)]

    def save(self, overrides: Mapping[str, object]) -> None:
        """Raises `UserFault` that names what is wrong; nothing is changed then."""
        self.table = read_prices(overrides)
        self._settings.setValue(KEY, orjson.dumps(write_prices(self.own)).decode())
        self.changed.emit(self.table)

    def _read(self) -> PriceTable:
        kept = self._settings.value(KEY, "")
        try:
            value = orjson.loads(str(kept)) if kept else {}
            return read_prices(value if isinstance(value, dict) else {})
        except (orjson.JSONDecodeError, UserFault) as broken:
            self.problem = f"The prices that were saved can't be read: {broken}"
            return PriceTable()
