"""The list itself: keys, clicks on headers, and the row under the mouse. Knows rows, not what becomes of them."""

from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView

from callgate.ui.conversation.list.delegate import ConversationDelegate
from callgate.ui.conversation.list.groups import Header
from callgate.ui.conversation.list.model import Role
from callgate.ui.theme.theme import XS, Theme

_VERBS: Final = {
    "Del": "delete",
    "Backspace": "delete",
    "F2": "rename",
    "Ctrl+P": "pin",
    "Ctrl+T": "tag",
    "Ctrl+Shift+E": "export",
    "Return": "open",
    "Enter": "open",
}
"""Keys while the list has the keyboard, and what they ask for."""
_FOLDING: Final = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Left, Qt.Key.Key_Right)


class ConversationList(QListView):
    asked = Signal(str)
    """What the person wants done with the selected rows: delete, rename, pin, tag, export, open."""
    fold_asked = Signal(str)
    """The key of a group to fold or unfold."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("conversationList")
        self.setAccessibleName("Conversations")
        self._rows = ConversationDelegate(theme, self)
        self.setItemDelegate(self._rows)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setViewportMargins(0, 0, 0, XS)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(20)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        theme.changed.connect(self.viewport().update)

    @property
    def selected_ids(self) -> list[str]:
        """Top to bottom."""
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        return [identifier for row in rows if (identifier := self.model().index(row, 0).data(Role.ID))]

    def go_to(self, index: QModelIndex) -> None:
        """Makes it the current row, with the header over it on show: the first of a group says what the group is.

        Not for rows that are clicked: they would slip away under the mouse.
        """
        moves = index != self.currentIndex()
        self.setCurrentIndex(index)
        above = index.siblingAtRow(index.row() - 1)
        if moves and isinstance(above.data(Role.HEADER), Header):
            self.scrollTo(above)
            self.scrollTo(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._rows.set_width(self.viewport().width())
        super().resizeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        header = self.indexAt(event.position().toPoint()).data(Role.HEADER)
        if isinstance(header, Header):
            if event.button() == Qt.MouseButton.LeftButton and header.key != "hits":
                self.fold_asked.emit(header.key)
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        verb = _VERBS.get(QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText))
        header = self.currentIndex().data(Role.HEADER)
        step = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}.get(Qt.Key(event.key()), 0)
        if isinstance(header, Header) and event.key() in _FOLDING and not event.modifiers():
            if header.key != "hits":
                self.fold_asked.emit(header.key)
        elif verb and self.selected_ids:
            self.asked.emit(verb)
        elif step and not event.modifiers():
            self._step(step)
        else:
            super().keyPressEvent(event)

    def _step(self, step: int) -> None:
        """To the next conversation, over headers."""
        row = self.currentIndex().row() + step
        while 0 <= row < self.model().rowCount():
            index: QModelIndex = self.model().index(row, 0)  # type: ignore[assignment]
            if index.data(Role.ID):
                self.go_to(index)
                return
            row += step
