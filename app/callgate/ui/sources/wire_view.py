"""The raw messages of a source, searchable, and the selected one as a tree. Asks the desk only for what is new."""

from typing import Final

import orjson
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from callgate.engine.sources.source_service import SourceService
from callgate.ui.sources.wire_model import WireModel, value_of
from callgate.ui.text.json_view import JsonView
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import M, S, Theme
from callgate.ui.widgets.copy_button import CopyButton
from callgate.ui.widgets.empty_state import EmptyState

FETCH_MS: Final = 60
_WIDTHS: Final = (92, 28, 240, 40, 56, 56)
_ROW_HEIGHT: Final = 24


class WireView(QWidget):
    def __init__(self, service: SourceService, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._source = ""
        self._last = -1
        self.model = WireModel(theme, self)
        self._found = _TextFilter(self.model, self)
        self.filter = QLineEdit()
        self.filter.setObjectName("sourceWireFilter")
        self.filter.setAccessibleName("Search messages")
        self.filter.setPlaceholderText("Search messages…")
        self.filter.setClearButtonEnabled(True)
        self._count = plain_label("", "hint")
        self._copy = CopyButton(theme, self._text, "all messages")
        self.clear = QPushButton("Clear")
        self.clear.setObjectName("sourceWireClear")
        self.clear.setProperty("kind", "quiet")
        self._split = QSplitter(Qt.Orientation.Vertical, self)
        self.table = QTableView(self._split)
        self.detail = JsonView(theme, "Selected message", parent=self._split)
        self.detail.hide()
        self._empty = EmptyState(
            theme,
            "network",
            "No messages yet",
            "Everything that Callgate and the server say to each other appears here.",
        )
        self._dress_table()
        self._build()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(FETCH_MS)
        self._pause.timeout.connect(self.fetch)
        self.filter.textChanged.connect(self._search)
        self.clear.clicked.connect(lambda: self._service.clear(self._source))
        self.table.selectionModel().currentRowChanged.connect(self._show)
        theme.changed.connect(self.table.viewport().update)
        hearing = service.on_news(self._heard)
        self.destroyed.connect(lambda: hearing.close())

    def _dress_table(self) -> None:
        table = self.table
        table.setObjectName("sourceWire")
        table.setAccessibleName("Messages")
        table.setModel(self._found)
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(24)
        for column, width in enumerate(_WIDTHS):
            table.setColumnWidth(column, width)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(M, S, M, S)
        row.setSpacing(S)
        row.addWidget(self.filter, 1)
        row.addWidget(self._count)
        row.addWidget(self._copy)
        row.addWidget(self.clear)
        split = self._split
        split.setChildrenCollapsible(False)
        split.addWidget(self.table)
        split.addWidget(self.detail)
        self._stack = QStackedLayout()
        self._stack.addWidget(self._empty)
        held = QWidget()
        inner = QVBoxLayout(held)
        inner.setContentsMargins(S, 0, S, 0)
        inner.addWidget(split)
        self._stack.addWidget(held)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addLayout(self._stack, 1)

    def show_source(self, name: str) -> None:
        if name == self._source:
            return
        self._source, self._last = name, -1
        self.detail.hide()
        self.model.clear()
        self.fetch()

    def fetch(self) -> None:
        fresh = self._service.frames(self._source, self._last) if self._source else ()
        if not fresh and self.model.rowCount() and not self._service.frames(self._source):
            self.model.clear()  # somebody has cleared it
            self.detail.hide()
        if fresh:
            bar = self.table.verticalScrollBar()
            at_end = bar.value() >= bar.maximum() - 1
            self._last = fresh[-1].number
            self.model.add(fresh)
            if at_end and not self.table.currentIndex().isValid():
                self.table.scrollToBottom()
        self._tell()

    def _heard(self, name: str) -> None:
        if name == self._source and not self._pause.isActive():
            self._pause.start()

    def _search(self, text: str) -> None:
        self._found.set_text(text)
        self._tell()

    def _show(self, index: QModelIndex) -> None:
        row = self.model.row_at(self._found.mapToSource(index).row()) if index.isValid() else None
        self.detail.setVisible(row is not None)
        if row is not None:
            value = value_of(row.frame)
            self.detail.set_value(value if isinstance(value, dict | list) else [row.frame.text])

    def _tell(self) -> None:
        count, shown = self.model.rowCount(), self._found.rowCount()
        self._stack.setCurrentIndex(1 if count else 0)
        words = "1 message" if count == 1 else f"{count:,} messages"
        self._count.setText("" if not count else words if shown == count else f"{shown:,} of {words}")

    def _text(self) -> str:
        """One line each, as JSON."""
        rows = (self.model.row_at(row) for row in range(self.model.rowCount()))
        return "\n".join(
            orjson.dumps(
                {"at": row.frame.at, "direction": row.frame.direction, "message": value_of(row.frame) or row.frame.text}
            ).decode()
            for row in rows
            if row is not None
        )


class _TextFilter(QSortFilterProxyModel):
    """Messages that hold the text anywhere."""

    def __init__(self, model: WireModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._wanted = ""
        self.setSourceModel(model)

    def set_text(self, text: str) -> None:
        self._wanted = text.strip().casefold()
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: QModelIndex | QPersistentModelIndex) -> bool:
        found = self._model.row_at(row)
        if found is None or not self._wanted:
            return found is not None
        return self._wanted in found.what.casefold() or self._wanted in found.frame.text.casefold()
