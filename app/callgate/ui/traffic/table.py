"""The traffic table as a view: keys, widths, and staying where the person reads. Knows rows by their ids only."""

from typing import Final

from PySide6.QtCore import QByteArray, QEvent, QModelIndex, QPoint, QSettings, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QMenu, QTableView, QWidget

from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.columns import COLUMNS, DURATION, TIME
from callgate.ui.traffic.delegate import HEIGHT, TrafficDelegate
from callgate.ui.traffic.model import TrafficModel
from callgate.ui.traffic.row import TrafficRow

_SMALLEST: Final = 40
_COLUMNS_KEY: Final = f"traffic/columns{len(COLUMNS)}"
"""With their number: what was kept of other columns says nothing of these."""


class TrafficTable(QTableView):
    open_pressed = Signal()
    inspect_pressed = Signal()
    filter_pressed = Signal()

    def __init__(
        self, theme: Theme, model: TrafficModel, parent: QWidget | None = None, *, settings: QSettings | None = None
    ) -> None:
        """`settings`: where the widths, the order, the sorting and the choice of columns are kept."""
        super().__init__(parent)
        self._settings = settings
        self.setObjectName("trafficTable")
        self.setAccessibleName("Traffic")
        self._rows = model
        self._at_end = self._was_at_end = True
        self._current, self._top = "", ""
        self.setModel(model)
        self.setItemDelegate(TrafficDelegate(theme, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._build_headers()
        theme.changed.connect(self.viewport().update)
        model.modelAboutToBeReset.connect(self._note_place)
        model.modelReset.connect(self._find_place)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._note_end)
        bar.rangeChanged.connect(lambda _low, _high: self._follow())

    def _build_headers(self) -> None:
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(HEIGHT)
        columns.setHighlightSections(False)
        columns.setSectionsMovable(True)
        columns.setMinimumSectionSize(_SMALLEST)
        columns.setSortIndicator(TIME, Qt.SortOrder.AscendingOrder)
        for number, column in enumerate(COLUMNS):
            self.setColumnWidth(number, column.width)
        columns.setSectionResizeMode(DURATION, QHeaderView.ResizeMode.Stretch)
        self.setSortingEnabled(True)
        self._recall_columns()
        columns.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        columns.customContextMenuRequested.connect(self._offer_columns)
        for changed in (columns.sectionMoved, columns.sectionResized, columns.sortIndicatorChanged):
            changed.connect(lambda *_: self._keep_columns())

    # ---- columns ---------------------------------------------------------------------------------------------------

    def _recall_columns(self) -> None:
        held = self._settings.value(_COLUMNS_KEY) if self._settings is not None else None
        columns = self.horizontalHeader()
        if isinstance(held, QByteArray) and columns.restoreState(held):
            columns.setSectionResizeMode(DURATION, QHeaderView.ResizeMode.Stretch)
            self._rows.sort(columns.sortIndicatorSection(), columns.sortIndicatorOrder())

    def _keep_columns(self) -> None:
        if self._settings is not None:
            self._settings.setValue(_COLUMNS_KEY, self.horizontalHeader().saveState())

    def columns_menu(self) -> QMenu:
        """Which columns are on show; the time stays, for whoever hides all others."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for number, column in enumerate(COLUMNS):
            action = menu.addAction(column.title)
            action.setCheckable(True)
            action.setChecked(not self.isColumnHidden(number))
            action.setEnabled(number != TIME)
            action.toggled.connect(lambda shown, number=number: self._show_column(number, shown))
        menu.addSeparator()
        menu.addAction("Columns as they were at first", self._reset_columns)
        return menu

    def _offer_columns(self, point: QPoint) -> None:
        self.columns_menu().popup(self.horizontalHeader().mapToGlobal(point))

    def _show_column(self, number: int, shown: bool) -> None:
        self.setColumnHidden(number, not shown)
        self._keep_columns()

    def _reset_columns(self) -> None:
        columns = self.horizontalHeader()
        for number, column in enumerate(COLUMNS):
            self.setColumnHidden(number, False)
            columns.moveSection(columns.visualIndex(number), number)
            if number != DURATION:
                self.setColumnWidth(number, column.width)
        self.sortByColumn(TIME, Qt.SortOrder.AscendingOrder)
        self._keep_columns()

    # ---- keys ------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """A slash looks for traffic here, though elsewhere it looks for tools."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _wants_filter(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_J | Qt.Key.Key_K if not event.modifiers():
                self._step(1 if event.key() == Qt.Key.Key_J else -1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self.currentIndex().isValid():
                self.open_pressed.emit()
            case Qt.Key.Key_Space | Qt.Key.Key_I if self.currentIndex().isValid() and not event.modifiers():
                self.inspect_pressed.emit()
            case _ if _wants_filter(event):
                self.filter_pressed.emit()
            case _:
                super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        row = self.currentIndex().row() + by
        if 0 <= row < self._rows.rowCount():
            self.setCurrentIndex(self._rows.index(row, max(0, self.currentIndex().column())))

    # ---- staying where one reads -----------------------------------------------------------------------------------

    def _note_end(self) -> None:
        bar = self.verticalScrollBar()
        self._at_end = bar.value() >= bar.maximum()

    def _follow(self) -> None:
        """What comes is followed as long as its end is in sight."""
        if self._at_end:
            bar = self.verticalScrollBar()
            bar.setValue(bar.maximum())

    @property
    def chosen(self) -> TrafficRow | None:
        """The selected row: merely getting the keyboard makes one current, which nobody has chosen."""
        selected = self.selectionModel().selectedRows() if self.selectionModel() is not None else []
        return self._rows.row_at(selected[0]) if selected else None

    def _note_place(self) -> None:
        self._was_at_end = self._at_end
        current, top = self.chosen, self._rows.row_at(self.indexAt(self.rect().topLeft()))
        self._current = current.id if current is not None else self._current
        self._top = top.id if top is not None else ""

    def _find_place(self) -> None:
        place = self._rows.place_of(self._current) if self._current else -1
        if place >= 0:
            self.setCurrentIndex(self._rows.index(place, 0))
        if self._was_at_end and place < 0:
            self.scrollToBottom()
            self._at_end = True  # also where there is nothing to scroll yet
            return
        top = self._rows.place_of(self._top) if self._top else -1
        if top >= 0:
            self.scrollTo(self._rows.index(top, 0), QAbstractItemView.ScrollHint.PositionAtTop)

    def select_row(self, row_id: str) -> bool:
        place = self._rows.place_of(row_id)
        if place < 0:
            return False
        self.setCurrentIndex(self._rows.index(place, 0))
        return True

    def choose_first(self) -> None:
        """For the keyboard coming from the filter: something must be current."""
        if not self.currentIndex().isValid() and self._rows.rowCount():
            self.setCurrentIndex(self._rows.index(0, 0))

    def forget_place(self) -> None:
        self._current = ""
        self.setCurrentIndex(QModelIndex())


def _wants_filter(event: QKeyEvent) -> bool:
    control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
    return (event.key() == Qt.Key.Key_F and bool(control)) or (event.key() == Qt.Key.Key_Slash and not control)
