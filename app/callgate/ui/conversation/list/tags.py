"""Tags of a conversation: their colours, and the small field in which they are typed."""

import zlib
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, QStringListModel, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QCompleter, QFrame, QLineEdit, QVBoxLayout, QWidget

from callgate.core.marks import read_tags
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import M, S, Theme, mix

_COLORS: Final = ("accent", "executing", "completed", "released", "denied", "cancelled")
"""Amber is left out: it means that something waits for a person."""
_WIDTH: Final = 230


def chip_color(tag: str) -> str:
    """The colour of a tag, the same wherever and whenever it is shown."""
    return _COLORS[zlib.crc32(tag.encode("utf-8", "replace")) % len(_COLORS)]


def chip_colors(theme: Theme, tag: str) -> tuple[QColor, QColor]:
    """Of its letters and of the chip under them: the pure colour would be too near to its own tint to be read."""
    color = theme.color(chip_color(tag))
    return mix(color, theme.color("text"), 0.75), mix(color, theme.color("surface"), 0.18)


class TagField(QFrame):
    """Floats over the list; Enter keeps what was typed, Escape or a click elsewhere does not."""

    accepted = Signal(str, tuple)
    """Conversation, and its tags from now on."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("tagPopup")
        self.setProperty("card", True)
        self._conversation = ""
        self._known = QStringListModel(self)
        self.field = QLineEdit()
        self.field.setObjectName("tagField")
        self.field.setAccessibleName("Tags of the conversation")
        self.field.setPlaceholderText("bug, follow-up …")
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, M, M)
        column.setSpacing(S)
        column.addWidget(plain_label("Tags", "strong"))
        column.addWidget(self.field)
        column.addWidget(plain_label("Words with blanks or commas between; Enter keeps them.", "hint", wrap=True))
        self.setFixedWidth(_WIDTH)
        self.field.returnPressed.connect(self._accept)
        self.field.setCompleter(_LastWord(self._known, self.field))

    def ask(self, conversation_id: str, tags: Sequence[str], known: Sequence[str], at: QPoint) -> None:
        self._conversation = conversation_id
        self._known.setStringList(list(known))
        self.field.setText(" ".join(tags) + (" " if tags else ""))
        self.move(at)
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def _accept(self) -> None:
        self.hide()
        self.accepted.emit(self._conversation, read_tags(self.field.text()))


class _LastWord(QCompleter):
    """Completes the word that is being typed, not the whole line."""

    def __init__(self, known: QStringListModel, field: QLineEdit) -> None:
        super().__init__(known, field)
        self._field = field
        self.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)

    def splitPath(self, path: str) -> list[str]:
        last = path.replace(",", " ").rpartition(" ")[2]
        return [last] if last else ["\0"]

    def pathFromIndex(self, index: object) -> str:
        before, gap, _ = self._field.text().replace(",", " ").rpartition(" ")
        return f"{before}{gap}{super().pathFromIndex(index)}"  # type: ignore[arg-type]
