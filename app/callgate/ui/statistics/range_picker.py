"""The choice of a stretch of time: one of the usual ones, or from one day to another."""

from datetime import datetime
from typing import cast

from PySide6.QtCore import QDate, QSettings, Signal
from PySide6.QtWidgets import QDateEdit, QHBoxLayout, QWidget

from callgate.core.catalog.statistics import TimeRange
from callgate.ui.statistics.ranges import SPANS, Span, day_range, time_range
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import S, Theme
from callgate.ui.widgets.choice_box import ChoiceBox

_KEY = "statistics/span"


class RangePicker(QWidget):
    changed = Signal()

    def __init__(self, theme: Theme, settings: QSettings | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.box = ChoiceBox(theme, "Time", SPANS)
        self.box.setObjectName("statisticsRange")
        self.first, self.last = QDateEdit(QDate.currentDate().addDays(-6)), QDateEdit(QDate.currentDate())
        self._to = plain_label("to", "hint")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S)
        for widget in (self.box, self.first, self._to, self.last):
            row.addWidget(widget)
        for edit, name in ((self.first, "From"), (self.last, "To")):
            edit.setAccessibleName(name)
            edit.setCalendarPopup(True)
            edit.setDisplayFormat("d MMM yyyy")
            edit.dateChanged.connect(lambda _: self.changed.emit())
        kept = settings.value(_KEY, "day") if settings is not None else "day"
        self.box.choose(kept if kept != "custom" else "day")
        self._show_days()
        self.box.currentIndexChanged.connect(self._choose)

    @property
    def span(self) -> Span:
        return cast("Span", self.box.currentData() or "day")

    def range(self, now: float, first: float | None) -> TimeRange:
        if self.span == "custom":
            return day_range(_day(self.first), _day(self.last))
        return time_range(self.span, now, first)

    def _choose(self) -> None:
        self._show_days()
        if self._settings is not None:
            self._settings.setValue(_KEY, self.span)
        self.changed.emit()

    def _show_days(self) -> None:
        for widget in (self.first, self._to, self.last):
            widget.setVisible(self.span == "custom")


def _day(edit: QDateEdit) -> datetime:
    date = edit.date()
    return datetime(date.year(), date.month(), date.day())
