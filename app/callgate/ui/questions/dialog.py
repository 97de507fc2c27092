"""The dialog that puts questions to the person. It takes no focus, is never modal, and closing it answers nothing.

Each open question keeps its own sheet, so that walking from one to another loses nothing that was typed.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, assert_never

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from callgate.core.messages import Json
from callgate.core.question import (
    Answer,
    FormQuestion,
    InputQuestion,
    LinkQuestion,
    OpenQuestion,
    OriginQuestion,
    SampleQuestion,
)
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.decision.click_guard import ARM_MS, ClickGuard, GuardedButton
from callgate.ui.questions.link_sheet import LinkSheet, OpenUrl, open_in_browser
from callgate.ui.questions.sample_sheet import SampleSheet
from callgate.ui.questions.sheet import Sheet
from callgate.ui.questions.words import heading
from callgate.ui.schema_form.form import SchemaForm
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import ICON, L, M, S, Theme
from callgate.ui.widgets.choice_box import ChoiceBox


class OriginSheet(Sheet):
    """Web pages of this machine that want to use Callgate: what allowing them means, in words."""

    accept_words = "Allow"
    accept_tip = "Remembered for every page of this address"
    decline_words = "Refuse"
    decline_tip = "Remembered; this address is not asked about again"

    def __init__(self, question: OriginQuestion) -> None:
        super().__init__()
        self.say("A web page in a browser on this machine sent a request to Callgate. It comes from")
        self.say(question.source, "strong").setObjectName("questionOrigin")
        self.say(
            "Allowed pages can use your providers with their keys, and read the answers. Tool calls that run here are "
            "still judged by your rules."
        )
        self.say(
            "Allow it only if you started the program that serves this address. Your answer is kept in origins.json "
            "in the data folder.",
            "hint",
        )

    def answer(self) -> Answer:
        return Answer("accept")


class InputSheet(Sheet):
    """One value that a source needs to start; a password is not shown while it is typed."""

    accept_words = "Use this value"

    def __init__(self, question: InputQuestion, theme: Theme) -> None:
        super().__init__()
        self._field: QLineEdit | None = None
        self._choice: ChoiceBox | None = None
        name = question.message or question.id
        self.say(question.message or f"A value for “{question.id}”")
        if question.options:
            self._choice = ChoiceBox(theme, name, [(reveal(option), option) for option in question.options])
            self._choice.setObjectName("questionChoice")
            self._choice.choose(question.default)
            self.column.addWidget(self._choice)
        else:
            self._field = QLineEdit(question.default)
            self._field.setObjectName("questionField")
            self._field.setAccessibleName(name)
            if question.password:
                self._field.setEchoMode(QLineEdit.EchoMode.Password)
            self._field.textChanged.connect(self.changed)
            self.column.addWidget(self._field)
        kept = "It is used until Callgate ends and is not written down."
        self.say(kept if question.password else "You are asked again when Callgate restarts.", "hint")

    def answer(self) -> Answer | None:
        text = self._choice.currentData() if self._choice is not None else self._field.text() if self._field else ""
        return Answer("accept", text=text) if text else None

    def first(self) -> QWidget | None:
        return self._field or self._choice


# A few values that a server wants, as a form made from its schema.
class FormSheet(Sheet):
    accept_words = "Send"
    accept_tip = "The server gets these values"

    def __init__(self, question: FormQuestion, theme: Theme) -> None:
        super().__init__()
        self.quote(question.message, theme, "What the server asks")
        self.form = SchemaForm(question.schema, theme)
        self.form.set_value(with_defaults(question.schema))
        self.form.changed.connect(self._edited)
        self.column.addWidget(self.form)
        self._missing = self.say("", "hint")
        self._missing.setObjectName("questionMissing")
        self.column.addStretch(1)
        self._edited()

    def answer(self) -> Answer | None:
        value = self.form.value()
        if not isinstance(value, dict) or self.form.problems():
            return None
        return Answer("accept", value)

    def first(self) -> QWidget | None:
        """The form may still be building itself: the keyboard goes to its first field then."""
        return self.form

    def _edited(self) -> None:
        problems = self.form.problems()
        names = dict.fromkeys(str(found.path[0]) for found in problems if found.path)
        self._missing.setText(f"Needs attention: {', '.join(names)}" if names else "")
        self._missing.setVisible(bool(names))
        self.changed.emit()


def with_defaults(schema: Mapping[str, Json]) -> dict[str, Json]:
    """The protocol wants a form to begin with the defaults that the server gives."""
    properties = schema.get("properties")
    fields = properties.items() if isinstance(properties, dict) else ()
    return {name: field["default"] for name, field in fields if isinstance(field, dict) and "default" in field}


INITIATOR: Final = "dialog"
NOTE_MS: Final = 4000
"""How long a note about a question that is over stays."""
_WIDTH: Final = 560
_NARROWEST: Final = 400
_SHORTEST: Final = 220
_TALLEST: Final = 640
_TICK_MS: Final = 1000


class QuestionDialog(QDialog):
    hidden = Signal()
    reveal_requested = Signal(str)
    """Show the conversation in which the call was made; its id."""

    def __init__(
        self,
        console: Console,
        bridge: Bridge,
        theme: Theme,
        *,
        open_url: OpenUrl = open_in_browser,
        arm_ms: int = ARM_MS,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self._console, self._bridge, self._theme = console, bridge, theme
        self._open_url, self._now = open_url, now
        self._asked: tuple[OpenQuestion, ...] = ()
        self._sheets: dict[str, QScrollArea] = {}
        self._current = ""
        self.setObjectName("questionDialog")
        self.setAccessibleName("Question")
        self.setWindowTitle("Callgate has a question")
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setMinimumWidth(_NARROWEST)
        self._guard = ClickGuard(self, arm_ms)
        self._guard.armed_changed.connect(lambda _: self._check())
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._tick)
        self._leaving = QTimer(self)
        self._leaving.setSingleShot(True)
        self._leaving.timeout.connect(self._note_over)
        self._build()
        self._arrange()
        theme.changed.connect(self._draw)
        self._draw()

    # ---- what is shown ----------------------------------------------------------------------------------------------

    @property
    def current_id(self) -> str:
        return self._current

    def set_questions(self, asked: Sequence[OpenQuestion], note: str = "") -> None:
        """Those that are open, the oldest first. `note`: what became of the one that was shown, if it is over."""
        self._asked = tuple(asked)
        ids = [one.id for one in self._asked]
        for gone in [known for known in self._sheets if known not in ids]:
            area = self._sheets.pop(gone)
            self._stack.removeWidget(area)
            area.deleteLater()
        if note:
            self._say(note)
        if not ids:
            self._current = ""
            self._count()
            self._check()
            if not self._note.text():
                self.hide()
            return
        self.show_question(self._current if self._current in ids else ids[0])

    def show_question(self, question_id: str) -> None:
        asked = next((one for one in self._asked if one.id == question_id), None)
        if asked is None:
            return
        if asked.id not in self._sheets:
            self._sheets[asked.id] = self._make_area(asked)
        if self._current != asked.id:
            self._guard.rearm()
        self._current = asked.id
        self._stack.setCurrentWidget(self._sheets[asked.id])
        self._heading.setText(reveal(heading(asked.question)))
        self._count()
        self._check()
        self._tick()
        self._grow()

    def come_up(self) -> None:
        """On the screen, without taking the focus from where the person is typing."""
        if self.isVisible() or not self._asked:
            return
        sheet = self._sheet()
        if sheet is not None and (first := sheet.first()) is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)
        self.resize(_WIDTH, self._wanted_height())
        self.show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._clock.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._clock.stop()
        self._leaving.stop()
        self._note.clear()
        self._note.hide()
        self.hidden.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A sheet wants more room: forms build themselves a little at a time."""
        if event.type() == QEvent.Type.LayoutRequest:
            QTimer.singleShot(0, self, self._grow)
        return super().eventFilter(watched, event)

    # ---- building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._icon = QLabel()
        self._heading = plain_label("", "waiting", wrap=True)
        self._heading.setObjectName("questionHeading")
        self._position = plain_label("", "secondary")
        self._back = self._tool_button("previousQuestion", "Previous question (Alt+Left)", "Alt+Left", -1)
        self._next = self._tool_button("nextQuestion", "Next question (Alt+Right)", "Alt+Right", 1)
        self._reveal = QToolButton()
        self._reveal.setObjectName("revealQuestion")
        self._reveal.setAccessibleName("Show its conversation")
        self._reveal.setToolTip("Show its conversation")
        self._reveal.setIconSize(self._theme.icon_size)
        self._reveal.clicked.connect(self._show_conversation)
        self._note = plain_label("", "secondary", wrap=True)
        self._note.setObjectName("questionNote")
        self._note.hide()
        self._stack = QStackedWidget()
        self._left = plain_label("", "hint")
        self._left.setObjectName("questionTimeLeft")
        self._accept = self._button("acceptQuestion", "primary", self._take)
        self._accept.setShortcut("Ctrl+Return")
        self._decline = self._button("declineQuestion", "", self._refuse)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self._icon)
        head.addWidget(self._heading, 1)
        for widget in (self._back, self._position, self._next, self._reveal):
            head.addWidget(widget)
        line = QFrame()
        line.setProperty("line", True)
        line.setFixedHeight(1)
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addWidget(self._accept)
        buttons.addWidget(self._decline)
        buttons.addStretch(1)
        buttons.addWidget(self._left)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(L, M, L, L)
        column.setSpacing(M)
        column.addLayout(head)
        column.addWidget(self._note)
        column.addWidget(self._stack, 1)
        column.addWidget(line)
        column.addLayout(buttons)

    def _button(self, name: str, kind: str, pressed: Callable[[], None]) -> GuardedButton:
        button = GuardedButton("", self._guard)
        button.setObjectName(name)
        button.setAutoDefault(False)
        if kind:
            button.setProperty("kind", kind)
        button.clicked.connect(pressed)
        return button

    def _tool_button(self, name: str, tip: str, keys: str, by: int) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setAccessibleName(tip)
        button.setToolTip(tip)
        button.setIconSize(self._theme.icon_size)
        button.setShortcut(keys)
        button.clicked.connect(lambda: self._turn(by))
        return button

    def _make_area(self, asked: OpenQuestion) -> QScrollArea:
        sheet = self._make_sheet(asked)
        sheet.changed.connect(self._check)
        sheet.installEventFilter(self)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(sheet)
        self._stack.addWidget(area)
        return area

    def _make_sheet(self, asked: OpenQuestion) -> Sheet:
        question = asked.question
        match question:
            case FormQuestion():
                return FormSheet(question, self._theme)
            case LinkQuestion():
                return LinkSheet(question, self._theme, self._open_url)
            case SampleQuestion():
                return SampleSheet(asked, question, self._console, self._theme, self._bridge)
            case InputQuestion():
                return InputSheet(question, self._theme)
            case OriginQuestion():
                return OriginSheet(question)
            case _:
                assert_never(question)

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("question", "waiting").pixmap(ICON, ICON))
        self._back.setIcon(self._theme.icon("back"))
        self._next.setIcon(self._theme.icon("next"))
        self._reveal.setIcon(self._theme.icon("conversation"))

    # ---- answering --------------------------------------------------------------------------------------------------

    def _sheet(self) -> Sheet | None:
        area = self._sheets.get(self._current)
        widget = area.widget() if area is not None else None
        return widget if isinstance(widget, Sheet) else None

    def _check(self) -> None:
        sheet, armed = self._sheet(), self._guard.armed
        self._accept.setEnabled(armed and sheet is not None and sheet.answer() is not None)
        self._decline.setEnabled(armed and sheet is not None)
        if sheet is not None:
            self._accept.setText(sheet.accept_words)
            set_plain_tip(self._accept, f"{sheet.accept_tip} (Ctrl+Return)".strip())
            self._decline.setText(sheet.decline_words)
            set_plain_tip(self._decline, sheet.decline_tip)

    def _take(self) -> None:
        sheet = self._sheet()
        answer = sheet.answer() if sheet is not None else None
        if sheet is None or answer is None:
            return
        if not self._console.questions.answer(self._current, answer, INITIATOR):
            self._say("Too late: this question is closed.")
            return
        self._say(sheet.accepted())

    def _refuse(self) -> None:
        if not self._console.questions.answer(self._current, Answer("decline"), INITIATOR):
            self._say("Too late: this question is closed.")

    def _show_conversation(self) -> None:
        for asked in self._asked:
            if asked.id == self._current:
                self.reveal_requested.emit(asked.question.conversation_id)

    # ---- walking, time and room -------------------------------------------------------------------------------------

    def _index(self) -> int:
        return next((index for index, asked in enumerate(self._asked) if asked.id == self._current), 0)

    def _turn(self, by: int) -> None:
        index = self._index() + by
        if 0 <= index < len(self._asked):
            self.show_question(self._asked[index].id)

    def _count(self) -> None:
        many = len(self._asked) > 1
        for widget in (self._back, self._position, self._next):
            widget.setVisible(many)
        self._position.setText(f"{self._index() + 1} of {len(self._asked)}")
        self._back.setEnabled(self._index() > 0)
        self._next.setEnabled(self._index() < len(self._asked) - 1)
        self._reveal.setVisible(any(a.id == self._current and a.question.conversation_id for a in self._asked))

    def _tick(self) -> None:
        deadline = next((asked.deadline for asked in self._asked if asked.id == self._current), None)
        left = max(0, round(deadline - self._now())) if deadline is not None else 0
        self._left.setText(f"{left // 60}:{left % 60:02} left" if deadline is not None else "")

    def _wanted_height(self) -> int:
        sheet = self._sheet()
        if sheet is None:
            return _SHORTEST
        width = self._stack.width() if self.isVisible() else _WIDTH - 2 * L
        inside = sheet.heightForWidth(width) if sheet.hasHeightForWidth() else sheet.sizeHint().height()
        around = self._column.totalSizeHint().height() - self._stack.sizeHint().height()
        return max(_SHORTEST, min(inside + around + S, _TALLEST))

    def _grow(self) -> None:
        """It only ever grows: nothing moves away under a hand."""
        if self.isVisible() and (wanted := self._wanted_height()) > self.height():
            self.resize(self.width(), wanted)

    def _say(self, note: str) -> None:
        if note:
            self._note.setText(reveal(note))
            self._note.show()
            self._leaving.start(NOTE_MS)

    def _note_over(self) -> None:
        self._note.clear()
        self._note.hide()
        if not self._asked:
            self.hide()
