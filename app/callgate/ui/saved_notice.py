"""Says that a rule was just saved, wherever that was done, and offers to take it back.

Follows the rules by their events: the dialog, the card and the queue need not tell. Knows no decisions.
"""

from PySide6.QtWidgets import QWidget

from callgate.core.events import Event, RulesChanged
from callgate.core.policy import Rule
from callgate.core.rule_words import is_grant, rule_words
from callgate.engine.console import Console
from callgate.ui.theme import Theme
from callgate.ui.undo_line import SHOWN_MS, UndoLine


class SavedNotice(UndoLine):
    def __init__(
        self, console: Console, theme: Theme, parent: QWidget | None = None, *, shown_ms: int = SHOWN_MS
    ) -> None:
        super().__init__(theme, parent, shown_ms=shown_ms)
        self.setObjectName("savedNotice")
        self._console = console
        self._known = {rule.id for rule in console.rules()}
        self._told = ""
        """The rule that is on show."""

    def apply(self, batch: tuple[Event, ...]) -> None:
        changes = [event for event in batch if isinstance(event, RulesChanged)]
        if not changes:
            return
        rules = changes[-1].rules
        ids = {rule.id for rule in rules}
        fresh = [rule for rule in rules if rule.id not in self._known and is_grant(rule)]
        self._known = ids
        if self._told and self._told not in ids:
            self._told = ""
            self.leave()
        if len(fresh) == 1:
            # several at once come from a file that was read again: nobody has just decided them
            self._told = fresh[0].id
            self.tell(f"Saved: {rule_words(fresh[0])}", lambda: self._take_back(fresh[0]))

    def _take_back(self, rule: Rule) -> None:
        self._told = ""
        self._console.remove_rule(rule.id)
