"""What opens under the verbs of a decision: the words for a denial, or an answer; `edit_panel` has the third.

Each panel holds text that the person writes and says when it is finished; none of them decides anything.
"""

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import SMALL_SIZE, XS, S, Theme
from callgate.ui.widgets.wrapping_row import WrappingRow

DENY_REASONS: Final = (
    "Not needed for this task",
    "Wrong target",
    "Too risky",
    "Ask me before doing this",
)
WITHHOLD_REASONS: Final = ("Contains private data", "Not needed for this task")

_FEWEST_LINES: Final = 4


class Panel(QWidget):
    """Under the verbs; `dismissed` by Esc or its Back button."""

    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(S)
        self.back = QPushButton("Back")
        self.back.setProperty("kind", "quiet")
        self.back.setAutoDefault(False)
        self.back.setToolTip("Decide nothing yet (Esc)")
        self.back.clicked.connect(self.dismissed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismissed.emit()
            event.accept()
        else:
            super().keyPressEvent(event)


class ReasonField(QLineEdit):
    """Enter confirms, and so does Ctrl+Backspace while there is no word to delete. Ctrl+Enter does nothing here."""

    confirmed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter or (control and event.key() == Qt.Key.Key_Backspace and not self.text()):
            event.accept()
            if not event.isAutoRepeat() and not (enter and control):
                self.confirmed.emit()
        else:
            super().keyPressEvent(event)


class ReasonPanel(Panel):
    """Why not: one line that the model is told, with the usual reasons a click away."""

    confirmed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = ReasonField()
        self.field.setObjectName("denyReason")
        self.field.setAccessibleName("Reason, told to the model")
        self.field.confirmed.connect(self.confirmed)
        self._chips = WrappingRow(XS)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.field, 1)
        row.addWidget(self.back)
        self.column.addLayout(row)
        self.column.addWidget(self._chips)

    def open(self, placeholder: str, reasons: tuple[str, ...]) -> None:
        self.field.clear()
        self.field.setPlaceholderText(placeholder)
        self._chips.clear()
        for reason in reasons:
            chip = QPushButton(reason)
            chip.setAutoDefault(False)
            chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            chip.clicked.connect(lambda _=False, words=reason: self._take(words))
            self._chips.add(chip)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def reason(self) -> str:
        return self.field.text().strip()

    def _take(self, words: str) -> None:
        self.field.setText(words)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)


class AnswerPanel(Panel):
    """The result, written by the person instead of the tool."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = Editor(theme, _FEWEST_LINES)
        self.field.setObjectName("answerText")
        self.field.setAccessibleName("Answer, given to the model as the tool's result")
        self.field.setPlaceholderText("What the model gets as the result. The tool does not run.")
        row = QHBoxLayout()
        row.addWidget(plain_label("The model takes this for the tool's own result.", "hint", wrap=True), 1)
        row.addWidget(self.back)
        self.column.addWidget(self.field)
        self.column.addLayout(row)

    def open(self) -> None:
        self.field.clear()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def text(self) -> str:
        return self.field.toPlainText()


class Editor(QPlainTextEdit):
    """Wants a few lines, and takes more where there is room."""

    def __init__(self, theme: Theme, lines: int) -> None:
        super().__init__()
        self._lines = lines
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setFont(theme.mono(SMALL_SIZE))
        self.setMinimumHeight(self._height(min(lines, _FEWEST_LINES)))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height(self._lines))

    def _height(self, lines: int) -> int:
        return self.fontMetrics().lineSpacing() * lines + 2 * S + 2
