"""Panes that make room while a page that needs the whole width is on show, and come back when it is left."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget


class DockAutohide(QObject):
    """Brings back only what it sent away itself: what the person has hidden or shown meanwhile is left alone."""

    def __init__(self, window: QMainWindow, page: QWidget, docks: Sequence[str]) -> None:
        """`docks`: the object names of those that make room."""
        super().__init__(window)
        self._window, self._page, self._names = window, page, tuple(docks)
        self._away: tuple[QDockWidget, ...] = ()
        self._on_top: QDockWidget | None = None
        page.installEventFilter(self)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._page and event.type() == QEvent.Type.ShowToParent:
            self._send_away()
        elif watched is self._page and event.type() == QEvent.Type.HideToParent:
            self._bring_back()
        elif watched is self._window and event.type() == QEvent.Type.Close:
            self._bring_back()  # what is remembered of the window must be how it stands without the page
        elif watched is self._window and event.type() == QEvent.Type.Show and self._page.isVisibleTo(self._window):
            self._send_away()
        return False

    def _send_away(self) -> None:
        docks = [dock for name in self._names if (dock := self._window.findChild(QDockWidget, name)) is not None]
        away = tuple(dock for dock in docks if not dock.isHidden() and not dock.isFloating())
        if not away:
            return
        self._on_top = next((dock for dock in away if not dock.visibleRegion().isEmpty()), None)
        self._away = away
        for dock in away:
            dock.hide()

    def _bring_back(self) -> None:
        away, self._away = self._away, ()
        for dock in away:
            dock.show()
        if away and self._on_top is not None:
            self._on_top.raise_()  # of those that share their place as tabs
