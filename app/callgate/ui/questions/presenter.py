"""Keeps the dialog and the line in the window in step with the questions that are open."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from callgate.core.events import Event, QuestionAnswered, QuestionAsked
from callgate.core.question import OpenQuestion
from callgate.engine.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.click_guard import ARM_MS
from callgate.ui.questions.dialog import INITIATOR, QuestionDialog
from callgate.ui.questions.link_sheet import OpenUrl, open_in_browser
from callgate.ui.questions.notice import QuestionNotice
from callgate.ui.questions.words import ended
from callgate.ui.theme import Theme


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
