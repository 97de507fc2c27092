"""One source that could be added: whether it is wanted, under which name, what it is, and what is to be said of it."""

import shlex
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from callgate.core.config.settings import SourceSettings
from callgate.core.config.source_input import hide_secrets
from callgate.engine.sources.source_service import Draft
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, M, S, Theme
from callgate.ui.widgets.tick_box import TickBox

_NAME_WIDTH = 160
_TOP = 6
"""So that the words stand on the line of the name."""

Judge = Callable[[SourceSettings], Draft]


class DraftRow(QFrame):
    changed = Signal()
    """It is wanted or not, or has another name."""

    def __init__(
        self, draft: Draft, judge: Judge, theme: Theme, parent: QWidget | None = None, *, choosable: bool = True
    ) -> None:
        """`judge` says what is wrong under another name; `choosable`: whether it can be left out."""
        super().__init__(parent)
        self.setProperty("card", True)
        self._draft, self._judge = draft, judge
        self._problem = draft.problem
        self.wanted = TickBox(theme)
        self.wanted.setObjectName(f"draftWanted_{draft.settings.name}")
        self.wanted.setAccessibleName(f"Add {draft.settings.name}")
        self.wanted.setChecked((draft.settings.enabled and not draft.problem) or not choosable)
        self.wanted.setVisible(choosable)
        self.name = QLineEdit(draft.settings.name)
        self.name.setCursorPosition(0)  # a long one is read from its beginning
        self.name.setObjectName("draftName")
        self.name.setAccessibleName("Name of the source")
        self.name.setFixedWidth(_NAME_WIDTH)
        self._where = plain_label(reveal(where_words(draft.settings)), "secondary", wrap=True, selectable=True)
        self._where.setFont(theme.mono())
        self._notes = plain_label(reveal("\n".join(draft.notes)), "hint", wrap=True, selectable=True)
        self._notes.setVisible(bool(draft.notes))
        self.problem = plain_label(reveal(draft.problem), "danger", wrap=True, selectable=True)
        self.problem.setVisible(bool(draft.problem))
        grid = QGridLayout(self)
        grid.setContentsMargins(M, S, M, S)
        grid.setHorizontalSpacing(S)
        grid.setVerticalSpacing(XS)
        grid.setColumnStretch(2, 1)
        grid.addWidget(self.wanted, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.name, 0, 1, Qt.AlignmentFlag.AlignTop)
        self.wanted.setFixedHeight(self.name.sizeHint().height())
        words = QVBoxLayout()
        words.setContentsMargins(0, _TOP, 0, 0)
        words.setSpacing(XS)
        for label in (self._where, self._notes, self.problem):
            words.addWidget(label)
        words.addStretch(1)
        grid.addLayout(words, 0, 2)
        self.wanted.toggled.connect(self.changed)
        self.name.textChanged.connect(self._renamed)

    @property
    def settings(self) -> SourceSettings:
        """Under the name that stands in the field."""
        return self._draft.settings.model_copy(update={"name": self.name.text().strip(), "enabled": True})

    @property
    def is_wanted(self) -> bool:
        return self.wanted.isChecked()

    @property
    def trouble(self) -> str:
        """Why it can't be added as it is."""
        return self._problem

    def refuse(self, words: str) -> None:
        self._problem = words
        self.problem.setText(reveal(words))
        self.problem.setVisible(bool(words))

    def _renamed(self) -> None:
        self.refuse(self._judge(self.settings).problem)
        self.changed.emit()


def where_words(settings: SourceSettings) -> str:
    """What is run or visited, secrets left out."""
    if settings.kind == "command":
        return "\n".join(f"{tool.name}: {shlex.join(tool.argv)}" for tool in settings.tools)
    shown = hide_secrets(settings).settings
    return shlex.join(shown.command) if shown.command else shown.url
