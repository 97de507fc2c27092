"""The page in the middle of the window that shows one tool, with room for all there is to say. Knows no console."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.empty_state import EmptyState

_HINT: Final = "What it does, what it takes, what it costs and how it was used stands here, and it can be tried."


class DetailPage(QWidget):
    """Empty until somebody puts the details in; they may be taken out again."""

    wanted = Signal()
    """A tool was chosen: the page is to be shown."""
    closed = Signal()
    """The person has seen enough of it."""
    shown = Signal()
    """It was brought up, by whomever."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolPage")
        self.setAccessibleName("Tool")
        as_pane(self)
        self._empty = EmptyState(theme, "tool", "Choose a tool", _HINT)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self._empty)

    def hold(self, detail: QWidget) -> None:
        self._column.addWidget(detail, 1)
        self.setFocusProxy(detail)

    def show_detail(self, shown: bool) -> None:
        """Whether there is a tool to be told of."""
        self._empty.setVisible(not shown)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape comes here only where nothing nearer had a use for it."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
