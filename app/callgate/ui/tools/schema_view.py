"""The parameters of a tool as a tree that can be read, searched and copied. Shows rows; reads no schema itself."""

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from PySide6.QtCore import QModelIndex, QRect, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLineEdit, QStackedWidget, QTreeView, QVBoxLayout, QWidget

from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, L, S, Theme
from callgate.ui.tools.schema_delegate import HEAD, SchemaDelegate
from callgate.ui.tools.schema_model import Index, SchemaModel, SchemaRole
from callgate.ui.tools.schema_rows import SchemaRow

MOST_WRAPPED: Final = 120
"""Rows whose texts are wrapped in full; with more, each is cut to a line, and the chosen one is shown in full below."""
SEARCHED_FROM: Final = 12
"""Rows from which on it is worth a line to search them."""
_MOST_OPEN: Final = 400
AT_ONCE: Final = 40
"""Rows of a long list that are shown before the rest is read: a screenful."""
SLICE_SECONDS: Final = 0.005
_AT_A_TIME: Final = 20


class SchemaTree(QTreeView):
    def __init__(self, theme: Theme, model: SchemaModel, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._delegate = SchemaDelegate(theme, self)
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setObjectName("schemaTree")
        self.setAccessibleName(name)
        self.setHeaderHidden(True)
        self.setIndentation(L)
        self._delegate.indentation = L
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        theme.changed.connect(self.viewport().update)

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """The arrow stands beside the name, however many lines a row has."""
        super().drawBranches(
            painter, QRect(rect.left(), rect.top(), rect.width(), min(rect.height(), HEAD + 2 * XS)), index
        )

    def prepare(self, rows: int, nested: bool) -> None:
        """Told how much comes before it comes."""
        self._delegate.wrapped = rows <= MOST_WRAPPED
        self.setUniformRowHeights(not self._delegate.wrapped)
        self.setRootIsDecorated(nested)
        self._delegate.width = self._room(nested)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = self._room(self.rootIsDecorated())
        if self._delegate.wrapped and width != self._delegate.width:
            self._delegate.width = width
            self.scheduleDelayedItemsLayout()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().data(SchemaRole.ROW)
        if event.matches(QKeySequence.StandardKey.Copy) and isinstance(row, SchemaRow):
            QGuiApplication.clipboard().setText(spelled(str(self.currentIndex().data(SchemaRole.PATH)), row))
        else:
            super().keyPressEvent(event)

    def _room(self, nested: bool) -> int:
        return self.viewport().width() - (L if nested else 0)


class SchemaView(QWidget):
    def __init__(self, theme: Theme, name: str, empty: str, parent: QWidget | None = None) -> None:
        """`name`: for assistive technology; `empty` is said where there are no rows."""
        super().__init__(parent)
        self._model = SchemaModel(self)
        self.tree = SchemaTree(theme, self._model, name)
        self.search = QLineEdit()
        self.search.setObjectName("schemaSearch")
        self.search.setAccessibleName("Find a parameter")
        self.search.setPlaceholderText("Find a parameter…")
        self._whole = plain_label(tone="secondary", selectable=True, wrap=True)
        self._whole.setObjectName("schemaWhole")
        self._rows: tuple[SchemaRow, ...] = ()
        self._read: list[SchemaRow] = []
        self._coming: Iterator[SchemaRow] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)
        self._empty = plain_label(empty, "hint", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.tree)
        self._stack.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addWidget(self.search)
        column.addWidget(self._stack, 1)
        column.addWidget(self._whole)
        self.search.textChanged.connect(self._narrow)
        self.tree.selectionModel().currentChanged.connect(self._tell)

    @property
    def rows(self) -> tuple[SchemaRow, ...]:
        """What is shown now."""
        return tuple(row for row in self._rows if self._fits(row))

    @property
    def is_complete(self) -> bool:
        """False: the first rows are shown, the others are still being read."""
        return self._coming is None

    def show_rows(self, rows: Iterable[SchemaRow]) -> None:
        """The first ones at once, the rest when all of it is read: a slice at a time, so that nothing stands still."""
        self._timer.stop()
        self._coming = iter(rows)
        self._read = list(islice(self._coming, MOST_WRAPPED + 1))
        if len(self._read) <= MOST_WRAPPED:
            self._coming = None
            self._begin(tuple(self._read))
        else:
            self._begin(tuple(self._read[:AT_ONCE]))
            self._timer.start(0)

    def _go_on(self) -> None:
        began = time.perf_counter()
        while self._coming is not None and time.perf_counter() - began < SLICE_SECONDS:
            more = list(islice(self._coming, _AT_A_TIME))
            self._read += more
            if len(more) < _AT_A_TIME:
                self._coming = None
        if self._coming is None:
            self._begin(tuple(self._read))
        else:
            self._timer.start(0)

    def _begin(self, rows: tuple[SchemaRow, ...]) -> None:
        self._rows = rows
        self.search.setVisible(len(rows) >= SEARCHED_FROM)
        self.search.setPlaceholderText(f"Find one of {len(rows):,} parameters…")
        self.search.blockSignals(True)
        self.search.clear()
        self.search.blockSignals(False)
        self._fill(rows)

    def _fill(self, rows: tuple[SchemaRow, ...]) -> None:
        nested = any(row.depth for row in rows)
        self.tree.prepare(len(rows), nested)
        self._model.show_rows(rows)
        if nested and len(rows) <= _MOST_OPEN:
            self.tree.expandAll()
        self._stack.setCurrentWidget(self.tree if rows else self._empty)
        self._tell()

    def _narrow(self) -> None:
        """What is found stands flat: its path says where it belongs."""
        wanted = self.search.text().strip()
        if not wanted:
            self._fill(self._rows)
            return
        self._fill(tuple(SchemaRow(_path, 0, r.type, r.required, r.description, r.notes) for _path, r in self._found()))

    def _found(self) -> list[tuple[str, SchemaRow]]:
        found: list[tuple[str, SchemaRow]] = []
        above: list[str] = []
        for row in self._rows:
            del above[row.depth :]
            above.append(row.name)
            if self._fits(row):
                found.append((".".join(above), row))
        return found

    def _fits(self, row: SchemaRow) -> bool:
        words = self.search.text().lower().split()
        text = f"{row.name} {row.type} {row.description}".lower()
        return all(word in text for word in words)

    def _tell(self) -> None:
        index: QModelIndex = self.tree.currentIndex()
        row = index.data(SchemaRole.ROW)
        cut = len(self._rows) > MOST_WRAPPED and isinstance(row, SchemaRow)
        self._whole.setVisible(cut)
        if cut and isinstance(row, SchemaRow):
            self._whole.setText(reveal(spelled(str(index.data(SchemaRole.PATH)), row)))
            self._whole.setContentsMargins(0, XS, S, S)


def spelled(path: str, row: SchemaRow) -> str:
    """All that is known of a parameter, as text."""
    needed = ", required" if row.required else ""
    return "\n".join(filter(None, (f"{path}: {row.type}{needed}", row.description.strip(), " · ".join(row.notes))))
