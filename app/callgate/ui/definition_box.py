"""A tool that is defined otherwise than it was: what changed in words, and both definitions as a diff.

Shows; accepts nothing. Whoever embeds it offers that.
"""

import json
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from callgate.core.preview import DiffPreview
from callgate.engine.rule_desk import DefinitionChange
from callgate.ui.call_preview import CallPreview
from callgate.ui.plain_text import plain_label
from callgate.ui.reveal import reveal
from callgate.ui.theme import ICON, XS, M, S, Theme

_LISTED: Final = 5
"""Sentences before the rest is left to the diff."""
_MOST_ROWS: Final = 12


class DefinitionBox(QFrame):
    def __init__(self, theme: Theme, parent: QWidget | None = None, *, unfolded: bool = False) -> None:
        """`unfolded`: the diff is shown from the start."""
        super().__init__(parent)
        self.setObjectName("definitionBox")
        self.setProperty("card", True)
        self._theme = theme
        self._unfolded = unfolded
        self._change: DefinitionChange | None = None
        self._icon = QLabel()
        self._title = plain_label("", "waiting", wrap=True)
        self._title.setObjectName("definitionTitle")
        self._list = plain_label("", "secondary", selectable=True, wrap=True)
        self._list.setObjectName("definitionChanges")
        self._more = QToolButton()
        self._more.setObjectName("definitionToggle")
        self._more.setText("Compare")
        self._more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._more.setCheckable(True)
        self._more.toggled.connect(self._unfold)
        self.diff = CallPreview(theme, most_rows=_MOST_ROWS)
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._title, 1)
        head.addWidget(self._more, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, M, S)
        column.setSpacing(XS)
        column.addLayout(head)
        column.addWidget(self._list)
        column.addWidget(self.diff)
        theme.changed.connect(self._draw)
        self._draw()
        self.hide()

    @property
    def words(self) -> str:
        return f"{self._title.text()}\n{self._list.text()}"

    def show_change(self, change: DefinitionChange | None, note: str = "") -> None:
        """`note`: what follows from it, behind the title. None hides it."""
        self.setVisible(change is not None)
        if change is None or change == self._change:
            return
        self._change = change
        title = f"The definition of {change.tool} has changed since you last approved it."
        self._title.setText(reveal(f"{title} {note}".strip()))
        told = [f"•  {found.words}" for found in change.changes[:_LISTED]]
        if len(change.changes) > _LISTED:
            told.append(f"•  and {len(change.changes) - _LISTED} more")
        if change.before is None:
            told = ["How it was defined then is not known any more; look at it as at a new tool."]
        self._list.setText(reveal("\n".join(told)))
        self._more.setVisible(change.before is not None)
        self._more.setChecked(self._unfolded and change.before is not None)
        self._unfold(self._more.isChecked())

    def _unfold(self, unfolded: bool) -> None:
        self._more.setIcon(self._theme.icon("expanded" if unfolded else "collapsed"))
        change = self._change
        if unfolded and change is not None and change.before is not None:
            path = f"definition of {change.tool}"
            self.diff.show_previews((DiffPreview(path, _spelled(change.before), _spelled(change.after)),))
        else:
            self.diff.show_previews(())

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("warning", "waiting").pixmap(ICON, ICON))
        self._more.setIcon(self._theme.icon("expanded" if self._more.isChecked() else "collapsed"))


def _spelled(definition: object) -> str:
    return json.dumps(definition, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
