"""The list of conversations: choosing one, and deleting one with a few seconds to think better of it."""

from typing import Final

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from callgate.core.events import Event
from callgate.engine.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.list_delegate import ConversationDelegate
from callgate.ui.conversation.list_model import ConversationListModel, Role, title_of
from callgate.ui.empty_state import EmptyState
from callgate.ui.plain_text import plain_label
from callgate.ui.theme import XS, M, S, Theme

UNDO_MS: Final = 6000
"""Long enough to notice a slip; then it is gone for good."""
_REFRESH_MS: Final = 30_000
"""The smallest step of "2 min ago" is a minute."""


class ConversationListPanel(QWidget):
    selected = Signal(str)
    """The person has chosen a conversation."""
    deleted = Signal(str)
    """A conversation has left the list; whoever shows it should stop."""

    def __init__(
        self,
        console: Console,
        bridge: Bridge,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        undo_ms: int = UNDO_MS,
    ) -> None:
        super().__init__(parent)
        self._console, self._bridge, self._theme = console, bridge, theme
        self.model = ConversationListModel(self)
        self._early: list[Event] | None = []
        """What happened before the list was loaded; None = it is."""
        self._leaving = ""
        self._announced = ""
        self.list = _List(theme)
        self.list.setModel(self.model)
        self._empty = EmptyState(
            theme, "conversations", "No conversations yet", "Point an agent at Callgate, or write a message below."
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.list)
        self._undo_bar, self._undo_words, self.undo_button = _undo_bar()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(S, 0, S, 0)
        foot.addWidget(self._undo_bar)
        column.addLayout(foot)
        column.addSpacing(S)
        self.setFocusProxy(self.list)
        self._last_chance = QTimer(self)
        self._last_chance.setSingleShot(True)
        self._last_chance.setInterval(undo_ms)
        self._last_chance.timeout.connect(self._delete_for_good)
        self._refresh = QTimer(self)
        self._refresh.setInterval(_REFRESH_MS)
        self._refresh.timeout.connect(self.model.refresh_times)
        self._refresh.start()
        self._connect()

    def _connect(self) -> None:
        self._bridge.batch.connect(self.apply)
        self.undo_button.clicked.connect(self.undo)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        self.list.clicked.connect(self._chosen)
        self.list.delete_pressed.connect(self.delete)
        self.list.customContextMenuRequested.connect(self._menu)
        for signal in (self.model.rowsInserted, self.model.rowsRemoved, self.model.modelReset):
            signal.connect(self._show_right_page)
        self._theme.changed.connect(self.list.viewport().update)
        QTimer.singleShot(0, self, self._start)  # the loop may not run yet while windows are built

    def _start(self) -> None:
        self._bridge.start(self._load(), self, "loading conversations")

    async def _load(self) -> None:
        stored = await self._console.conversations()
        self._bridge.flush()
        early, self._early = self._early or [], None
        self.model.load(stored, early)

    def apply(self, batch: tuple[Event, ...]) -> None:
        if self._early is not None:
            self._early.extend(batch)
        else:
            self.model.apply(batch)

    def select(self, conversation_id: str) -> None:
        """Marks a conversation as the one that is shown; does not announce it."""
        self._announced = conversation_id
        row = self.model.row_of(conversation_id)
        if row >= 0:
            self.list.setCurrentIndex(self.model.index(row))
        else:
            self.list.selectionModel().clear()

    @property
    def current(self) -> str:
        return self.list.currentIndex().data(Role.ID) or ""

    # ---- deleting --------------------------------------------------------------------------------------------------

    def delete(self, conversation_id: str) -> None:
        summary = self.model.summary(conversation_id)
        if summary is None:
            return
        self._delete_for_good()
        self._leaving = conversation_id
        self.model.hide(conversation_id)
        self._undo_words.setText(f"Deleted “{title_of(summary)}”")
        self._undo_bar.show()
        self._last_chance.start()
        self.deleted.emit(conversation_id)

    def undo(self) -> None:
        leaving, self._leaving = self._leaving, ""
        self._last_chance.stop()
        self._undo_bar.hide()
        self.model.unhide(leaving)

    def _delete_for_good(self) -> None:
        leaving, self._leaving = self._leaving, ""
        self._last_chance.stop()
        self._undo_bar.hide()
        if leaving:
            self._bridge.start(self._forget(leaving), self, "deleting a conversation")

    async def _forget(self, conversation_id: str) -> None:
        self._console.stop(conversation_id)
        await self._console.forget(conversation_id)
        self.model.forget(conversation_id)

    # ---- the person ------------------------------------------------------------------------------------------------

    def _chosen(self, index: QModelIndex) -> None:
        conversation_id = index.data(Role.ID) or ""
        if conversation_id and conversation_id != self._announced:
            self._announced = conversation_id
            self.selected.emit(conversation_id)

    def _menu(self, point: QPoint) -> None:
        index = self.list.indexAt(point)
        if not index.isValid():
            return
        conversation_id = index.data(Role.ID)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open", lambda: self.list.setCurrentIndex(self.model.index(self.model.row_of(conversation_id))))
        menu.addSeparator()
        menu.addAction(self._theme.icon("remove"), "Delete", lambda: self.delete(conversation_id))
        menu.popup(self.list.viewport().mapToGlobal(point))

    def _show_right_page(self) -> None:
        self._stack.setCurrentWidget(self.list if self.model.rowCount() else self._empty)


class _List(QListView):
    delete_pressed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("conversationList")
        self.setAccessibleName("Conversations")
        self.setItemDelegate(ConversationDelegate(theme, None))
        self.setUniformItemSizes(True)
        self.setViewportMargins(0, XS, 0, XS)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}.get(Qt.Key(event.key()), 0)
        if step:
            row = self.currentIndex().row() + step
            if 0 <= row < self.model().rowCount():
                self.setCurrentIndex(self.model().index(row, 0))
        elif event.key() == Qt.Key.Key_Delete and self.currentIndex().isValid():
            self.delete_pressed.emit(self.currentIndex().data(Role.ID))
        else:
            super().keyPressEvent(event)


def _undo_bar() -> tuple[QFrame, QLabel, QPushButton]:
    bar = QFrame()
    bar.setProperty("card", True)
    words = plain_label(tone="secondary")
    words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    button = QPushButton("Undo")
    button.setObjectName("undoDeleteButton")
    button.setAccessibleName("Undo deleting the conversation")
    line = QHBoxLayout(bar)
    line.setContentsMargins(M, S, S, S)
    line.addWidget(words, 1)
    line.addWidget(button)
    bar.hide()
    return bar, words, button
