"""Calls that were refused lately, and a way to let the next one like it through, once. Decides nothing now."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListView, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.tool_facts import tool_of
from callgate.core.rules.grant import agent_of_rule
from callgate.core.rules.narrow_rule import narrow_for
from callgate.core.rules.policy import Call, Policy, Rule
from callgate.core.rules.rule_words import rule_words
from callgate.engine.console.console import Console
from callgate.ui.settings.denied_model import DeniedModel
from callgate.ui.settings.two_line import Line, TwoLineDelegate
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import M, S, Theme
from callgate.ui.widgets.empty_state import EmptyState

_WORD_WIDTH = 66
"""Room for "timed out" in front."""


class DeniedPanel(QWidget):
    allow_requested = Signal(Rule)
    """A rule that lets the next such call through, once."""
    retry_requested = Signal(Invocation)
    """Make the same call once more, now."""
    rule_requested = Signal(str)
    """The person wants to see the rule that refuses it; rule id."""

    def __init__(self, console: Console, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._console, self._theme = console, theme
        self._now = 0.0
        self._blocking = ""
        self.model = DeniedModel(self)
        self.list = QListView()
        self.list.setObjectName("deniedList")
        self.list.setAccessibleName("Calls that were refused lately")
        self.list.setModel(self.model)
        self.list.setItemDelegate(TwoLineDelegate(theme, self.list, word_width=_WORD_WIDTH))
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._words = plain_label("", "secondary", wrap=True, selectable=True)
        self._words.setObjectName("allowWords")
        self.allow = QPushButton("Allow next time")
        self.allow.setObjectName("allowNextTime")
        self.allow.setAutoDefault(False)
        self.retry = QPushButton("Retry now")
        self.retry.setObjectName("retryCall")
        self.retry.setAutoDefault(False)
        self._no_retry = plain_label("", "hint", wrap=True)
        self._no_retry.setObjectName("whyNoRetry")
        self.show_rule = QPushButton("Show the rule")
        self.show_rule.setObjectName("showDenyingRule")
        self.show_rule.setAutoDefault(False)
        self._arrange()
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._show_chosen())
        self.allow.clicked.connect(self._allow)
        self.retry.clicked.connect(self._retry)
        self.show_rule.clicked.connect(lambda: self.rule_requested.emit(self._blocking))
        theme.changed.connect(self.list.viewport().update)
        self._show_chosen()

    @property
    def count(self) -> int:
        return self.model.rowCount()

    def set_calls(self, past: Sequence[Invocation], now: float) -> None:
        """Calls that are over, newest first."""
        chosen = self._chosen()
        self._now = now
        self.model.set_calls(past, now)
        row = self.model.row_of(chosen.id) if chosen is not None else -1
        if self.count and (row >= 0 or not self.list.currentIndex().isValid()):
            self.list.setCurrentIndex(self.model.index(max(row, 0)))
        self._stack.setCurrentIndex(1 if self.count else 0)
        self._show_chosen()

    def _arrange(self) -> None:
        page = QWidget()
        foot = QHBoxLayout()
        foot.setContentsMargins(M, 0, M, 0)
        foot.setSpacing(S)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._words)
        words.addWidget(self._no_retry)
        foot.addLayout(words, 1)
        foot.addWidget(self.show_rule)
        foot.addWidget(self.retry)
        foot.addWidget(self.allow)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, M)
        column.setSpacing(S)
        column.addWidget(self.list, 1)
        column.addLayout(foot)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(
            EmptyState(self._theme, "gate", "Nothing was refused.", "Calls that you or a rule deny appear here.")
        )
        self._stack.addWidget(page)

    def _chosen(self) -> Invocation | None:
        call = self.list.currentIndex().data(Line.ITEM)
        return call if isinstance(call, Invocation) else None

    def _rule(self, call: Invocation) -> Rule:
        tool = tool_of(call, self._console.tools())
        when = narrow_for(call.arguments, tool, call.tool).when
        agent = agent_of_rule(call, allows=True)
        fingerprint = call.fingerprint
        return Rule("allow", call.tool, call.source or "*", agent, when, uses=1, fingerprint=fingerprint)

    def _show_chosen(self) -> None:
        call = self._chosen()
        self.allow.setEnabled(call is not None)
        self.show_rule.hide()
        self._show_retry(call)
        if call is None:
            self._words.setText("")
            return
        subject = Call(
            call.tool,
            call.source,
            call.agent,
            call.model,
            call.arguments,
            call.fingerprint,
            agent_proven=call.agent_proven,
        )
        verdict = Policy(self._console.rules()).judge(subject, self._now)
        if verdict.kind == "deny":
            self._blocking = verdict.rule_id
            self._words.setText(reveal(f"A rule denies it, and deny beats allow: {verdict.rule}"))
            self.show_rule.setVisible(bool(verdict.rule_id))
            self.allow.setEnabled(False)
        elif verdict.kind == "allow":
            self._words.setText(reveal(f"The next one like it is allowed already: {verdict.rule}"))
            self.allow.setEnabled(False)
        else:
            self._words.setText(reveal(f"Saves for this session, for one use: {rule_words(self._rule(call))}"))

    def _show_retry(self, call: Invocation | None) -> None:
        why_not = "" if call is None else self._console.rule_service.why_no_retry(call)
        self.retry.setEnabled(call is not None and not why_not)
        self.retry.setToolTip("It asks again, as every call does" if not why_not else "")
        self._no_retry.setText(reveal(f"It can't be retried from here. {why_not}") if why_not else "")
        self._no_retry.setVisible(bool(why_not))

    def _retry(self) -> None:
        call = self._chosen()
        if call is not None:
            self.retry_requested.emit(call)

    def _allow(self) -> None:
        call = self._chosen()
        if call is not None:
            self.allow_requested.emit(self._rule(call))
