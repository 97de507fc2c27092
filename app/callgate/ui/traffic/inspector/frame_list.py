"""The messages of a call, and the selected one in full below them: as structure, or as it was sent."""

from collections.abc import Iterable

from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QSplitter,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from callgate.core.events import LONGEST_FRAME, FrameCaptured
from callgate.ui.text.json_view import JsonView
from callgate.ui.text.long_text import LongText
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, M, Theme
from callgate.ui.traffic.inspector.frame_model import TITLES, WIDTHS, FrameModel, value_of

_ROW_HEIGHT = 24


class FrameList(QWidget):
    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = FrameModel(theme, self)
        self.table = QTableView()
        self.structure = JsonView(theme, f"{title}: selected message")
        self.raw = LongText(theme, f"{title}: selected message, raw")
        self.raw.text.setProperty("flat", True)
        self.note = plain_label(tone="hint", wrap=True)
        self.note.setContentsMargins(M, XS, M, XS)
        self._is_raw = False
        self._detail = QWidget()
        self._pages = QStackedWidget()
        self._dress(title)
        self._build()
        self.table.selectionModel().currentRowChanged.connect(self._show)
        theme.changed.connect(self.table.viewport().update)

    def set_frames(self, frames: Iterable[FrameCaptured], since: float) -> None:
        self.model.set_frames(frames, since)
        self._detail.hide()

    def add(self, frames: Iterable[FrameCaptured]) -> None:
        self.model.add(frames)

    def select(self, frame_id: str) -> bool:
        """False: it is not here."""
        row = self.model.row_of(frame_id)
        if row < 0:
            return False
        index = self.model.index(row, 0)
        self.table.setCurrentIndex(index)
        # below it stands now what was selected, which takes some of the room
        QTimer.singleShot(0, self, self._bring)
        return True

    @property
    def current(self) -> FrameCaptured | None:
        return self.model.frame_at(self.table.currentIndex().row()) if self.table.currentIndex().isValid() else None

    def _bring(self) -> None:
        self.table.scrollTo(self.table.currentIndex(), QAbstractItemView.ScrollHint.PositionAtCenter)

    def set_raw(self, raw: bool) -> None:
        self._is_raw = raw
        self._show(self.table.currentIndex())

    def _dress(self, title: str) -> None:
        table = self.table
        table.setAccessibleName(title)
        table.setModel(self.model)
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(WIDTHS[1])
        for column, width in enumerate(WIDTHS):
            table.setColumnWidth(column, width)
        header.setSectionResizeMode(len(TITLES) - 1, QHeaderView.ResizeMode.Stretch)

    def _build(self) -> None:
        for page in (self.structure, self.raw):
            self._pages.addWidget(page)
        below = QVBoxLayout(self._detail)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(self.note)
        below.addWidget(self._pages, 1)
        self._detail.hide()
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.table)
        split.addWidget(self._detail)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(split)
        self.setFocusProxy(self.table)

    def _show(self, index: QModelIndex) -> None:
        frame = self.model.frame_at(index.row()) if index.isValid() else None
        self._detail.setVisible(frame is not None)
        if frame is None:
            return
        value = value_of(frame)
        is_raw = self._is_raw or not isinstance(value, dict | list)
        self._pages.setCurrentWidget(self.raw if is_raw else self.structure)
        if is_raw:
            self.raw.show_text(frame.text)
        else:
            self.structure.set_value(value)
        self.note.setText(_note(frame))
        self.note.setVisible(bool(self.note.text()))


def _note(frame: FrameCaptured) -> str:
    if frame.is_cut:
        return f"The first {LONGEST_FRAME:,} of {frame.size:,} bytes are kept."
    if not frame.text:
        return f"What it says ({frame.size:,} bytes) is not kept."
    if frame.joined == "alone":
        return "The server did not say which call this is about; it was the only one that ran."
    return ""
