"""A list of flat objects as a table: sorted by a click, copied as lines with tabs."""

from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from callgate.core.messages import Json
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.json_tree import one_line
from callgate.ui.text.plain_text import plain_tip
from callgate.ui.theme.theme import SMALL_SIZE, L, S, Theme

ROW_HEIGHT: Final = 24
_SAMPLED: Final = 50
_WIDEST: Final = 320
_NARROWEST: Final = 56
_NO_PARENT: Final = QModelIndex()

Index = QModelIndex | QPersistentModelIndex


class TableModel(QAbstractTableModel):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._columns: tuple[str, ...] = ()
        self._rows: tuple[dict[str, Json], ...] = ()
        self._order: list[int] = []
        self._numbers: frozenset[int] = frozenset()
        """Columns that hold nothing but numbers: their headings stand over them."""
        self.needle = ""

    def set_table(self, columns: tuple[str, ...], rows: tuple[dict[str, Json], ...]) -> None:
        self.beginResetModel()
        self._columns, self._rows = columns, rows
        self._order = list(range(len(rows)))
        looked_at = rows[:_SAMPLED]
        self._numbers = frozenset(
            place for place, name in enumerate(columns) if all(_is_number(row.get(name)) for row in looked_at)
        )
        self.endResetModel()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return reveal(self._columns[section][:80])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in self._numbers else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[self._order[index.row()]]
        column = self._columns[index.column()]
        cell = row.get(column)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return "" if column not in row else cell_text(cell)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(cell) if isinstance(cell, str) and len(cell) > 40 else None
            case Qt.ItemDataRole.TextAlignmentRole if _is_number(cell):
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            case Qt.ItemDataRole.ForegroundRole if cell is None or isinstance(cell, bool):
                return self._theme.color("text3")
            case Qt.ItemDataRole.BackgroundRole if self.needle and self.needle in cell_text(cell).casefold():
                color = self._theme.color("waiting")
                color.setAlphaF(0.25)
                return color
            case _:
                return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.layoutAboutToBeChanged.emit()
        self._order = list(range(len(self._rows)))
        if 0 <= column < len(self._columns):
            name = self._columns[column]
            self._order.sort(
                key=lambda at: _rank(self._rows[at].get(name)), reverse=order == Qt.SortOrder.DescendingOrder
            )
        self.layoutChanged.emit()


class ResultTable(QTableView):
    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.table = TableModel(theme, self)
        self.setModel(self.table)
        self.setAccessibleName(title)
        self.setFont(theme.mono(SMALL_SIZE))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setStyleSheet(f"QTableView {{ background: transparent; }} QTableView::item {{ padding: 0 {S - 3}px; }}")
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        header = self.horizontalHeader()
        header.setFixedHeight(ROW_HEIGHT)
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.setSortIndicatorClearable(True)
        self.setSortingEnabled(True)

    def show_table(self, columns: tuple[str, ...], rows: tuple[dict[str, Json], ...]) -> None:
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.table.set_table(columns, rows)
        metrics = QFontMetrics(self.font())
        for number, column in enumerate(columns):
            texts = [column, *(cell_text(row.get(column))[:60] for row in rows[:_SAMPLED])]
            widest = max(metrics.horizontalAdvance(text) for text in texts) + 2 * L
            self.setColumnWidth(number, min(_WIDEST, max(_NARROWEST, widest)))
        self.scrollToTop()

    def set_needle(self, needle: str) -> None:
        if needle != self.table.needle:
            self.table.needle = needle
            self.viewport().update()

    def height_of_rows(self, rows: int) -> int:
        """With the heading, and a scroll bar where the columns need one."""
        wide = self.horizontalHeader().length() > max(1, self.viewport().width())
        bar = self.horizontalScrollBar().sizeHint().height() if wide else 0
        return (min(rows, self.table.rowCount()) + 1) * ROW_HEIGHT + bar

    def sizeHint(self) -> QSize:
        return QSize(240, self.height_of_rows(12))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if sideways or (self.hasFocus() and self.verticalScrollBar().maximum()):
            super().wheelEvent(event)
        else:
            event.ignore()

    def _copy(self) -> None:
        lines: dict[int, list[str]] = {}
        for index in sorted(self.selectedIndexes(), key=lambda index: (index.row(), index.column())):
            lines.setdefault(index.row(), []).append(str(index.data()))
        if lines:
            QGuiApplication.clipboard().setText("\n".join("\t".join(cells) for cells in lines.values()))


def _is_number(cell: Json) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def cell_text(cell: Json) -> str:
    return reveal(cell.replace("\n", " ⏎ ")) if isinstance(cell, str) else one_line(cell)


def _rank(cell: Json) -> tuple[int, float, str]:
    """Numbers before words, nothing last."""
    match cell:
        case bool():
            return 1, float(cell), ""
        case int() | float():
            return 0, float(cell), ""
        case None:
            return 3, 0.0, ""
        case _:
            return 2, 0.0, cell_text(cell).casefold()
