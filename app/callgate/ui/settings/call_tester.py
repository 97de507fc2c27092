"""Try a call: what the rules would say of it, with every rule that was tried. Runs nothing and saves nothing."""

import time
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCompleter, QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from callgate.core.gate_mode import GateModeKind
from callgate.core.rules.policy import Policy, Verdict
from callgate.engine.console.console import Console
from callgate.ui.settings.made_up_call import made_up_call
from callgate.ui.settings.pasted_call import read_pasted
from callgate.ui.settings.verdict_look import VERDICT_LOOKS
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.json_layout import problem
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import ICON, SMALL_SIZE, L, M, S, Theme

_MODES: dict[GateModeKind, str] = {
    "ask": "The gate asks about everything now, so it would ask all the same.",
    "rules": "",
    "observe": "The gate only observes now, so it would run unless a rule denies it.",
}


class CallTester(QWidget):
    def __init__(
        self, console: Console, theme: Theme, parent: QWidget | None = None, *, now: Callable[[], float] = time.time
    ) -> None:
        super().__init__(parent)
        self._console, self._theme, self._now = console, theme, now
        self._verdict: Verdict | None = None
        self.tool = QLineEdit()
        self.tool.setObjectName("testTool")
        self.tool.setAccessibleName("Tool")
        self.tool.setPlaceholderText("tool")
        self.agent = QLineEdit()
        self.agent.setObjectName("testAgent")
        self.agent.setAccessibleName("Agent")
        self.agent.setPlaceholderText("agent (optional)")
        self.arguments = QPlainTextEdit()
        self.arguments.setObjectName("testArguments")
        self.arguments.setAccessibleName("Arguments as JSON, or a whole call")
        self.arguments.setPlaceholderText('{"path": "src/main.py"}   …or paste a whole call, of any wire')
        self.arguments.setTabChangesFocus(True)
        self._icon = QLabel()
        self._word = plain_label("", "strong")
        self._word.setObjectName("testVerdict")
        self._reason = plain_label("", "secondary", wrap=True, selectable=True)
        self._reason.setObjectName("testReason")
        self._trace = QPlainTextEdit()
        self._trace.setObjectName("testTrace")
        self._trace.setAccessibleName("Rules that were tried")
        self._trace.setReadOnly(True)
        self._arrange()
        self.tool.textChanged.connect(lambda _: self.judge())
        self.agent.textChanged.connect(lambda _: self.judge())
        self.arguments.textChanged.connect(self._typed)
        theme.changed.connect(self._draw)
        self._draw()

    @property
    def verdict(self) -> Verdict | None:
        return self._verdict

    def judge(self) -> None:
        """Asks the rules again; they may be others now."""
        names = {tool.name for tool in self._console.tools()}
        if self.tool.completer() is None or names != self._completed:
            self._complete(sorted(names))
        name = self.tool.text().strip()
        self._verdict = None
        if name:
            call = made_up_call(self._console, name, self.arguments.toPlainText(), self.agent.text().strip())
            self._verdict = Policy(self._console.rules()).judge(call, self._now())
        self._draw()

    def _typed(self) -> None:
        """A whole call that was pasted is taken apart."""
        pasted = read_pasted(self.arguments.toPlainText())
        if pasted is not None:
            self.tool.setText(pasted.tool)
            self.arguments.setPlainText(pasted.arguments)
        else:
            self.judge()

    def _complete(self, names: list[str]) -> None:
        self._completed = set(names)
        completer = QCompleter(names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.tool.setCompleter(completer)

    def _arrange(self) -> None:
        self._completed: set[str] = set()
        who = QHBoxLayout()
        who.setSpacing(S)
        who.addWidget(self.tool, 2)
        who.addWidget(self.agent, 1)
        said = QHBoxLayout()
        said.setSpacing(S)
        said.addWidget(self._icon)
        said.addWidget(self._word)
        said.addWidget(self._reason, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, M, L, M)
        column.setSpacing(S)
        column.addWidget(plain_label("What would the rules say of a call? Nothing is run.", "secondary"))
        column.addLayout(who)
        column.addWidget(self.arguments, 1)
        column.addLayout(said)
        column.addWidget(self._trace, 1)

    def _draw(self) -> None:
        for text in (self.arguments, self._trace):
            text.setFont(self._theme.mono(SMALL_SIZE))
        verdict = self._verdict
        bad = problem(self.arguments.toPlainText()) if self.arguments.toPlainText().strip() else ""
        if verdict is None:
            self._icon.setPixmap(self._theme.icon("rule", "text3").pixmap(ICON, ICON))
            self._word.setText("")
            self._reason.setText("Name a tool to see the verdict.")
            self._trace.setPlainText("")
            return
        look = VERDICT_LOOKS[verdict.kind]
        self._icon.setPixmap(self._theme.icon(look.icon, look.color).pixmap(ICON, ICON))
        self._word.setText(look.word)
        self._word.setStyleSheet(f"color: {self._theme.color(look.color).name()};")
        notes = (reveal(verdict.reason), _MODES[self._console.gate_mode.kind], f"Arguments: {bad}" if bad else "")
        self._reason.setText("  ".join(note for note in notes if note))
        lines = [f"{reveal(line.rule)}  —  {reveal(line.outcome)}" for line in verdict.trace]
        self._trace.setPlainText("\n".join(lines) or "No rule is about this tool.")
