"""A call to test a rule on while it is written: does it cover the call, and what would all rules together say?

Runs nothing and saves nothing; past calls are another matter (`back_test_box`).
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from callgate.core.rules.policy import Call, Policy, Rule
from callgate.engine.console.console import Console
from callgate.ui.settings.made_up_call import made_up_call
from callgate.ui.settings.pasted_call import PastedCall, read_pasted
from callgate.ui.settings.verdict_look import VERDICT_LOOKS
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.json_layout import problem
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.restyle import set_tone
from callgate.ui.theme.theme import SMALL_SIZE, XS, S, Theme

_MOST_LINES: Final = 4
"""Rows that a pasted call takes at most; an empty field takes one."""


class RuleTrial(QWidget):
    def __init__(
        self, console: Console, theme: Theme, parent: QWidget | None = None, *, now: Callable[[], float] = time.time
    ) -> None:
        super().__init__(parent)
        self._console, self._theme, self._now = console, theme, now
        self._rule: Rule | None = None
        self._replaced = ""
        self.field = QPlainTextEdit()
        self.field.setObjectName("trialCall")
        self.field.setAccessibleName("A call to test the rule on")
        self.field.setPlaceholderText('Paste a call, or its arguments:  {"path": "src/main.py"}')
        self.field.setTabChangesFocus(True)
        self._words = plain_label("", "hint", wrap=True, selectable=True)
        self._words.setObjectName("trialWords")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addWidget(self.field)
        column.addWidget(self._words)
        self.field.textChanged.connect(self._grow)
        self.field.textChanged.connect(self._judge)
        theme.changed.connect(self._draw)
        self._draw()
        self._judge()

    @property
    def words(self) -> str:
        return self._words.text()

    def try_rule(self, rule: Rule | None, replaced: str = "") -> None:
        """The rule as it stands; None = it can't be read. `replaced`: id of the rule whose place it will take."""
        self._rule, self._replaced = rule, replaced
        self._judge()

    def forget(self) -> None:
        self.field.clear()

    def _judge(self) -> None:
        words, tone = self._told()
        self._words.setText(reveal(words))
        self._words.setVisible(bool(words))
        set_tone(self._words, tone)

    def _told(self) -> tuple[str, str]:
        text = self.field.toPlainText().strip()
        if not text or self._rule is None:
            return "", "hint"
        given = read_pasted(text) or PastedCall(_named(self._rule), text)
        bad = problem(given.arguments)
        if bad:
            return f"Arguments: {bad}", "danger"
        if not given.tool:
            return "Which tool? Paste a whole call, or name one tool in the rule.", "hint"
        agent = "" if "*" in self._rule.agent or "?" in self._rule.agent else self._rule.agent
        call = made_up_call(self._console, given.tool, given.arguments, agent)
        return self._verdicts(self._rule, call)

    def _verdicts(self, rule: Rule, call: Call) -> tuple[str, str]:
        lasting = replace(rule, uses=None, expires=None)
        alone = Policy((lasting,))
        others = tuple(one for one in self._console.rules() if not one.id or one.id != self._replaced)
        whole = Policy((*others, lasting)).judge(call, self._now())
        reason = f" ({whole.reason})" if whole.kind != rule.verdict and whole.reason else ""
        together = f"All rules together: {VERDICT_LOOKS[whole.kind].word.lower()}{reason}."
        if not alone.about(call.tool, call.source, call.agent):
            return f"The rule is not about this call: another tool, source or agent. {together}", "waiting"
        outcome = alone.judge(call, self._now()).trace[0].outcome
        if outcome == "matched":
            return f"The rule covers it. {together}", "secondary"
        return f"The rule does not cover it: {outcome}. {together}", "waiting"

    def _draw(self) -> None:
        self.field.setFont(self._theme.mono(SMALL_SIZE))
        self._grow()

    def _grow(self) -> None:
        document = self.field.document()
        around = 2 * (S + int(document.documentMargin()) + 1)
        lines = min(document.blockCount(), _MOST_LINES)
        self.field.setFixedHeight(self.field.fontMetrics().lineSpacing() * lines + around)


def _named(rule: Rule) -> str:
    """The one tool that a rule names; empty = it is about several."""
    return "" if "*" in rule.tool or "?" in rule.tool else rule.tool
