"""The traffic panel: filter, table, counts. Reads the journal by pages and follows the bus; knows no other panel."""

import re
import time
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPoint, QRect, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QGuiApplication,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from callgate.core.events import Event, ProxyChanged
from callgate.core.rules.match import Expression
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.shell.palette_entry import PaletteEntry
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import SMALL_SIZE, XS, M, S, Theme
from callgate.ui.traffic.delegate import BARS, bar_color
from callgate.ui.traffic.filter_field import FilterField
from callgate.ui.traffic.history import TrafficHistory
from callgate.ui.traffic.inspector.captured import captures
from callgate.ui.traffic.inspector.copy_as import as_curl, as_python, client_call, client_har
from callgate.ui.traffic.inspector.head import CopyForm
from callgate.ui.traffic.inspector.inspector import DEFAULT_ADDRESS
from callgate.ui.traffic.model import TrafficModel
from callgate.ui.traffic.price_book import PriceBook
from callgate.ui.traffic.price_editor import PriceEditor
from callgate.ui.traffic.row import NUMBERS, TrafficRow
from callgate.ui.traffic.table import TrafficTable
from callgate.ui.widgets.empty_state import EmptyState

_SWATCH = QSize(10, 6)


class DurationLegend(QWidget):
    """What the colours of the duration bars mean, in one line. Knows the colours, no rows."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("durationLegend")
        self.setAccessibleName("Colours of the duration: " + ", ".join(words for _, _, words in BARS))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._theme.ui(SMALL_SIZE))
        width = sum(_SWATCH.width() + XS + metrics.horizontalAdvance(words) + M for _, _, words in BARS)
        return QSize(width, metrics.height() + 2 * XS)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = self._theme.ui(SMALL_SIZE)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        left, middle = 0, self.height() // 2
        for name, _, words in BARS:
            swatch = QRect(left, middle - _SWATCH.height() // 2, _SWATCH.width(), _SWATCH.height())
            painter.fillRect(swatch, bar_color(self._theme, name))
            left += _SWATCH.width() + XS
            painter.setPen(self._theme.color("text3"))
            room = QRect(left, 0, metrics.horizontalAdvance(words) + 2, self.height())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), words)
            left += metrics.horizontalAdvance(words) + M
        painter.end()


_TICK_MS: Final = 500
"""How often the duration of what is live grows."""
_LOWEST: Final = 96
_LEGEND_FROM: Final = 1000
"""Width from which there is room to tell what the colours mean."""
_ROUNDS_KEY: Final = "traffic/rounds"
_FORMS: Final[dict[CopyForm, str]] = {"curl": "curl", "python": "Python", "har": "HAR entry"}
_SPELLED: Final = {"curl": as_curl, "python": as_python}
_SAID_MS: Final = 1600
"""How long a word about what was just done stands where the counts stand."""
_PATHS: Final = re.compile(r"(?:args|result)\.[\w.-]*\w(?=[:=~<>])")
"""Fields whose values must be dug for."""


class TrafficPanel(QWidget):
    selected = Signal(object)
    """The `TrafficRow` under the keyboard; None = none."""
    open_requested = Signal(str)
    """The person wants to see a conversation."""
    inspect_requested = Signal()
    """The person wants to see the bytes of what is selected."""

    def __init__(
        self,
        console: Console,
        bridge: Bridge,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        prices: PriceBook | None = None,
        settings: QSettings | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        as_pane(self)
        self._console, self._bridge, self._theme, self._clock = console, bridge, theme, clock
        self._settings = settings
        self._address = DEFAULT_ADDRESS
        self._begun = False
        self.model = TrafficModel(prices.table if prices is not None else None, self, console.wire_service.is_mcp)
        self.price_editor = PriceEditor(prices, theme, self) if prices is not None else None
        self.filter = FilterField(theme, self._values)
        self.table = TrafficTable(theme, self.model, settings=settings)
        self.history = TrafficHistory(console, bridge, self.model, self, self._looks_for_more)
        self._legend = DurationLegend(theme)
        self._count = plain_label(tone="hint")
        self.rounds = QToolButton()
        self.earlier = QToolButton()
        self._prices = QToolButton()
        self._none = EmptyState(
            theme, "traffic", "No traffic yet", "Every request that an agent sends through Callgate appears here."
        )
        self._no_match = EmptyState(theme, "search", "Nothing matches", action="Clear filter")
        self._stack = QStackedWidget()
        self._ticking = QTimer(self)
        self._ticking.setInterval(_TICK_MS)
        self._build()
        self._connect(prices)
        self._show_counts()

    @property
    def current(self) -> TrafficRow | None:
        return self.model.row_at(self.table.currentIndex())

    def focus_filter(self) -> None:
        self.filter.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.line.selectAll()

    def reveal(self, exchange_id: str, number: int) -> bool:
        """Shows an exchange, or a round of it, to whoever follows the selection, also where a filter hides its row.

        False: the table does not have it.
        """
        rows = self.model.fold.groups.get(exchange_id, ())
        row = next((row for row in rows if row.round == number), rows[0] if rows else None)
        if row is not None and not self.table.select_row(row.id):
            self.selected.emit(row)
        return row is not None

    def forget_conversation(self, conversation_id: str) -> None:
        self.model.forget_conversation(conversation_id)

    def apply(self, batch: tuple[Event, ...]) -> None:
        for event in batch:
            if isinstance(event, ProxyChanged) and event.address:
                self._address = event.address
        self.model.apply(batch)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ticking.start()
        if not self._begun:
            self._begun = True
            self.history.read()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._legend.setVisible(event.size().width() >= _LEGEND_FROM)
        for widget in (self._count, self._legend):
            widget.setFixedHeight(self.filter.line.sizeHint().height())  # in its dress by now: one line with the field

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._ticking.stop()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hands the keyboard on: to the rows, or where there are none to the filter."""
        super().focusInEvent(event)
        (self.table if self.table.isVisible() else self.filter.line).setFocus(event.reason())

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.rounds.setText("Rounds")
        self.rounds.setCheckable(True)
        with_rounds = self._settings is None or str(self._settings.value(_ROUNDS_KEY, "true")).lower() == "true"
        self.rounds.setChecked(with_rounds)
        self.model.set_with_rounds(with_rounds)
        self.rounds.setToolTip("Show each round of an exchange that took several")
        self.earlier.setText("Load earlier")
        self.earlier.setToolTip("Read older exchanges from the journal")
        self.earlier.hide()
        self._prices.setText("Prices…")
        self._prices.setToolTip("What tokens cost, model by model")
        head = QHBoxLayout()
        head.setContentsMargins(S, S, S, XS)
        head.setSpacing(S)
        head.addWidget(self.filter, 1)
        for widget in (self._legend, self._count, self.earlier, self.rounds, self._prices):
            head.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
        for page in (self._none, self._no_match, self.table):
            self._stack.addWidget(page)
        self._stack.setMinimumHeight(_LOWEST)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._stack, 1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _connect(self, prices: PriceBook | None) -> None:
        self.filter.changed.connect(self._filter_by)
        self.filter.left.connect(self._to_table)
        self.filter.line.textEdited.connect(self._warm)
        self.model.filter_failed.connect(self.filter.show_problem)
        for changed in (self.model.modelReset, self.model.rowsInserted, self.model.rowsRemoved):
            changed.connect(lambda *_: self._show_counts())
        self.model.dataChanged.connect(self._tell_if_current)
        self.rounds.toggled.connect(self.model.set_with_rounds)
        self.rounds.toggled.connect(self._keep_rounds)
        self.earlier.clicked.connect(self.history.read)
        self.history.changed.connect(self._show_history)
        self._prices.setVisible(self.price_editor is not None)
        if prices is not None and self.price_editor is not None:
            prices.changed.connect(self.model.set_prices)
            self._prices.clicked.connect(self.price_editor.show)
            PaletteEntry(self, "Traffic", "Edit the prices of models", self.price_editor.show, kind="setting")
        self._no_match.button.clicked.connect(self.filter.clear)
        self.table.selectionModel().currentRowChanged.connect(lambda index, _: self._tell(index))
        self.table.open_pressed.connect(self._open)
        self.table.inspect_pressed.connect(self.inspect_requested)
        self.table.filter_pressed.connect(self.focus_filter)
        self.table.doubleClicked.connect(lambda _: self.inspect_requested.emit())
        self.table.customContextMenuRequested.connect(self._menu)
        self._ticking.timeout.connect(self._tick)
        self._bridge.batch.connect(self.apply)

    # ---- history ---------------------------------------------------------------------------------------------------

    def _looks_for_more(self) -> bool:
        """A filter is asked of all that was ever recorded, not only of what happens to be here."""
        return self.model.filtered and self.isVisible()

    def _show_history(self) -> None:
        self.earlier.setVisible(self.history.has_more and not self.history.is_reading)
        self._show_counts()

    # ---- the person ------------------------------------------------------------------------------------------------

    def _filter_by(self, expression: Expression) -> None:
        self.model.set_filter(expression)
        if self.history.has_more and self._looks_for_more():
            self.history.read()

    def _keep_rounds(self, with_rounds: bool) -> None:
        if self._settings is not None:
            self._settings.setValue(_ROUNDS_KEY, with_rounds)

    def _warm(self, text: str) -> None:
        """A field that is being typed is looked up in all rows before its value is there."""
        for found in _PATHS.finditer(text):
            self.model.warm(found.group())

    def _to_table(self) -> None:
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.table.choose_first()

    def _open(self) -> None:
        row = self.current
        if row is not None:
            self.open_requested.emit(row.conversation_id)

    def _tell(self, index: QModelIndex) -> None:
        self.selected.emit(self.model.row_at(index))

    def _tell_if_current(self, first: QModelIndex, last: QModelIndex) -> None:
        if first.row() <= self.table.currentIndex().row() <= last.row():
            self.selected.emit(self.current)

    def _menu(self, point: QPoint) -> None:
        row = self.model.row_at(self.table.indexAt(point))
        if row is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open conversation\tReturn", lambda: self.open_requested.emit(row.conversation_id))
        menu.addAction("Inspect wire\tSpace", self.inspect_requested.emit)
        menu.addSeparator()
        for form, words in _FORMS.items():
            menu.addAction(self._theme.icon("copy"), f"Copy as {words}", lambda form=form: self.copy_as(row, form))
        menu.addSeparator()
        for field, value in (("agent", row.agent), ("model", row.model), ("endpoint", row.endpoint)):
            if value:
                menu.addAction(f"Only {field} {value}", self._narrower(field, value))
        for tool in list(dict.fromkeys(call.tool for call in row.calls))[:5]:
            menu.addAction(f"Only calls of {tool}", self._narrower("tool", tool))
        menu.popup(self.table.viewport().mapToGlobal(point))

    def _narrower(self, field: str, value: str) -> Callable[[], None]:
        quoted = '"' + value.replace('"', '\\"') + '"'
        return lambda: self.filter.set_text(f"{self.filter.line.text().strip()} {field}={quoted}".strip())

    def copy_as(self, row: TrafficRow, form: CopyForm) -> None:
        def start() -> None:
            self._bridge.start(self._copy_as(row, form), self, f"copying as {_FORMS[form]}")

        QTimer.singleShot(0, self, start)

    async def _copy_as(self, row: TrafficRow, form: CopyForm) -> None:
        held = captures(await self._console.wire(row.exchange_id))
        call = client_call(row, held, self._address)
        if call is None:
            self._count.setText("Nothing was captured of it")
        else:
            text = client_har(row, held, self._address) if form == "har" else _SPELLED[form](call)
            QGuiApplication.clipboard().setText(text)
            self._count.setText("Copied")
        QTimer.singleShot(_SAID_MS, self, self._show_counts)

    # ---- keeping up ------------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        self.model.tick(self._clock())

    def _show_counts(self) -> None:
        total = len(self.model.fold)
        if total == 0:
            self._stack.setCurrentWidget(self._none)
        elif self.model.rowCount() == 0:
            self._no_match.set_texts(
                "Nothing matches", f"None of the {total:,} exchanges fits “{self.filter.line.text().strip()}”."
            )
            self._stack.setCurrentWidget(self._no_match)
        else:
            self._stack.setCurrentWidget(self.table)
        noun = "exchange" if total == 1 else "exchanges"
        shown = f"{self.model.shown_exchanges:,} of {total:,}" if self.model.filtered else f"{total:,} {noun}"
        reading = ", reading earlier…" if self.history.is_reading and self.model.filtered else ""
        self._count.setText(f"{shown}{reading}" if total else "")

    def _values(self, field: str) -> Sequence[str]:
        """What a field holds in the rows that are here, for completion."""
        if field in NUMBERS:
            return ()
        return sorted(value for value in self.model.values(field) if isinstance(value, str) and value)
