"""Keeps the dialog and the line in the window in step with the questions that are open."""

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from callgate.core.events import Event, QuestionAnswered, QuestionAsked
from callgate.core.question import OpenQuestion
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.decision.click_guard import ARM_MS
from callgate.ui.questions.dialog import INITIATOR, QuestionDialog
from callgate.ui.questions.link_sheet import OpenUrl, open_in_browser
from callgate.ui.questions.words import ended, gist, heading
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import ICON, M, S, Theme

_MOST_LETTERS = 160


class QuestionNotice(QFrame):
    """A line in the window while a question is open and its dialog is closed: the way back to it."""

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


class QuestionPresenter(QObject):
    reveal_requested = Signal(str)
    """The person wants to see the conversation that a question belongs to; its id."""

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
        self._console = console
        self._known: dict[str, OpenQuestion] = {}
        self._quiet = False
        self.dialog = QuestionDialog(console, bridge, theme, open_url=open_url, arm_ms=arm_ms, now=now)
        self.notice = QuestionNotice(theme)
        self.notice.wanted.connect(self.open)
        self.dialog.hidden.connect(self._show_notice)
        self.dialog.reveal_requested.connect(self.reveal_requested)
        bridge.batch.connect(self.apply)
        self._hand_out()

    def set_window(self, window: QWidget) -> None:
        flags = self.dialog.windowFlags() & ~Qt.WindowType.Widget | Qt.WindowType.Dialog
        shown = self.dialog.isVisible()
        self.dialog.setParent(window, flags)
        if shown:
            self.dialog.come_up()

    def set_quiet(self, quiet: bool) -> None:
        """While quiet, the dialog does not come up by itself."""
        ended_now, self._quiet = self._quiet and not quiet, quiet
        if ended_now:
            self.open()

    def apply(self, batch: tuple[Event, ...]) -> None:
        began, note = False, ""
        for event in batch:
            match event:
                case QuestionAsked():
                    began = True
                    self._known[event.asked.id] = event.asked
                case QuestionAnswered():
                    asked = self._known.pop(event.question_id, None)
                    if asked is not None and asked.id == self.dialog.current_id and event.initiator != INITIATOR:
                        note = ended(asked.question.source, event.ending)
                case _:
                    continue
        if any(isinstance(event, QuestionAsked | QuestionAnswered) for event in batch):
            self._hand_out(note)
            if began and not self._quiet:
                self.open()

    def open(self) -> None:
        """Brings up the dialog, if something is asked."""
        self.dialog.come_up()
        self._show_notice()

    def close(self) -> None:
        self.dialog.close()

    def _hand_out(self, note: str = "") -> None:
        waiting = self._console.questions.waiting()
        self._known |= {asked.id: asked for asked in waiting}
        self.dialog.set_questions(waiting, note)
        self._show_notice()

    def _show_notice(self) -> None:
        self.notice.set_questions(self._console.questions.waiting(), self.dialog.isVisible())
