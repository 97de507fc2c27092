"""The sources as rows. Shows what it is given; asks nobody."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from callgate.engine.source_desk import SourceView
from callgate.ui.reveal import reveal
from callgate.ui.sources.state_look import KIND_WORDS, ORIGIN_WORDS, STATE_LOOKS, tool_words

Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()


class SourceRole(IntEnum):
    VIEW = Qt.ItemDataRole.UserRole + 1
    SEARCHED = Qt.ItemDataRole.UserRole + 2


class SourceModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._views: list[SourceView] = []

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._views)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._views):
            return None
        view = self._views[index.row()]
        match role:
            case SourceRole.VIEW:
                return view
            case SourceRole.SEARCHED:
                return f"{view.name} {KIND_WORDS[view.kind]} {view.where} {STATE_LOOKS[view.state].word} {view.server}"
            case Qt.ItemDataRole.DisplayRole:
                return reveal(view.name)
            case Qt.ItemDataRole.AccessibleTextRole:
                said = (view.name, STATE_LOOKS[view.state].word, tool_words(view.tools), KIND_WORDS[view.kind])
                return reveal(", ".join((*said, ORIGIN_WORDS[view.origin], view.reason)).rstrip(", "))
            case _:
                return None

    def view_at(self, row: int) -> SourceView | None:
        return self._views[row] if 0 <= row < len(self._views) else None

    def row_of(self, name: str) -> int:
        """-1 = there is none."""
        return next((at for at, view in enumerate(self._views) if view.name == name), -1)

    def set_views(self, views: Sequence[SourceView]) -> None:
        """Takes the sources as they are now; rows that stay are not touched, so that a selection stays too."""
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
