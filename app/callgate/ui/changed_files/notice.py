"""A line in the window while a change made outside Callgate waits: which file, and the way to review it."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton

from callgate.core.config.widening import FileChange
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import ICON, M, S, Theme


class ChangedFilesNotice(QFrame):
    review_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("changedFilesNotice")
        self.setAccessibleName("Files were changed outside Callgate")
        self.setProperty("notice", True)
        self._theme = theme
        self._icon = QLabel()
        self._text = plain_label("", wrap=True)
        self._text.setObjectName("changedFilesText")
        self._review = QPushButton("Review…")
        self._review.setObjectName("reviewChanges")
        self._review.setProperty("kind", "waiting")
        self._review.clicked.connect(self.review_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(M, S, M, S)
        row.setSpacing(S)
        row.addWidget(self._icon)
        row.addWidget(self._text, 1)
        row.addWidget(self._review)
        theme.changed.connect(self._draw)
        self._draw()
        self.hide()

    @property
    def words(self) -> str:
        return self._text.text()

    def set_changes(self, changes: Sequence[FileChange], problem: str = "") -> None:
        self.setVisible(bool(changes))
        self._text.setText(reveal(notice_words(changes, problem)))

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("warning", "waiting").pixmap(ICON, ICON))


def notice_words(changes: Sequence[FileChange], problem: str = "") -> str:
    if not changes:
        return ""
    names = [file_name(change.file) for change in changes]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    verb = "was" if len(names) == 1 else "were"
    said = f"{listed} {verb} changed outside Callgate and would allow more."
    return f"{said} {problem}" if problem else said


def file_name(file: str) -> str:
    return file.replace("\\", "/").rpartition("/")[2]
