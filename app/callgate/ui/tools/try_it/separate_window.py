"""A page that can leave its pane for a window of its own, where there is room, and comes back when that is closed."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import M, Theme
from callgate.ui.widgets.empty_state import EmptyState

_WIDTH: Final = 980
_HEIGHT: Final = 760


class Roomy(QWidget):
    """Holds one page: in place, or in a window of its own."""

    moved = Signal()
    """The page went out or came back."""

    def __init__(self, page: QWidget, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page = page
        self._window: _Window | None = None
        self._away = EmptyState(theme, "open", "Shown in its own window", action="Bring it back")
        self._away.button.setObjectName("bringTryBack")
        self._away.button.clicked.connect(self.bring_back)
        self._away.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(page)
        self._column.addWidget(self._away)

    @property
    def is_out(self) -> bool:
        return self._window is not None

    def move_out(self, title: str) -> None:
        if self._window is not None:
            self._window.raise_()
            self._window.activateWindow()
            return
        self._window = _Window(self._page, self)
        self._window.closing.connect(self.bring_back)
        self._window.setWindowTitle(title)
        self._away.show()
        self._window.show()
        self.moved.emit()

    def set_title(self, title: str) -> None:
        if self._window is not None:
            self._window.setWindowTitle(title)

    def bring_back(self) -> None:
        window, self._window = self._window, None
        if window is None:
            return
        self._away.hide()
        self._column.insertWidget(0, self._page)
        self._page.show()
        window.hide()
        window.deleteLater()
        self.moved.emit()


class _Window(QWidget):
    closing = Signal()

    def __init__(self, page: QWidget, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("tryWindow")
        as_pane(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, 0, 0, M)
        column.addWidget(page)
        page.show()
        self.resize(_WIDTH, _HEIGHT)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit()
        event.accept()
