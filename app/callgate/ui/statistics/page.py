"""The statistics page: asks the desk for numbers and shows them as plots. Counts nothing itself."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from callgate.core.catalog.prices import PriceTable
from callgate.core.catalog.statistics import Statistics, TimeRange
from callgate.core.events import Event, ExchangeEnded, InvocationChanged, RoundEnded
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.statistics.board import Board
from callgate.ui.statistics.range_picker import RangePicker
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import L, M, S, Theme
from callgate.ui.widgets.choice_box import ChoiceBox
from callgate.ui.widgets.empty_state import EmptyState

_REFRESH_MS: Final = 1500
"""How soon new numbers follow what happens: often enough to be live, rarely enough to be read."""


class StatisticsPage(QWidget):
    closed = Signal()
    """The person wants back."""
    picked = Signal(str, str)
    """The person wants to see the traffic behind a bar: the field, and its value."""

    def __init__(
        self,
        console: Console,
        bridge: Bridge,
        theme: Theme,
        settings: QSettings | None = None,
        parent: QWidget | None = None,
        *,
        prices: PriceTable | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("statisticsPage")
        self.setAccessibleName("Statistics")
        as_pane(self)
        self._console, self._bridge, self._theme, self._clock = console, bridge, theme, clock
        self._prices = prices or PriceTable()
        self.counted: Statistics | None = None
        self._asked: TimeRange | None = None
        self.picker = RangePicker(theme, settings)
        self.agent = ChoiceBox(theme, "Agent", [("Every agent", "")])
        self.model = ChoiceBox(theme, "Model", [("Every model", "")])
        self._back = QToolButton()
        self.board = Board(theme)
        self._empty = EmptyState(
            theme,
            "statistics",
            "Nothing happened in this time",
            "Choose a longer stretch, or let an agent work.",
            "All time",
        )
        self._stack = QStackedWidget()
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)
        self._refresh.setInterval(_REFRESH_MS)
        self._build()
        self._connect()

    def set_prices(self, prices: PriceTable) -> None:
        self._prices = prices
        self._show()

    def apply(self, batch: tuple[Event, ...]) -> None:
        if self.isVisible() and not self._refresh.isActive() and any(_counts(event) for event in batch):
            self._refresh.start()

    def load(self) -> None:
        """Counts anew."""
        QTimer.singleShot(0, self, self._start_counting)  # the loop may not run yet while windows are built

    def _start_counting(self) -> None:
        self._bridge.start(self._count(), self, "counting")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.load()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._refresh.stop()

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._back.setIcon(self._theme.icon("close"))
        self._back.setToolTip("Back to the conversation (Esc)")
        self._back.setAccessibleName("Close statistics")
        head = QHBoxLayout()
        head.setContentsMargins(L, M, M, S)
        head.setSpacing(S)
        head.addWidget(plain_label("Statistics", "heading"))
        head.addSpacing(M)
        for widget in (self.picker, self.agent, self.model):
            head.addWidget(widget)
        head.addStretch(1)
        head.addWidget(self._back)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self.board)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(scroll)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._stack, 1)
        self.setFocusProxy(self.picker.box)

    def _connect(self) -> None:
        self.picker.changed.connect(self.load)
        for box in (self.agent, self.model):
            box.currentIndexChanged.connect(lambda _: self._show())
        self._empty.button.clicked.connect(lambda: self.picker.box.choose("all"))
        self._back.clicked.connect(self.closed)
        self._refresh.timeout.connect(self.load)
        for field, bars in (("tool", self.board.tools), ("agent", self.board.agents), ("model", self.board.models)):
            bars.picked.connect(lambda value, field=field: self.picked.emit(field, value))
        self._bridge.batch.connect(self.apply)
        self._theme.changed.connect(lambda: self._back.setIcon(self._theme.icon("close")))

    # ---- numbers ---------------------------------------------------------------------------------------------------

    async def _count(self) -> None:
        service = self._console.statistics
        first = await service.first() if self.picker.span == "all" else None
        asked = self._asked = self.picker.range(self._clock(), first)
        counted = await service.count(asked)
        if asked is self._asked:
            self.counted = counted
            self._offer(self.agent, "Every agent", counted.agents)
            self._offer(self.model, "Every model", counted.models)
            self._show()

    def _offer(self, box: ChoiceBox, every: str, names: tuple[str, ...]) -> None:
        """The names that there are; what was chosen stays, where it still is."""
        chosen = box.currentData()
        if [box.itemData(row) for row in range(1, box.count())] == list(names):
            return
        box.blockSignals(True)
        box.clear()
        box.addItem(every, "")
        for name in names:
            box.addItem(name or "(no name)", name)
        box.choose(chosen)
        box.blockSignals(False)

    def _show(self) -> None:
        counted = self.counted
        if counted is None:
            return
        shown = counted.only(str(self.agent.currentData() or ""), str(self.model.currentData() or ""))
        self._stack.setCurrentIndex(0 if counted.is_empty else 1)
        self._empty.button.setVisible(self.picker.span != "all")
        self.board.show_statistics(shown, self._prices)


def _counts(event: Event) -> bool:
    """Whether numbers are others after it."""
    match event:
        case RoundEnded() | ExchangeEnded():
            return True
        case InvocationChanged():
            return not event.invocation.is_live
        case _:
            return False
