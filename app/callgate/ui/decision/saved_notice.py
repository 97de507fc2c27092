"""Says that a decision just became a rule, which waiting calls that let go, and offers to take it back.

Taking it back returns the calls that have not started. Those that run, or that their agent has, are named: they can't
be returned.

Follows events: the dialog, the card and the queue need not tell. Rules that come from elsewhere (a file, the rules
page, a program that brings its own) are not told: nobody has just decided them.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.events import Event, InvocationChanged, RulesChanged
from callgate.core.rules.glob import glob_matches
from callgate.core.rules.policy import Rule
from callgate.core.rules.rule_words import is_grant, rule_words
from callgate.engine.console.console import Console
from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.undo_line import SHOWN_MS, UndoLine


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
        self._waiting = {call.id for call in console.waiting()}
        """Calls that wait for a decision, by id."""
        self._settled: list[Invocation] = []
        """Those that rules have settled since the rules changed last."""
        self._told = ""
        """The rule that is on show."""

    def tell_when(self, here: Callable[[], bool]) -> None:
        self._here = here

    def apply(self, batch: tuple[Event, ...]) -> None:
        for event in batch:
            match event:
                case InvocationChanged():
                    self._note(event.invocation, event.initiator)
                case RulesChanged():
                    self._rules_changed(event.rules)
                case _:
                    pass

    def _note(self, invocation: Invocation, initiator: str) -> None:
        if invocation.state == "WaitingForConfirmation":
            self._waiting.add(invocation.id)
            return
        if invocation.id in self._waiting and invocation.decided_by == "rule":
            self._settled.append(invocation)
        self._waiting.discard(invocation.id)
        if invocation.decided_by == "person" and initiator != "engine":
            self._decided = invocation.tool

    def _rules_changed(self, rules: tuple[Rule, ...]) -> None:
        ids = {rule.id for rule in rules}
        fresh = [rule for rule in rules if rule.id not in self._known and is_grant(rule)]
        self._known = ids
        decided, self._decided = self._decided, ""
        settled, self._settled = self._settled, []
        if self._told and self._told not in ids:
            self._told = ""
            self.leave()
        if len(fresh) == 1 and decided and glob_matches(fresh[0].tool, decided):
            by_it = tuple(call for call in settled if call.verdict is not None and fresh[0].id in call.verdict.rule_ids)
            QTimer.singleShot(0, self, lambda: self._say(fresh[0], by_it))

    def _say(self, rule: Rule, settled: Sequence[Invocation]) -> None:
        if not self._here():
            return
        self._told = rule.id
        verb = "Denied" if rule.verdict == "deny" else "Released"
        also = f"{verb} {_counted(len(settled), 'waiting call')}." if settled else ""
        saved = f"Saved: {rule_words(rule)}"
        self.tell(f"{saved}. {also}" if also else saved, lambda: self._take_back(rule, settled))

    def _take_back(self, rule: Rule, settled: Sequence[Invocation]) -> str:
        self._told = ""
        return taken_back_words(settled, self._console.take_back(rule.id))


def taken_back_words(settled: Sequence[Invocation], returned: Collection[str]) -> str:
    """What became of the calls that a rule settled, now that it is taken back; empty = it settled none.

    `returned`: ids of those that wait again.
    """
    if not settled:
        return ""
    said = ["Rule removed."]
    again = sum(call.id in returned for call in settled)
    if again:
        said.append(f"{_counted(again, 'call')} {'is' if again == 1 else 'are'} waiting again.")
    kept = [call for call in settled if call.id not in returned]
    for words, calls in (
        ("Can't be returned, denied already", [call for call in kept if call.refused]),
        ("Can't be returned, released to the agent already", [call for call in kept if call.state == "Released"]),
        ("Can't be returned, started already", [call for call in kept if call.state == "Executing"]),
    ):
        if calls:
            said.append(f"{words}: {_names(calls)}.")
    return " ".join(said)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _names(calls: Sequence[Invocation]) -> str:
    """Tools by name, each with how many calls of it."""
    counts = Counter(call.tool for call in calls)
    return ", ".join(tool if count == 1 else f"{tool} ({count})" for tool, count in counts.items())
