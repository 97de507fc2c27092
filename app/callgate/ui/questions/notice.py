"""A line in the window while a question is open and its dialog is closed: the way back to it."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton

from callgate.core.question import OpenQuestion
from callgate.ui.plain_text import plain_label
from callgate.ui.questions.words import gist, heading
from callgate.ui.reveal import reveal
from callgate.ui.theme import ICON, M, S, Theme

_MOST_LETTERS = 160


class QuestionNotice(QFrame):
    wanted = Signal()
    """The person wants to see the questions."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("questionNotice")
        self.setAccessibleName("Question waiting")
        self.setProperty("notice", True)
        self._theme = theme
        self._icon = QLabel()
        self._text = plain_label("", wrap=True)
        self._text.setObjectName("questionNoticeText")
        self._open = QPushButton("Answer…")
        self._open.setObjectName("openQuestion")
        self._open.setProperty("kind", "waiting")
        self._open.clicked.connect(self.wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(M, S, M, S)
        row.setSpacing(S)
        row.addWidget(self._icon)
        row.addWidget(self._text, 1)
        row.addWidget(self._open)
        theme.changed.connect(self._draw)
        self._draw()
        self.hide()

    def set_questions(self, asked: Sequence[OpenQuestion], shown: bool) -> None:
        """`shown`: whether they are on the screen already, so that nothing need be said."""
        self.setVisible(bool(asked) and not shown)
        if not asked:
            return
        question = asked[0].question
        said = " ".join(gist(question).split())
        said = f"{said[:_MOST_LETTERS]}…" if len(said) > _MOST_LETTERS else said
        more = f" ({len(asked) - 1} more)" if len(asked) > 1 else ""
        self._text.setText(reveal(f"{heading(question)}: {said}{more}" if said else f"{heading(question)}{more}"))

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("question", "waiting").pixmap(ICON, ICON))
