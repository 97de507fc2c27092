"""Server-sent events with the times at which they arrived: a model, and the view of it. Reads no bytes itself."""

from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QSplitter, QTableView, QVBoxLayout, QWidget

from callgate.core.text.sse_capture import SseEvent
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.json_view import JsonView
from callgate.ui.theme.theme import SMALL_SIZE, Theme
from callgate.ui.traffic.inspector.body import event_value
from callgate.ui.traffic.inspector.event_digest import digest

_TITLES: Final = ("At", "After", "Event", "Size", "Data")
_WIDTHS: Final = (66, 74, 150, 54, 60)
_ROW_HEIGHT: Final = 24
_LINE: Final = 300
_DIGESTED: Final = 8000
"""Letters of an event that is read again whenever it is drawn."""
_FINE: Final = 10.0
"""Seconds up to which every millisecond is told: what lies between two events is what one looks for."""
_NO_PARENT: Final = QModelIndex()
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Index = QModelIndex | QPersistentModelIndex


class EventModel(QAbstractTableModel):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._since = 0.0
        self._events: tuple[SseEvent, ...] = ()
        self._font: QFont = theme.mono(SMALL_SIZE)

    def set_events(self, events: tuple[SseEvent, ...], since: float) -> None:
        """`since`: when the request went out. Events that only became more are added."""
        held = len(self._events)
        if since == self._since and held and events[:held] == self._events:
            if len(events) > held:
                self.beginInsertRows(_NO_PARENT, held, len(events) - 1)
                self._events = events
                self.endInsertRows()
            return
        self.beginResetModel()
        self._events, self._since = events, since
        self.endResetModel()

    def event_at(self, row: int) -> SseEvent | None:
        return self._events[row] if 0 <= row < len(self._events) else None

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._events)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(_TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(_TITLES):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _TITLES[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in (0, 1, 3) else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._events):
            return None
        event = self._events[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(event, index.row(), index.column())
            case Qt.ItemDataRole.TextAlignmentRole:
                return _RIGHT if index.column() in (0, 1, 3) else None
            case Qt.ItemDataRole.ForegroundRole:
                return self._theme.color(_ink(event, index.column()))
            case Qt.ItemDataRole.FontRole:
                return self._font if index.column() in (2, 4) else self._theme.ui(SMALL_SIZE)
            case _:
                return None

    def _text(self, event: SseEvent, row: int, column: int) -> str:
        match column:
            case 0:
                return arrival(event.at - self._since)
            case 1:
                return f"+{arrival(event.at - self._events[row - 1].at)}" if row else ""
            case 2:
                return reveal(event.event) or ("comment" if event.comment and not event.data else "data")
            case 3:
                return figures.size(event.size)
            case _:
                cut = "" if event.whole else " (cut off)"
                return reveal(self._told(event, row)[:_LINE].replace("\n", " ")) + cut

    def _told(self, event: SseEvent, row: int) -> str:
        """What is new in it; all of it where nothing is, or where reading it would take long."""
        whole = event.data or event.comment
        before = self._events[row - 1] if row else None
        if before is None or max(len(event.data), len(before.data)) > _DIGESTED:
            return whole
        return digest(event_value(event), event_value(before)) or whole


def arrival(span: float) -> str:
    return f"{max(0, round(span * 1000)):,} ms" if span < _FINE else f"{span:.2f} s"


def _ink(event: SseEvent, column: int) -> str:
    if not event.whole:
        return "denied"
    if event.comment and not event.data:
        return "text3"
    return "text" if column == 4 else "accent" if column == 2 else "text3"


class EventList(QWidget):
    """The list, and what the selected event carries below it."""

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = EventModel(theme, self)
        self.table = QTableView()
        self.table.setAccessibleName(title)
        self.table.setModel(self.model)
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.horizontalHeader().setHighlightSections(False)
        for column, width in enumerate(_WIDTHS):
            self.table.setColumnWidth(column, width)
        self.detail = JsonView(theme, f"{title}: selected event")
        self.detail.hide()
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.table)
        split.addWidget(self.detail)
        column_of_all = QVBoxLayout(self)
        column_of_all.setContentsMargins(0, 0, 0, 0)
        column_of_all.addWidget(split)
        self.setFocusProxy(self.table)
        self.table.selectionModel().currentRowChanged.connect(self._show)
        theme.changed.connect(self.table.viewport().update)

    def set_events(self, events: tuple[SseEvent, ...], since: float) -> None:
        self.model.set_events(events, since)

    def _show(self, index: QModelIndex) -> None:
        event = self.model.event_at(index.row()) if index.isValid() else None
        value = None if event is None else event_value(event)
        self.detail.setVisible(event is not None)
        self.detail.set_value(value if isinstance(value, dict | list) else [value])
