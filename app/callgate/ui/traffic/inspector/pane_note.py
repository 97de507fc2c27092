"""Why a pane has nothing to show: two lines, so that its neighbours may have the room."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import M, S


class PaneNote(QWidget):
    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = plain_label(title, "secondary", wrap=True)
        self._hint = plain_label("", "hint", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, 0, M, S)
        column.setSpacing(2)
        column.addWidget(self._title)
        column.addWidget(self._hint)
        column.addStretch(1)

    def set_texts(self, title: str, hint: str) -> None:
        self._title.setText(title)
        self._hint.setText(reveal(hint))
