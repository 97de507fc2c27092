"""The rows of the palette."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from callgate.ui.palette.ranking import Hit

HIT: Final = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex
_TOP: Final = QModelIndex()


class PaletteModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hits: tuple[Hit, ...] = ()

    def show_hits(self, hits: Sequence[Hit]) -> None:
        self.beginResetModel()
        self._hits = tuple(hits)
        self.endResetModel()

    def hit(self, row: int) -> Hit | None:
        return self._hits[row] if 0 <= row < len(self._hits) else None

    def rowCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        hit = self.hit(index.row())
        if hit is None:
            return None
        entry = hit.entry
        if role == HIT:
            return hit
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (entry.title, entry.detail, entry.kind, entry.keys) if part)
        return None
