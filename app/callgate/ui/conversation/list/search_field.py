"""Finding a conversation while typing: the field, and the question behind each keystroke.

An answer that comes after the next letter was typed is thrown away.
"""

from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from callgate.core.search.query import read_query
from callgate.engine.console.archive import ArchiveService
from callgate.ui.bridge import Bridge
from callgate.ui.text.plain_text import set_plain_tip
from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.clear_button import add_clear_button

WAIT_MS: Final = 60
"""Between two letters of a fast typist: one question for both."""
_HELP: Final = (
    "Searches titles, messages, reasoning, tool calls, results and errors.\n"
    'Words may be half typed; "quoted words" must stand together.\n'
    "agent:codex   model:gpt   tool:read_file   tag:bug   narrow it down."
)


class ConversationSearch(QLineEdit):
    found = Signal(object)
    """The hits, best first; None = there is no search any more."""
    left = Signal()
    """The person goes on to the list."""
    entered = Signal()
    """The person wants the best hit."""

    def __init__(self, archive: ArchiveService, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("conversationSearch")
        self.setAccessibleName("Search conversations")
        self.setPlaceholderText("Search everything…")
        add_clear_button(self, theme)
        self.setProperty("lens", True)
        set_plain_tip(self, _HELP)
        self._archive, self._bridge, self._theme = archive, bridge, theme
        self._asked = 0
        self._lens = QAction(self)
        self.addAction(self._lens, QLineEdit.ActionPosition.LeadingPosition)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(self._ask)
        self.textChanged.connect(self._typed)
        self.returnPressed.connect(self.entered)
        self.installEventFilter(self)
        theme.changed.connect(self._draw)
        self._draw()

    def again(self) -> None:
        """Asks the same once more: what there is to find has changed."""
        if self.text().strip():
            self._ask()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape and self.text():
                self.clear()
                return True
            if event.key() == Qt.Key.Key_Down:
                self.left.emit()
                return True
        return super().eventFilter(watched, event)

    def _typed(self, text: str) -> None:
        self._asked += 1  # what is still on its way is no answer to this
        if read_query(text).is_empty:
            self._wait.stop()
            self.found.emit(None)
        else:
            self._wait.start()

    def _ask(self) -> None:
        self._asked += 1
        self._bridge.start(self._search(self._asked, self.text()), self, "searching conversations")

    async def _search(self, number: int, text: str) -> None:
        hits = await self._archive.search(text)
        if number == self._asked:
            self.found.emit(hits)

    def _draw(self) -> None:
        self._lens.setIcon(self._theme.icon("search", "text3"))
