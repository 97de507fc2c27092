"""Things with a name as rows of a list, kept in step with what there is. Shows what it is given; asks nobody."""

from collections.abc import Sequence
from typing import Final, Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()


class Named(Protocol):
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=Named)


class NamedRows(QAbstractListModel, Generic[N]):
    """Whoever derives from it says in `shown` what a row shows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._views: list[N] = []

    def shown(self, view: N, role: int) -> object:
        raise NotImplementedError

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._views)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        view = self.view_at(index.row()) if index.isValid() else None
        return None if view is None else self.shown(view, role)

    def view_at(self, row: int) -> N | None:
        return self._views[row] if 0 <= row < len(self._views) else None

    def row_of(self, name: str) -> int:
        """-1 = there is none."""
        return next((at for at, view in enumerate(self._views) if view.name == name), -1)

    def set_views(self, views: Sequence[N]) -> None:
        """Takes them as they are now; rows that stay are not touched, so that a selection stays too."""
        wanted = {view.name for view in views}
        for at in range(len(self._views) - 1, -1, -1):
            if self._views[at].name not in wanted:
                self.beginRemoveRows(_ROOT, at, at)
                del self._views[at]
                self.endRemoveRows()
        for at, view in enumerate(views):
            if at < len(self._views) and self._views[at].name == view.name:
                if self._views[at] != view:
                    self._views[at] = view
                    self.dataChanged.emit(self.index(at), self.index(at))
                continue
            self.beginInsertRows(_ROOT, at, at)
            self._views.insert(at, view)
            self.endInsertRows()
        if len(self._views) > len(views):
            self.beginRemoveRows(_ROOT, len(views), len(self._views) - 1)
            del self._views[len(views) :]
            self.endRemoveRows()
