"""Two panes at the side of the window: side by side where there is room, else one behind the other as tabs."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from callgate.ui.shell.dock import Dock

NARROW: Final = 1120
"""Below this width of the window, three columns are too many."""
_LEFT: Final = Qt.DockWidgetArea.LeftDockWidgetArea


class Folding:
    """Touches the panes only while they are where it put them: what the person has moved is left alone."""

    def __init__(self, window: QMainWindow, first: Dock, second: Dock, widths: tuple[int, int]) -> None:
        self._window, self._first, self._second, self._widths = window, first, second, widths
        self._folded = False

    def place(self, width: int) -> None:
        """Puts both panes where they belong at this width of the window."""
        self._unfold(hidden=())
        if width < NARROW:
            self._fold()

    def fit(self, width: int) -> None:
        """Follows the width of the window."""
        if self._folded == (width < NARROW) or not self._is_ours():
            return
        if width < NARROW:
            self._fold()
        else:
            self._unfold(tuple(dock for dock in (self._first, self._second) if dock.isHidden()))

    def look(self) -> None:
        """Learns how the panes stand, after a layout was restored."""
        self._set_folded(self._second in self._window.tabifiedDockWidgets(self._first))

    def _is_ours(self) -> bool:
        docks = (self._first, self._second)
        return all(not dock.isFloating() and self._window.dockWidgetArea(dock) == _LEFT for dock in docks)

    def _fold(self) -> None:
        self._set_folded(True)
        self._window.tabifyDockWidget(self._first, self._second)
        self._second.raise_()
        self._window.resizeDocks([self._first], [self._widths[0]], Qt.Orientation.Horizontal)

    def _unfold(self, hidden: tuple[Dock, ...]) -> None:
        self._set_folded(False)
        # a dock that is a tab cannot be split off: both have to be taken out and put back
        self._window.removeDockWidget(self._first)
        self._window.removeDockWidget(self._second)
        self._window.addDockWidget(_LEFT, self._first)
        self._window.splitDockWidget(self._first, self._second, Qt.Orientation.Horizontal)
        for dock in (self._first, self._second):
            dock.setVisible(dock not in hidden)
        self._window.resizeDocks([self._first, self._second], list(self._widths), Qt.Orientation.Horizontal)

    def _set_folded(self, folded: bool) -> None:
        self._folded = folded
        for dock in (self._first, self._second):
            dock.set_titled(not folded)
