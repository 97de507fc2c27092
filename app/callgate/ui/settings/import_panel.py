"""Rules of other programs: pasted or from a file, shown as what they would become here, and taken only then.

Reads and saves nothing itself; shows what the engine makes of a text.
"""

from collections.abc import Callable
from typing import Final, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QScrollArea, QVBoxLayout, QWidget

from callgate.core.calls.invocation import GrantScope
from callgate.core.errors import UserFault
from callgate.core.rules.rule_words import rule_words
from callgate.engine.console.rule_service import ImportPlan, Remark
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.restyle import set_tone
from callgate.ui.theme.theme import SMALL_SIZE, XS, M, S, Theme
from callgate.ui.widgets.choice_box import ChoiceBox

_SCOPES: Final[tuple[tuple[str, GrantScope], ...]] = (
    ("For this workspace", "workspace"),
    ("Always", "always"),
    ("For this session", "session"),
)
_HINT: Final = (
    "Paste a settings file of Claude Code (settings.json), VS Code (settings.json), Zed (settings.json) or Callgate "
    "(TOML). Nothing is saved before you have seen what it becomes."
)
_FIELD_HEIGHT: Final = 120
_FOUND_HEIGHT: Final = 120


class ImportPanel(QFrame):
    taken = Signal(ImportPlan, str)
    """These rules are wanted, for this scope."""
    file_wanted = Signal()
    cancelled = Signal()

    def __init__(self, read: Callable[[str], ImportPlan], theme: Theme, parent: QWidget | None = None) -> None:
        """`read` may raise `UserFault`."""
        super().__init__(parent)
        self.setObjectName("importPanel")
        self.setAccessibleName("Import rules")
        self.setProperty("card", True)
        self._read = read
        self._plan: ImportPlan | None = None
        self.field = QPlainTextEdit()
        self.field.setObjectName("importText")
        self.field.setAccessibleName("Rules of another program, as text")
        self.field.setPlaceholderText(_HINT)
        self.field.setTabChangesFocus(True)
        self.field.setFont(theme.mono(SMALL_SIZE))
        self.field.setMinimumHeight(_FIELD_HEIGHT)
        self._title = plain_label("", "strong", wrap=True)
        self._title.setObjectName("importTitle")
        self._found = plain_label("", "secondary", selectable=True, wrap=True)
        self._found.setObjectName("importFound")
        self._found.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._found.setContentsMargins(S, S, S, S)
        self._scroll = QScrollArea()
        self.scope = ChoiceBox(theme, "Where the rules hold", _SCOPES)
        self.file = self._button("openImport", "Open a file…", self.file_wanted.emit)
        self.take = self._button("takeImport", "Save", self._take)
        self.take.setProperty("kind", "primary")
        self.cancel = self._button("cancelImport", "Cancel", self.cancelled.emit)
        self.cancel.setProperty("kind", "quiet")
        self._arrange()
        self.field.textChanged.connect(self._look)
        self._look()
        self.hide()

    def open(self) -> None:
        self.field.clear()
        self.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_text(self, text: str) -> None:
        self.field.setPlainText(text)

    def tell(self, problem: str) -> None:
        self._title.setText(reveal(problem))
        self._title.show()
        set_tone(self._title, "danger")

    @property
    def words(self) -> str:
        return f"{self._title.text()}\n{self._found.text()}"

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
            event.accept()
        else:
            super().keyPressEvent(event)

    def _button(self, name: str, words: str, run: Callable[[], object]) -> QPushButton:
        button = QPushButton(words)
        button.setObjectName(name)
        button.setAutoDefault(False)
        button.clicked.connect(lambda: run())
        return button

    def _arrange(self) -> None:
        self._scroll.setWidget(self._found)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setMinimumHeight(_FOUND_HEIGHT)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        head = QHBoxLayout()
        head.addWidget(plain_label("Import rules", "strong"), 1)
        head.addWidget(self.file)
        foot = QHBoxLayout()
        foot.setSpacing(S)
        foot.addStretch(1)
        foot.addWidget(self.scope)
        foot.addWidget(self.take)
        foot.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, M, S)
        column.setSpacing(XS)
        column.addLayout(head)
        column.addWidget(self.field, 1)
        column.addWidget(self._title)
        column.addWidget(self._scroll, 2)
        column.addLayout(foot)

    def _look(self) -> None:
        text = self.field.toPlainText()
        self._plan, problem = None, ""
        if text.strip():
            try:
                self._plan = self._read(text)
            except UserFault as fault:
                problem = str(fault)
        self._show(problem)

    def _show(self, problem: str) -> None:
        plan = self._plan
        count = 0 if plan is None else len(plan.rules)
        self.take.setEnabled(count > 0)
        self.take.setText("Save 1 rule" if count == 1 else f"Save {count} rules" if count else "Save")
        self._scroll.setVisible(plan is not None)
        self._title.setVisible(plan is not None or bool(problem))
        if plan is None:
            self._title.setText(reveal(problem))
            set_tone(self._title, "danger")
            return
        left_out = f", {len(plan.skipped)} left out" if plan.skipped else ""
        self._title.setText(f"From {plan.program}: {count} rules{left_out}")
        set_tone(self._title, "strong")
        parts = (
            [f"+  {rule_words(rule)}" for rule in plan.rules],
            _told("Stricter here than it was there:", plan.widened),
            _told("Left out:", plan.skipped),
        )
        self._found.setText(reveal("\n".join(line for part in parts for line in part)))

    def _take(self) -> None:
        if self._plan is not None:
            self.taken.emit(self._plan, cast("str", self.scope.currentData()))


def _told(title: str, remarks: tuple[Remark, ...]) -> list[str]:
    return ["", title, *(f"−  {text}: {why}" for text, why in remarks)] if remarks else []
