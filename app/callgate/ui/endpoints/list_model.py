"""The endpoints as rows. Shows what it is given; asks nobody."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from callgate.engine.endpoint_desk import EndpointView
from callgate.ui.endpoints.look import ORIGIN_WORDS, key_words, look_of, models_words, wire_words
from callgate.ui.reveal import reveal

Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()


class EndpointRole(IntEnum):
    VIEW = Qt.ItemDataRole.UserRole + 1


class EndpointModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._views: list[EndpointView] = []

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._views)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._views):
            return None
        view = self._views[index.row()]
        match role:
            case EndpointRole.VIEW:
                return view
            case Qt.ItemDataRole.DisplayRole:
                return reveal(view.name)
            case Qt.ItemDataRole.AccessibleTextRole:
                default = "the default" if view.is_default else ""
                said = (view.name, look_of(view).word, default, wire_words(view), models_words(view))
                return reveal(", ".join(filter(None, (*said, key_words(view), ORIGIN_WORDS[view.origin]))))
            case _:
                return None

    def row_of(self, name: str) -> int:
        """-1 = there is none."""
        return next((at for at, view in enumerate(self._views) if view.name == name), -1)

    def set_views(self, views: Sequence[EndpointView]) -> None:
        """Takes the endpoints as they are now; rows that stay are not touched, so that a selection stays too."""
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
