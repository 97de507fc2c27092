"""What tokens cost, as a table to edit: the person's own rows first, then those that ship, which can be overridden."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from callgate.core.catalog.prices import DEFAULT_PRICES, PRICE_FIELDS, Price
from callgate.core.errors import UserFault
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import L, M, S, Theme
from callgate.ui.traffic.price_book import PriceBook

_TITLES: Final = ("Model", "Input", "Output", "Cached", "Cache written")
_SIZE: Final = (620, 480)
_ABOUT: Final = (
    "US dollars for a million tokens. * and ? stand for any letters in a model's name; the first row that fits counts. "
    "Leave “cached” empty where it costs what input costs."
)


class PriceEditor(QDialog):
    def __init__(self, book: PriceBook, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("priceEditor")
        self.setWindowTitle("Prices")
        self.setModal(False)
        self.resize(*_SIZE)
        self._book, self._theme = book, theme
        self.table = QTableWidget(0, len(_TITLES))
        self.table.setObjectName("priceTable")
        self.table.setAccessibleName("Prices")
        self.table.setHorizontalHeaderLabels(list(_TITLES))
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setShowGrid(False)
        self.table.setStyleSheet(f"QTableView::item {{ padding: 0 {S - 3}px; }}")
        for column in range(len(_TITLES)):
            side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
            heading = self.table.horizontalHeaderItem(column)
            assert heading is not None
            heading.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self.table.verticalHeader().hide()
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setHighlightSections(False)
        self.problem = plain_label(tone="danger", wrap=True)
        self.problem.hide()
        self.add_button, self.remove_button = QPushButton("Add model"), QPushButton("Remove")
        self.save_button, close_button = QPushButton("Save"), QPushButton("Close")
        self.save_button.setProperty("kind", "primary")
        self._arrange(close_button)
        self.add_button.clicked.connect(lambda: self.add_row())
        self.remove_button.clicked.connect(self._remove)
        self.save_button.clicked.connect(self._save)
        close_button.clicked.connect(self.close)
        theme.changed.connect(self._draw)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_prices()

    def show_prices(self) -> None:
        self.table.setRowCount(0)
        self._say(self._book.problem)
        for price in self._book.own:
            self._put(self.table.rowCount(), price, is_own=True)
        for price in DEFAULT_PRICES:
            self._put(self.table.rowCount(), price, is_own=False)

    def add_row(self) -> None:
        """An empty row among the person's own, ready to be written in."""
        row = len(self._own_rows())
        self._put(row, None, is_own=True)
        self.table.setCurrentCell(row, 0)
        self.table.editItem(self._cell(row, 0))

    def _arrange(self, close_button: QPushButton) -> None:
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.add_button)
        row.addWidget(self.remove_button)
        row.addStretch(1)
        row.addWidget(close_button)
        row.addWidget(self.save_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, L, L, L)
        column.setSpacing(M)
        column.addWidget(plain_label(_ABOUT, "secondary", wrap=True))
        column.addWidget(self.table, 1)
        column.addWidget(self.problem)
        column.addLayout(row)

    def _draw(self) -> None:
        """Rows that ship are fainter, as they cannot be written in."""
        own = self._own_rows()
        for row in range(self.table.rowCount()):
            if row not in own:
                for column in range(len(_TITLES)):
                    self._cell(row, column).setForeground(self._theme.color("text3"))

    def _put(self, row: int, price: Price | None, *, is_own: bool) -> None:
        self.table.insertRow(row)
        texts = [""] * len(_TITLES)
        if price is not None:
            texts = [price.model, *(_spelled(price, name) for name in PRICE_FIELDS)]
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            if column:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if not is_own:
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                item.setForeground(self._theme.color("text3"))
            self.table.setItem(row, column, item)

    def _cell(self, row: int, column: int) -> QTableWidgetItem:
        item = self.table.item(row, column)
        assert item is not None, "a row is put in with all its cells"
        return item

    def _own_rows(self) -> list[int]:
        rows = range(self.table.rowCount())
        return [row for row in rows if self._cell(row, 0).flags() & Qt.ItemFlag.ItemIsEditable]

    def _remove(self) -> None:
        if self.table.currentRow() in self._own_rows():
            self.table.removeRow(self.table.currentRow())
        else:
            self._say("Only your own rows can be removed; a row of yours with the same model overrides one that ships.")

    def _save(self) -> None:
        try:
            self._book.save({model: row for model, row in map(self._read, self._own_rows()) if model or row})
        except UserFault as wrong:
            self._say(str(wrong))
            return
        self._say("")
        self.close()

    def _read(self, row: int) -> tuple[str, dict[str, float]]:
        texts = [self._cell(row, column).text().strip() for column in range(len(_TITLES))]
        model = texts[0]
        return model, {
            name: _number(model, name, text) for name, text in zip(PRICE_FIELDS, texts[1:], strict=True) if text
        }

    def _say(self, words: str) -> None:
        self.problem.setText(words)
        self.problem.setVisible(bool(words))


def _spelled(price: Price, name: str) -> str:
    value = getattr(price, name)
    return "" if value is None else f"{value:g}"


def _number(model: str, name: str, text: str) -> float:
    try:
        return float(text.removeprefix("$").replace(",", "."))
    except ValueError:
        raise UserFault(f"The price of {model or 'the new row'}: {name} must be a number, not {text!r}.") from None
