"""How a try goes: its state in words, what the tool says meanwhile, and what it returned. Shows; starts nothing."""

import time
from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QProgressBar, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.events import ToolOutput
from callgate.core.text.terminal import plain
from callgate.ui.result_view.view import ResultView
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.restyle import set_tone
from callgate.ui.theme.theme import XS, S, Theme

_TICK_MS: Final = 250
_SAID_LINES: Final = 200
"""Of what a tool says while it runs, the last lines are shown; all of it is kept in the conversation."""
_SAID_HEIGHT: Final = 96


class TryProgress(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._invocation: Invocation | None = None
        self._icon = QLabel()
        self.state = plain_label("", "strong")
        self.state.setObjectName("tryState")
        self.timing = plain_label("", "hint")
        self.timing.setObjectName("tryTiming")
        self.note = plain_label("", "secondary", selectable=True, wrap=True)
        self.note.setObjectName("tryNote")
        self.bar = QProgressBar()
        self.bar.setObjectName("tryBar")
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(XS)
        self.bar.setAccessibleName("Progress")
        self.said = QPlainTextEdit()
        self.said.setObjectName("trySaid")
        self.said.setAccessibleName("What the tool says meanwhile")
        self.said.setReadOnly(True)
        self.said.setFont(theme.mono())
        self.said.setMaximumBlockCount(_SAID_LINES)
        self.said.setMaximumHeight(_SAID_HEIGHT)
        self.result = ResultView(theme, title="Result")
        self.result.setObjectName("tryResult")
        self._empty = plain_label("Nothing has run yet. What the tool returns is shown here.", "hint", wrap=True)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._tell_time)
        theme.changed.connect(self._draw)
        self._build()
        self.clear()

    def clear(self) -> None:
        """Back to where nothing has run."""
        self._invocation = None
        self.said.clear()
        self._timer.stop()
        self._show(empty=True)

    def show_fault(self, text: str) -> None:
        """It did not even begin."""
        self._invocation = None
        self._timer.stop()
        self._show(empty=False)
        self._icon.setPixmap(self._theme.icon("error", "denied").pixmap(self._theme.icon_size))
        self.state.setText("not run")
        set_tone(self.state, "strong")
        self.timing.setText("")
        self._say(text)
        self.result.hide()

    def show_invocation(self, invocation: Invocation) -> None:
        if self._invocation is None or self._invocation.id != invocation.id:
            self.said.clear()
        self._invocation = invocation
        self._show(empty=False)
        self._draw()
        self._say(_meaning(invocation))
        self.bar.setVisible(invocation.state == "Executing")
        result = invocation.result or invocation.ran_result
        self.result.setVisible(result is not None)
        if result is not None:
            self.result.show_result(result.parts, result.is_error)
        self.said.setVisible(bool(self.said.toPlainText()) and (invocation.is_live or result is None))
        if invocation.is_live:
            self._timer.start()
        else:
            self._timer.stop()
        self._tell_time()

    def add_output(self, output: ToolOutput) -> None:
        """What the running tool says."""
        if output.progress is not None and output.total:
            self.bar.setRange(0, 1000)
            self.bar.setValue(int(1000 * min(1.0, output.progress / output.total)))
        if output.text:
            # a message with progress is a whole one; anything else is output, which comes in pieces of lines
            ends = output.progress is None or output.text.endswith("\n")
            self.said.moveCursor(QTextCursor.MoveOperation.End)
            self.said.insertPlainText(reveal(plain(output.text)) + ("" if ends else "\n"))
            self.said.show()

    def _show(self, empty: bool) -> None:
        self._empty.setVisible(empty)
        self._page.setVisible(not empty)
        if empty:
            return
        self.bar.setRange(0, 0)
        self.bar.hide()

    def _say(self, text: str) -> None:
        self.note.setText(reveal(text))
        self.note.setVisible(bool(text))

    def _draw(self) -> None:
        if self._invocation is not None:
            self._icon.setPixmap(self._theme.state_icon(self._invocation).pixmap(self._theme.icon_size))
            self.state.setText(self._theme.state_word(self._invocation))
            set_tone(self.state, "waiting" if self._invocation.is_waiting else "strong")

    def _tell_time(self) -> None:
        if self._invocation is None:
            return
        now = time.time() if self._invocation.is_live else _end(self._invocation)
        self.timing.setText(timing_words(self._invocation, now))

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self._icon)
        head.addWidget(self.state)
        head.addStretch(1)
        head.addWidget(self.timing)
        self._page = QWidget()
        inner = QVBoxLayout(self._page)
        inner.setContentsMargins(0, S, S, 0)
        inner.setSpacing(S)
        inner.addLayout(head)
        inner.addWidget(self.note)
        inner.addWidget(self.bar)
        inner.addWidget(self.said)
        inner.addWidget(self.result, 1)
        inner.addStretch(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self._empty.setContentsMargins(0, S, S, S)
        column.addWidget(self._empty, 0, Qt.AlignmentFlag.AlignTop)
        column.addWidget(self._page, 1)


def timing_words(invocation: Invocation, now: float) -> str:
    """`waited 2.1 s · ran 40 ms`; what took no time is left out."""
    waited = invocation.seconds_in("WaitingForConfirmation", now) + invocation.seconds_in("WaitingForPostApproval", now)
    ran = invocation.seconds_in("Executing", now)
    began = any(phase.state == "Executing" for phase in invocation.phases)
    words = [f"waited {figures.seconds(waited)}"] if waited > 0 else []
    words += [f"ran {figures.seconds(ran)}"] if began else []
    return " · ".join(words)


def _end(invocation: Invocation) -> float:
    return invocation.phases[-1].since if invocation.phases else 0.0


def _meaning(invocation: Invocation) -> str:
    """What the state means for the person, where the word alone does not say it."""
    match invocation.state:
        case "WaitingForConfirmation":
            return "Tool call needs approval. The call runs once you approve it."
        case "WaitingForPostApproval":
            return "It has run. Waiting for you to release the result."
        case "Cancelled":
            return invocation.explanation
        case "Completed" if invocation.edited_arguments is not None:
            return "It ran with the arguments as you edited them when you approved it."
        case _:
            return ""
