"""The middle of the window: the conversation with its composer, or a page that takes its place; notices above it."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from callgate.ui.shell.page import Page

_WIDTH: Final = 380
"""The window is never smaller than its panes need: nothing that has to be decided may be cut off."""


class _Stack(QStackedWidget):
    """Needs no more room than what it shows: a wide page that was left must not hold the window wide."""

    def minimumSizeHint(self) -> QSize:
        shown = self.currentWidget()
        return QSize(0, 0) if shown is None else shown.minimumSizeHint().expandedTo(shown.minimumSize())


class Centre(QWidget):
    page_changed = Signal(str)
    """Another page is shown: its name, empty where one talks."""

    def __init__(self, welcome: QWidget, conversation: QWidget, composer: QWidget, pages: Sequence[Page]) -> None:
        super().__init__()
        self.setMinimumWidth(_WIDTH)
        self._welcome, self._conversation, self._composer = welcome, conversation, composer
        self._pages = {page.name: page for page in pages}
        self._of_pages: dict[str, QWidget] = {}
        """Those that have been made."""
        self._talk = QStackedWidget()
        self._stack = _Stack()
        for widget in (welcome, conversation):
            self._talk.addWidget(widget)
        talking = QWidget()
        _column(talking, (self._talk, composer), self._talk)
        self._stack.addWidget(talking)
        for page in pages:
            if isinstance(page.widget, QWidget):
                self._add(page.name, page.widget)
        self._stack.currentChanged.connect(lambda _: self._turned())

    def arrange(self, above: Sequence[QWidget], below: QWidget) -> None:
        """Lines that come and go by themselves, before and after what is shown."""
        _column(self, (*above, self._stack, below), self._stack)

    @property
    def page(self) -> str:
        """The page that is shown; empty where one talks."""
        shown = self._stack.currentWidget()
        return next((name for name, widget in self._of_pages.items() if widget is shown), "")

    def show_conversation(self, there_is_one: bool, *, behind: bool = False) -> None:
        """`behind`: a page that is on show stays, and the conversation is there when it is left."""
        self._talk.setCurrentWidget(self._conversation if there_is_one else self._welcome)
        if not behind:
            self.talk()

    def talk(self) -> QWidget:
        """Where one talks: the conversation, or the welcome page where there is none."""
        self._stack.setCurrentIndex(0)
        return self._conversation if self._talk.currentWidget() is self._conversation else self._welcome

    def show_page(self, name: str) -> QWidget:
        if name not in self._of_pages:
            widget = self._pages[name].widget
            self._add(name, widget if isinstance(widget, QWidget) else widget())
        self._stack.setCurrentWidget(self._of_pages[name])
        return self._of_pages[name]

    def _turned(self) -> None:
        # both: the window keeps what its central part said of its size until that part says it anew
        self._stack.updateGeometry()
        self.updateGeometry()
        self.page_changed.emit(self.page)

    def _add(self, name: str, widget: QWidget) -> None:
        self._of_pages[name] = widget
        self._stack.addWidget(widget)


def _column(widget: QWidget, parts: Sequence[QWidget], main: QWidget) -> None:
    """One under the other with nothing between; the main one takes the room."""
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for part in parts:
        column.addWidget(part, 1 if part is main else 0)
