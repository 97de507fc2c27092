"""What a rule would have done to calls of the past: a sentence while the rule is being written, and the calls.

Asks the console a moment after the rule has changed; an answer to an older question is thrown away.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHBoxLayout, QListView, QToolButton, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.rules.backtest import BackTest
from callgate.core.rules.policy import Rule
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.json_layout import summary
from callgate.ui.text.plain_text import plain_label
from callgate.ui.text.time_format import ago
from callgate.ui.theme.restyle import set_tone
from callgate.ui.theme.theme import SMALL_SIZE, XS, S, Theme

PAUSE_MS: Final = 200
"""A pause in the typing; past calls are read from disk."""
_LISTED: Final = 200
_ROWS: Final = 5


class BackTestBox(QWidget):
    def __init__(
        self,
        console: Console,
        bridge: Bridge | None,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Without a bridge nothing can be asked, and nothing is shown."""
        super().__init__(parent)
        self._console, self._bridge, self._theme, self._now = console, bridge, theme, now
        self._rule: Rule | None = None
        self._result: BackTest | None = None
        self._words = plain_label("", "hint", wrap=True)
        self._words.setObjectName("backTest")
        self._more = QToolButton()
        self._more.setObjectName("backTestToggle")
        self._more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._more.setIconSize(theme.icon_size)
        self._more.setCheckable(True)
        self._more.toggled.connect(lambda _: self._show())
        self._model = QStandardItemModel(self)
        self._list = QListView()
        self._list.setObjectName("backTestCalls")
        self._list.setAccessibleName("Past calls that the rule covers")
        self._list.setModel(self._model)
        self._list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._list.setUniformItemSizes(True)
        self._list.setIconSize(theme.icon_size)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self._words, 1)
        row.addWidget(self._more)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addLayout(row)
        column.addWidget(self._list)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        theme.changed.connect(self._show)
        self._show()

    def try_rule(self, rule: Rule | None) -> None:
        """The rule to try; its end and its uses don't matter. None = it can't be read."""
        asked = None if rule is None else replace(rule, expires=None, uses=None, note="", id="", fingerprint="")
        if asked == self._rule:
            return
        self._rule = asked
        self._result = None
        self._show()
        if asked is None or self._bridge is None:
            self._pause.stop()
        else:
            self._pause.start()

    def _ask(self) -> None:
        if self._rule is not None and self._bridge is not None:
            self._bridge.start(self._answer(self._rule), self, "trying a rule on past calls")

    async def _answer(self, rule: Rule) -> None:
        result = await self._console.back_test(rule)
        if rule == self._rule:
            self._result = result
            self._show()

    def _show(self) -> None:
        rule, result = self._rule, self._result
        self.setVisible(rule is not None and self._bridge is not None)
        if rule is None or result is None:
            self._say("Trying it on past calls…", "hint")
            self._more.hide()
            self._list.hide()
            return
        risky = rule.verdict == "allow" and bool(result.denied_before)
        if not result.tried:
            words = "There are no past calls to try it on."
        elif not result.matched:
            words = f"It covers none of {result.tried:,} past calls."
        else:
            words = f"It {result.words(rule)}."
        self._say(words, "waiting" if risky else "hint")
        self._more.setVisible(bool(result.matched))
        self._more.setText("Hide them" if self._more.isChecked() else "Show them")
        self._more.setIcon(self._theme.icon("expanded" if self._more.isChecked() else "collapsed"))
        shown = bool(result.matched) and self._more.isChecked()
        self._list.setVisible(shown)
        if shown:
            refused = {call.id for call in result.denied_before}
            self._fill([*result.denied_before, *(call for call in result.matched if call.id not in refused)])

    def _fill(self, calls: Sequence[Invocation]) -> None:
        self._model.clear()
        font = self._theme.mono(SMALL_SIZE)
        for call in calls[:_LISTED]:
            item = QStandardItem(self._theme.state_icon(call), _line(call, self._theme, self._now()))
            item.setFont(font)
            self._model.appendRow(item)
        if len(calls) > _LISTED:
            self._model.appendRow(QStandardItem(f"… and {len(calls) - _LISTED} more"))
        rows = min(_ROWS, self._model.rowCount())
        self._list.setFixedHeight(max(1, rows) * max(20, self._list.sizeHintForRow(0)) + S)

    def _say(self, words: str, tone: str) -> None:
        self._words.setText(words)
        set_tone(self._words, tone)


def _line(call: Invocation, theme: Theme, now: float) -> str:
    said = summary(call.effective_arguments)
    return f"{theme.state_word(call)}  {reveal(call.tool)}  {said}  ·  {reveal(call.agent)}, {ago(call.started, now)}"
