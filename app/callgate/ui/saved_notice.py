"""Says that a decision just became a rule, and offers to take it back.

Follows events: the dialog, the card and the queue need not tell. Rules that come from elsewhere (a file, the rules
page, a program that brings its own) are not told: nobody has just decided them.
"""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from callgate.core.events import Event, InvocationChanged, RulesChanged
from callgate.core.glob import glob_matches
from callgate.core.policy import Rule
from callgate.core.rule_words import is_grant, rule_words
from callgate.engine.console import Console
from callgate.ui.theme import Theme
from callgate.ui.undo_line import SHOWN_MS, UndoLine


class SavedNotice(UndoLine):
    def __init__(
        self,
        console: Console,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        shown_ms: int = SHOWN_MS,
        here: Callable[[], bool] = lambda: True,
    ) -> None:
        """`here`: whether this is the place to tell it; asked when everybody has heard of the decision."""
        super().__init__(theme, parent, shown_ms=shown_ms)
        self.setObjectName("savedNotice")
        self._console = console
        self._here = here
        self._known = {rule.id for rule in console.rules()}
        self._decided = ""
        """The tool of the call that a person decided last; its rule comes right behind."""
        self._told = ""
        """The rule that is on show."""

    def tell_when(self, here: Callable[[], bool]) -> None:
        self._here = here

    def apply(self, batch: tuple[Event, ...]) -> None:
        for event in batch:
            match event:
                case InvocationChanged() if event.invocation.decided_by == "person" and event.initiator != "engine":
                    self._decided = event.invocation.tool
                case RulesChanged():
                    self._rules_changed(event.rules)
                case _:
                    pass

    def _rules_changed(self, rules: tuple[Rule, ...]) -> None:
        ids = {rule.id for rule in rules}
        fresh = [rule for rule in rules if rule.id not in self._known and is_grant(rule)]
        self._known = ids
        decided, self._decided = self._decided, ""
        if self._told and self._told not in ids:
            self._told = ""
            self.leave()
        if len(fresh) == 1 and decided and glob_matches(fresh[0].tool, decided):
            QTimer.singleShot(0, self, lambda: self._say(fresh[0]))

    def _say(self, rule: Rule) -> None:
        if self._here():
            self._told = rule.id
            self.tell(f"Saved: {rule_words(rule)}", lambda: self._take_back(rule))

    def _take_back(self, rule: Rule) -> None:
        self._told = ""
        self._console.remove_rule(rule.id)
