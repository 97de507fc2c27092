"""What opens under the verbs of a decision: the words for a denial, an answer, or edited arguments.

Each panel holds text that the person writes and says when it is finished; none of them decides anything.
"""

from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from callgate.core.invocation import Invocation
from callgate.ui.json_layout import doubled_keys, indented, is_json, problem
from callgate.ui.plain_text import plain_label
from callgate.ui.reveal import suspects
from callgate.ui.theme import SMALL_SIZE, XS, S, Theme
from callgate.ui.wrapping_row import WrappingRow

DENY_REASONS: Final = (
    "Not needed for this task",
    "Wrong target",
    "Too risky",
    "Ask me before doing this",
)
WITHHOLD_REASONS: Final = ("Contains private data", "Not needed for this task")

_CHECK_AT_ONCE: Final = 50_000
"""Characters up to which every keystroke is checked; larger texts are checked when the typing pauses."""
_PAUSE_MS: Final = 150
_EDITOR_LINES: Final = 10
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


class ReasonPanel(Panel):
    """Why not: one line that the model is told, with the usual reasons a click away."""

    confirmed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit()
        self.field.setObjectName("denyReason")
        self.field.setAccessibleName("Reason, told to the model")
        self.field.returnPressed.connect(self.confirmed)
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
        self.field = _Editor(theme, _FEWEST_LINES)
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


class EditPanel(Panel):
    """Arguments, or a result, as the person would rather have them; checked while they are typed."""

    checked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._original = ""
        self._invocation: Invocation | None = None
        self._problem = ""
        self.field = _Editor(theme, _EDITOR_LINES)
        self.field.setObjectName("argumentsEditor")
        self.field.textChanged.connect(self._changed)
        self._note = plain_label("", "hint", wrap=True)
        self.revert = QPushButton("Revert")
        self.revert.setObjectName("revertButton")
        self.revert.setProperty("kind", "quiet")
        self.revert.setAutoDefault(False)
        self.revert.setToolTip("Back to what the model wrote")
        self.revert.clicked.connect(lambda: self.field.setPlainText(self._original))
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self._note, 1)
        row.addWidget(self.revert)
        row.addWidget(self.back)
        self.column.addWidget(self.field)
        self.column.addLayout(row)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.check)

    def open(self, invocation: Invocation) -> None:
        self._invocation = invocation
        if self._edits_result:
            self._original = invocation.ran_result.text if invocation.ran_result else ""
            self.field.setAccessibleName("Result, as the model will get it")
        else:
            self._original = _editable(invocation)
            self.field.setAccessibleName("Arguments, editable")
        self.field.setPlainText(self._original)
        self.check()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def text(self) -> str:
        return self.field.toPlainText()

    @property
    def edited(self) -> bool:
        return self.text != self._original

    @property
    def problem(self) -> str:
        """Why this can't be sent; empty = it can. Never older than the text."""
        if self._pause.isActive():
            self.check()
        return self._problem

    @property
    def _edits_result(self) -> bool:
        return self._invocation is not None and self._invocation.state == "WaitingForPostApproval"

    def check(self) -> None:
        self._pause.stop()
        text = self.text
        free = self._edits_result or self._invocation is None or self._invocation.variant == "custom"
        self._problem = "" if free else problem(text)
        self._tell(text)
        self.revert.setEnabled(self.edited)
        self.checked.emit()

    def _changed(self) -> None:
        if self.field.document().characterCount() <= _CHECK_AT_ONCE:
            self.check()
        else:
            self._pause.start()

    def _tell(self, text: str) -> None:
        if self._problem:
            words, tone = self._problem, "danger"
        elif found := suspects(text):
            words, tone = f"Contains {found[0].what}: {found[0].why}.", "waiting"
        elif doubled := doubled_keys(text):
            words, tone = f"The key {doubled[0]!r} stands twice.", "waiting"
        elif self.edited:
            words, tone = "Edited. The model's history will show the edited text.", "hint"
        else:
            words, tone = "Unchanged.", "hint"
        self._note.setText(words)
        if self._note.property("tone") != tone:
            self._note.setProperty("tone", tone)
            self._note.style().polish(self._note)


class _Editor(QPlainTextEdit):
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


def _editable(invocation: Invocation) -> str:
    """What the model wrote, laid out for editing where it can be."""
    text = invocation.arguments
    return indented(text) if invocation.variant == "function" and is_json(text) else text
