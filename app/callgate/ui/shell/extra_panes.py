"""The panes at the bottom and at the right of the window: where they stand, and how they come up."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMainWindow

from callgate.ui.shell.dock import Dock
from callgate.ui.shell.page import Pane
from callgate.ui.theme.theme import Theme

_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea


class ExtraPanes(QObject):
    """Those at the bottom share it as tabs with `first`; those at the right take room from everything else."""

    moved = Signal()
    """One was shown or hidden: the room for the others has changed."""

    def __init__(self, window: QMainWindow, first: Dock, panes: Sequence[Pane], theme: Theme) -> None:
        super().__init__(window)
        self._window, self._first = window, first
        self._panes = {pane.name: pane for pane in panes}
        self.docks = {pane.name: Dock(f"{pane.name}Dock", pane.title, pane.widget, theme) for pane in panes}
        for dock in (first, *self.docks.values()):
            dock.visibilityChanged.connect(self._follow)

    def place(self) -> None:
        """Everyone at their place, and out of sight."""
        for name, dock in self.docks.items():
            pane = self._panes[name]
            dock.setFloating(False)
            if pane.area == "bottom":
                self._window.addDockWidget(_BOTTOM, dock)
                self._window.tabifyDockWidget(self._first, dock)
                self._window.resizeDocks([dock], [pane.size], Qt.Orientation.Vertical)
            else:
                self._window.addDockWidget(_RIGHT, dock)
                self._window.resizeDocks([dock], [pane.size], Qt.Orientation.Horizontal)
            dock.hide()

    def bring_up(self, name: str) -> Pane:
        dock = self.docks[name]
        dock.show()
        dock.raise_()
        return self._panes[name]

    @property
    def taken(self) -> int:
        """How much of the window's width stands at the right."""
        beside = [
            self._panes[name].size
            for name, dock in self.docks.items()
            if self._panes[name].area == "right" and not dock.isHidden() and not dock.isFloating()
        ]
        return max(beside, default=0)

    def _follow(self) -> None:
        """A pane at the bottom needs no title where its tab says the same."""
        for dock in (self._first, *self.docks.values()):
            together = self._window.tabifiedDockWidgets(dock)
            dock.set_titled(not any(not other.isHidden() for other in together) or dock.isFloating())
        self.moved.emit()
