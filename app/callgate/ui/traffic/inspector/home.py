"""Where the wire inspector stands: on a page with the window's whole width, or in a pane at the side; as it was left.

There is one inspector and two seats for it: whichever is shown has it.
"""

from typing import Final

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QVBoxLayout, QWidget

from callgate.ui.theme.pane import as_pane
from callgate.ui.traffic.inspector.inspector import Place, WireInspector

PLACE_KEY: Final = "inspector/place"
_PLACES: Final[tuple[Place, ...]] = ("page", "pane")


class Seat(QWidget):
    shown = Signal()
    left = Signal()
    """Escape, where nothing nearer had a use for it."""

    def __init__(self, name: str, *, is_left_by_escape: bool = False) -> None:
        super().__init__()
        self.setObjectName(name)
        as_pane(self)
        self._is_left_by_escape = is_left_by_escape
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def hold(self, inspector: WireInspector) -> None:
        self._column.addWidget(inspector)
        self.setFocusProxy(inspector)
        inspector.show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_left_by_escape and event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class InspectorHome(QObject):
    page_wanted = Signal()
    pane_wanted = Signal()
    page_left = Signal()

    def __init__(self, inspector: WireInspector, settings: QSettings | None = None) -> None:
        super().__init__(inspector)
        self._inspector, self._settings = inspector, settings
        self.page, self.pane = Seat("wirePage", is_left_by_escape=True), Seat("wirePane")
        held = settings.value(PLACE_KEY) if settings is not None else None
        self.place: Place = held if held in _PLACES else "page"
        self._sit(self.place)
        self.page.shown.connect(lambda: self._sit("page"))
        self.pane.shown.connect(lambda: self._sit("pane"))
        self.page.left.connect(self.page_left)
        inspector.move_requested.connect(self._swap)
        inspector.leave_requested.connect(self.page_left)

    def show(self) -> None:
        """Brings the inspector up where it was last."""
        (self.page_wanted if self.place == "page" else self.pane_wanted).emit()

    def _swap(self) -> None:
        (self.pane_wanted if self.place == "page" else self.page_wanted).emit()

    def _sit(self, place: Place) -> None:
        other = self.pane if place == "page" else self.page
        was_elsewhere = place != self.place
        self.place = place
        (self.page if place == "page" else self.pane).hold(self._inspector)
        self._inspector.set_place(place)
        if self._settings is not None:
            self._settings.setValue(PLACE_KEY, place)
        if was_elsewhere and other.isVisible():
            self._empty(other)

    def _empty(self, seat: Seat) -> None:
        """Nothing stays open that has nothing in it."""
        if seat is self.page:
            self.page_left.emit()
        elif isinstance(dock := seat.parentWidget(), QDockWidget):
            dock.close()
