"""A rule's expression as text: explained while it is typed, with a caret under the place of a mistake.

Knows the language of expressions; knows nothing of rules or calls.
"""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from callgate.core.rules.match import ExpressionError, parse
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import SMALL_SIZE, XS, S, Theme

_PADDING = S + 3
"""What stands left of the text in a field: its border, its padding and Qt's own margin."""


class ExpressionField(QWidget):
    edited = Signal()
    """The person has changed it."""
    changed = Signal()
    """It is another one now, whoever changed it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._problem = ""
        self.field = QLineEdit()
        self.field.setObjectName("ruleExpression")
        self.field.setAccessibleName("When the rule holds, as an expression")
        self.field.setPlaceholderText("always; or for example  args.path:src/**  and not args.force=true")
        self._caret = plain_label("^", "danger")
        self._caret.setObjectName("expressionCaret")
        self._caret.setAccessibleName("Place of the mistake")
        self._mistake = plain_label("", "danger", wrap=True)
        self._mistake.setObjectName("expressionProblem")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.field)
        column.addWidget(self._caret)
        column.addWidget(self._mistake)
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(self._check)
        self.field.textEdited.connect(lambda _: self.edited.emit())
        theme.changed.connect(self._draw)
        self._draw()
        self._check()

    @property
    def text(self) -> str:
        return self.field.text().strip()

    @property
    def problem(self) -> str:
        """Why it can't be read; empty = it can."""
        return self._problem

    def set_text(self, text: str) -> None:
        if text != self.field.text():
            self.field.setText(text)
            self.field.setCursorPosition(0)

    def _draw(self) -> None:
        self.field.setFont(self._theme.mono(SMALL_SIZE))
        self._caret.setFont(self._theme.mono(SMALL_SIZE))
        self._caret.setContentsMargins(_PADDING, 0, 0, 0)
        self._mistake.setContentsMargins(XS, 0, 0, 0)

    def _check(self) -> None:
        try:
            parse(self.field.text())
        except ExpressionError as bad:
            self._problem = bad.message
            room = self.field.width() - 2 * _PADDING
            before = self.fontMetrics().horizontalAdvance(self.field.text())
            # in a text that is scrolled the caret would point at the wrong place
            self._caret.setVisible(before <= room)
            self._caret.setText(" " * bad.position + "^")
        else:
            self._problem = ""
            self._caret.hide()
        self._mistake.setText(reveal(self._problem))
        self._mistake.setVisible(bool(self._problem))
        self.changed.emit()
