"""A rule being written: fields, what they mean in words, and what the rule would have done. Saves nothing itself."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QCompleter,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from callgate.core.calls.invocation import Scope
from callgate.core.rules.policy import Rule, VerdictKind
from callgate.core.rules.rule_words import rule_words
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.decision.back_test_box import BackTestBox
from callgate.ui.decision.expression_field import ExpressionField
from callgate.ui.decision.rule_limits import RuleLimits
from callgate.ui.decision.scope_box import LASTING
from callgate.ui.settings.rule_trial import RuleTrial
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.restyle import set_tone
from callgate.ui.theme.theme import L, M, S, Theme
from callgate.ui.widgets.choice_box import ChoiceBox

_VERDICTS: Final[tuple[tuple[str, VerdictKind], ...]] = (("Allow", "allow"), ("Ask", "ask"), ("Deny", "deny"))
_NEW: Final = Rule("allow")


class RuleEditor(QFrame):
    saved = Signal(Rule, str)
    """The rule as it stands now, and the scope that it should have."""
    cancelled = Signal()

    def __init__(
        self,
        console: Console,
        bridge: Bridge | None,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("ruleEditor")
        self.setAccessibleName("Rule")
        self.setProperty("card", True)
        self._console, self._theme = console, theme
        self._original = _NEW
        self._title = plain_label("", "strong")
        self.verdict = ChoiceBox(theme, "Verdict", _VERDICTS)
        self.verdict.setObjectName("ruleVerdict")
        self.tool = self._field("ruleTool", "Tool", "every tool; or a name such as git_*")
        self.source = self._field("ruleSource", "Source", "any source")
        self.agent = self._field("ruleAgent", "Agent", "any agent")
        self.note = self._field("ruleNote", "Note", "why it is there; a denial tells it to the model")
        self.expression = ExpressionField(theme)
        self.limits = RuleLimits(theme, now=now)
        self.scope = ChoiceBox(theme, "Where it holds", LASTING)
        self.scope.setObjectName("ruleScope")
        self.review = QCheckBox("Review the result")
        self.review.setObjectName("ruleReview")
        self.review.setToolTip("A person must see the result of such a call before the model does")
        self.own_only = QCheckBox("Not for sub-agents")
        self.own_only.setObjectName("ruleOwnOnly")
        self.own_only.setToolTip("It allows only what an agent calls itself; calls of its sub-agents go on asking")
        self._words = plain_label("", wrap=True, selectable=True)
        self._words.setObjectName("ruleWords")
        self.trial = RuleTrial(console, theme, now=now)
        self.back_test = BackTestBox(console, bridge, theme, now=now)
        self.save = QPushButton("Save rule")
        self.save.setObjectName("saveRule")
        self.save.setProperty("kind", "primary")
        self._cancel = QPushButton("Cancel")
        self._cancel.setObjectName("cancelRule")
        self._cancel.setProperty("kind", "quiet")
        self._arrange()
        self._connect()

    def open(self, rule: Rule = _NEW, *, new: bool = True) -> None:
        """Shows a rule to write: a fresh one, or one that will take the place of the rule given."""
        self._original = rule
        self.trial.forget()
        self._title.setText("New rule" if new else "Edit rule")
        tools = sorted({tool.name for tool in self._console.tools()})
        self.tool.setCompleter(_completer(tools, self.tool))
        self.verdict.choose(rule.verdict)
        for field, value in ((self.tool, rule.tool), (self.source, rule.source), (self.agent, rule.agent)):
            field.setText("" if value == "*" else value)
        self.note.setText(rule.note)
        self.review.setChecked(rule.review)
        self.own_only.setChecked(rule.spares_sub_agents)
        self.expression.set_text(rule.when)
        self.limits.show_limits(rule.uses, rule.expires)
        if not self.scope.choose(rule.origin):
            self.scope.choose("workspace")
        self.tell("")
        self.show()
        self._describe()
        (self.tool if new else self.expression).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def rule(self) -> Rule:
        """As the fields say; a grant stays bound to its tool's definition while it is about the same tool."""
        tool = self.tool.text().strip() or "*"
        source = self.source.text().strip() or "*"
        verdict: VerdictKind = self.verdict.currentData()
        same = (verdict, tool, source) == (self._original.verdict, self._original.tool, self._original.source)
        return replace(
            self._original,
            verdict=verdict,
            tool=tool,
            source=source,
            agent=self.agent.text().strip() or "*",
            when=self.expression.text,
            note=self.note.text().strip(),
            uses=self.limits.uses,
            expires=self.limits.expires,
            fingerprint=self._original.fingerprint if same else "",
            review=self.review.isChecked(),
            sub_agents=not (verdict == "allow" and self.own_only.isChecked()),
        )

    def tell(self, fault: str) -> None:
        """What is wrong with the rule as it was to be saved; empty = nothing."""
        self._fault = fault
        self._describe()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
            event.accept()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.save.isEnabled():
            self._save()
            event.accept()
        else:
            super().keyPressEvent(event)

    # ---- building --------------------------------------------------------------------------------------------------

    def _field(self, name: str, words: str, hint: str) -> QLineEdit:
        field = QLineEdit()
        field.setObjectName(name)
        field.setAccessibleName(words)
        field.setPlaceholderText(hint)
        return field

    def _arrange(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(S)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(1, 2)
        grid.setColumnStretch(3, 1)
        grid.addWidget(self.verdict, 0, 0)
        grid.addWidget(self.tool, 0, 1)
        for column, (words, field) in enumerate((("of", self.source), ("for", self.agent))):
            grid.addWidget(plain_label(words, "secondary"), 0, 2 + 2 * column)
            grid.addWidget(field, 0, 3 + 2 * column)
        grid.setColumnStretch(5, 1)
        when = plain_label("when", "secondary")
        when.setContentsMargins(0, S - 1, 0, 0)  # level with the text in the field, which may have more under it
        grid.addWidget(when, 1, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.expression, 1, 1, 1, 5)
        grid.addWidget(plain_label("holds", "secondary"), 2, 0, Qt.AlignmentFlag.AlignRight)
        held = QHBoxLayout()
        held.setSpacing(S)
        held.addWidget(self.scope)
        held.addWidget(self.limits)
        held.addStretch(1)
        held.addWidget(self.own_only)
        held.addWidget(self.review)
        grid.addLayout(held, 2, 1, 1, 5)
        grid.addWidget(plain_label("because", "secondary"), 3, 0, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self.note, 3, 1, 1, 5)
        test = plain_label("test", "secondary")
        test.setContentsMargins(0, S - 1, 0, 0)
        grid.addWidget(test, 4, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.trial, 4, 1, 1, 5)
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addWidget(self._words, 1)
        buttons.addWidget(self._cancel, 0, Qt.AlignmentFlag.AlignBottom)
        buttons.addWidget(self.save, 0, Qt.AlignmentFlag.AlignBottom)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, M, L, M)
        column.setSpacing(S)
        column.addWidget(self._title)
        column.addLayout(grid)
        column.addWidget(self.back_test)
        column.addLayout(buttons)
        self._fault = ""
        # the list above gives way, never the fields
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def _connect(self) -> None:
        for button in (self.save, self._cancel):
            button.setAutoDefault(False)
        self.save.clicked.connect(self._save)
        self._cancel.clicked.connect(self.cancelled)
        for field in (self.tool, self.source, self.agent, self.note):
            field.textChanged.connect(lambda _: self.tell(""))
        self.verdict.currentIndexChanged.connect(lambda _: self.tell(""))
        self.review.toggled.connect(lambda _: self.tell(""))
        self.own_only.toggled.connect(lambda _: self.tell(""))
        self.scope.currentIndexChanged.connect(lambda _: self.tell(""))
        self.limits.changed.connect(lambda: self.tell(""))
        self.expression.changed.connect(lambda: self.tell(""))

    # ---- what it means ---------------------------------------------------------------------------------------------

    def _describe(self) -> None:
        unreadable = bool(self.expression.problem)
        self.save.setEnabled(not unreadable)
        rule = self.rule
        self.own_only.setVisible(rule.verdict == "allow")
        if self._fault:
            words = self._fault
        elif unreadable:
            words = "Fix the expression first."
        else:
            words = f"Saves: {reveal(rule_words(rule))}" + ("" if rule.when else ", whatever its arguments")
        self._words.setText(words)
        set_tone(self._words, "danger" if self._fault else "secondary")
        self.back_test.try_rule(None if unreadable or not self.isVisibleTo(self.parentWidget() or self) else rule)
        self.trial.try_rule(None if unreadable else rule, self._original.id)

    def _save(self) -> None:
        scope: Scope = self.scope.currentData()
        self.saved.emit(self.rule, scope)


def _completer(words: Sequence[str], parent: QWidget) -> QCompleter:
    completer = QCompleter(list(words), parent)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    return completer
