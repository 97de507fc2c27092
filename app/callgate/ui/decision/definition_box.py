"""A tool that is not what it was, in its definition or in what runs it: what changed in words, and both as a diff.

Shows; accepts nothing. Whoever embeds it offers that.
"""

import json
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from callgate.core.calls.binding import BindingChange
from callgate.core.calls.preview import DiffPreview
from callgate.engine.console.rule_service import DefinitionChange
from callgate.ui.call_preview import CallPreview
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import ICON, XS, M, S, Theme

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
        self._change: DefinitionChange | BindingChange | None = None
        self._previews: tuple[DiffPreview, ...] = ()
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
        told = [found.words for found in change.changes]
        previews: tuple[DiffPreview, ...] = ()
        if change.before is None:
            note = f"{note} The earlier definition is no longer known; treat it as a new tool."
        else:
            path = f"definition of {change.tool}"
            previews = (DiffPreview(path, _spelled(change.before), _spelled(change.after)),)
        self._show(f"{title} {note}".strip(), told, previews)

    def show_binding(self, change: BindingChange | None) -> None:
        """What is different since a call was offered, shown or decided; None hides it."""
        self.setVisible(change is not None)
        if change is None or change == self._change:
            return
        self._change = change
        previews: list[DiffPreview] = []
        if change.executor_changed and not change.gone:
            previews.append(DiffPreview("what runs it", _lines(change.before), _lines(change.after)))
        # what runs it is part of a definition, and shown already
        changes = [found for found in change.definition if not (change.executor_changed and found.path == "runs")]
        if changes:
            before = {found.path: found.before for found in changes if found.kind != "added"}
            after = {found.path: found.after for found in changes if found.kind != "removed"}
            previews.append(DiffPreview("its definition, where it differs", _spelled(before), _spelled(after)))
        note = " You can deny it or answer in its place." if change.gone else ""
        self._show(change.words + note, [found.words for found in changes], tuple(previews))

    def _show(self, title: str, changes: list[str], previews: tuple[DiffPreview, ...]) -> None:
        self._title.setText(reveal(title))
        told = [f"•  {words}" for words in changes[:_LISTED]]
        if len(changes) > _LISTED:
            told.append(f"•  and {len(changes) - _LISTED} more")
        self._list.setText(reveal("\n".join(told)))
        self._list.setVisible(bool(told))
        self._previews = previews
        self._more.setVisible(bool(previews))
        self._more.setChecked(self._unfolded and bool(previews))
        self._unfold(self._more.isChecked())

    def _unfold(self, unfolded: bool) -> None:
        self._more.setIcon(self._theme.icon("expanded" if unfolded else "collapsed"))
        self.diff.show_previews(self._previews if unfolded else ())

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("warning", "waiting").pixmap(ICON, ICON))
        self._more.setIcon(self._theme.icon("expanded" if self._more.isChecked() else "collapsed"))


def _lines(lines: tuple[str, ...]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _spelled(definition: object) -> str:
    return json.dumps(definition, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
