"""What a decision with a lasting scope will save: in words, as an expression, and what it would have done before.

Starts with the narrowest useful rule; each argument can be taken in or left out by a click, and the expression can be
written by hand. Decides nothing: it completes the decision that it is shown.
"""

import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.calls.tool_facts import tool_of
from callgate.core.rules.grant import grant
from callgate.core.rules.narrow_rule import Condition, Narrowing, joined, narrow_for
from callgate.core.rules.rule_words import rule_words
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.decision.back_test_box import BackTestBox
from callgate.ui.decision.expression_field import ExpressionField
from callgate.ui.decision.rule_limits import RuleLimits
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import ICON, XS, M, S, Theme
from callgate.ui.widgets.wrapping_row import WrappingRow

_NAMED = 5
"""Arguments that are told by name; more would push the verbs away."""


class RememberRow(QFrame):
    changed = Signal()
    """Another rule would be saved now."""

    def __init__(
        self,
        console: Console,
        theme: Theme,
        bridge: Bridge | None = None,
        parent: QWidget | None = None,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("rememberRow")
        self.setProperty("card", True)
        self._console, self._theme = console, theme
        self._built_from: tuple[str, str] = ("", "")
        self._invocation: Invocation | None = None
        self._decision = Decision("approve")
        self._narrowing = Narrowing()
        self._chips: list[tuple[QPushButton, Condition]] = []
        self._icon = QLabel()
        self._words = plain_label("", selectable=True, wrap=True)
        self._words.setObjectName("rulePreview")
        self._chip_row = WrappingRow(XS)
        self._unspeakable = plain_label("", "waiting", wrap=True)
        self._unspeakable.setObjectName("unspeakable")
        self.expression = ExpressionField(theme)
        self.limits = RuleLimits(theme, now=now)
        self.own_only = QCheckBox("Not for its sub-agents")
        self.own_only.setObjectName("notForSubAgents")
        self.own_only.setToolTip("Calls of this agent's sub-agents go on asking")
        self.own_only.toggled.connect(lambda _: self._tell())
        self.back_test = BackTestBox(console, bridge, theme, now=now)
        self._arrange()
        self.expression.changed.connect(self._tell)
        self.expression.edited.connect(self._follow_hand)
        self.limits.changed.connect(self._tell)
        theme.changed.connect(self._draw)
        self._draw()

    # ---- what is shown ---------------------------------------------------------------------------------------------

    @property
    def problem(self) -> str:
        """Why no rule can be saved as it stands; empty = it can."""
        return self.expression.problem

    def show_decision(self, invocation: Invocation, arguments: str, decision: Decision) -> None:
        """The call and what is about to be decided on it; the same call keeps what the person has chosen."""
        self._invocation, self._decision = invocation, decision
        if self._built_from != (invocation.id, arguments):
            self._built_from = (invocation.id, arguments)
            tool = tool_of(invocation, self._console.tools())
            self._narrowing = narrow_for(arguments, tool, invocation.tool)
            self.limits.reset()
            self.own_only.setChecked(False)
            self._make_chips()
            self.expression.set_text(self._narrowing.when)
        # for a turn or a conversation they are never covered
        may = decision.verb == "approve" and decision.scope not in ("turn", "conversation")
        self.own_only.setVisible(may and self._console.has_sub_agents(invocation))
        self._tell()

    def forget(self) -> None:
        """Nothing is about to be decided: the next call starts from its own arguments."""
        self._built_from = ("", "")
        self._invocation = None
        self.back_test.try_rule(None)

    def complete(self, decision: Decision) -> Decision:
        """The decision together with what its rule asks for."""
        own_only = not self.own_only.isHidden() and self.own_only.isChecked()
        return replace(
            decision,
            when=self.expression.text,
            uses=self.limits.uses,
            expires=self.limits.expires,
            sub_agents=not own_only,
        )

    # ---- building --------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(S)
        first.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        first.addWidget(self._words, 1)
        middle = QHBoxLayout()
        middle.setSpacing(S)
        middle.addWidget(self.expression, 1)
        middle.addWidget(self.limits, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, M, S)
        column.setSpacing(S)
        column.addLayout(first)
        column.addWidget(self._chip_row)
        column.addWidget(self._unspeakable)
        column.addLayout(middle)
        column.addWidget(self.own_only)
        column.addWidget(self.back_test)

    def _make_chips(self) -> None:
        self._chip_row.clear()
        self._chips = []
        for condition in self._narrowing.conditions:
            chip = QPushButton(reveal(f"{condition.name} {condition.words}"))
            chip.setObjectName(f"condition:{condition.name}")
            chip.setProperty("kind", "chip")
            chip.setAutoDefault(False)
            chip.setCheckable(True)
            chip.setChecked(condition.chosen)
            chip.setIconSize(self._theme.icon_size)
            set_plain_tip(chip, f"{condition.when}\nClick to require it, or to allow any value")
            chip.clicked.connect(self._choose)
            self._chips.append((chip, condition))
            self._chip_row.add(chip)
        self._chip_row.setVisible(bool(self._chips))
        names = [reveal(name) for name in self._narrowing.unspeakable]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        missing = ", ".join(names[:_NAMED]) + more
        self._unspeakable.setText(f"No condition is possible on {missing}: the rule holds whatever the value.")
        self._unspeakable.setVisible(bool(missing))
        self._draw()

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("remember", "accent").pixmap(ICON, ICON))
        for chip, _ in self._chips:
            chip.setIcon(
                self._theme.icon("approve", "accent") if chip.isChecked() else self._theme.icon("add", "text3")
            )

    # ---- what the person does --------------------------------------------------------------------------------------

    def _choose(self) -> None:
        self.expression.set_text(joined([condition for chip, condition in self._chips if chip.isChecked()]))
        self._draw()

    def _follow_hand(self) -> None:
        """Chips show what is still in an expression that was written by hand."""
        text = self.expression.text
        for chip, condition in self._chips:
            chip.setChecked(condition.when in text)
        self._draw()

    def _tell(self) -> None:
        if self._invocation is None:
            return
        if self.problem:
            self._words.setText("Fix the expression first; until then nothing can be saved.")
            self.back_test.try_rule(None)
        else:
            rule = grant(self._invocation, self.complete(self._decision))
            everything = "" if rule.when else ", whatever its arguments"
            self._words.setText(f"Saves the rule: {reveal(rule_words(rule))}{everything}")
            self.back_test.try_rule(rule)
        self.changed.emit()
