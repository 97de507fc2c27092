"""Granted rules that live in memory only: for this session, for one conversation, or for one turn of it.

A rule for a turn or a conversation is never written down. It ends when its turn or conversation does, and with the
program. A turn ends when the conversation's next one begins, and that moment is final: a rule for a turn that is over
can't be added any more.
"""

from collections.abc import Callable, Collection
from dataclasses import replace

from callgate.core.calls.invocation import GrantScope
from callgate.core.rules.policy import Rule

MOST_CONVERSATIONS = 20_000
"""Conversations whose turn is remembered, as many as `engine.history` has; the rules of an older one end."""


class SessionRules:
    def __init__(self, most: int = MOST_CONVERSATIONS) -> None:
        self._rules: tuple[Rule, ...] = ()
        self._turns: dict[str, str] = {}
        """The turn that each conversation is in, the least recently active first."""
        self._most = most

    @property
    def rules(self) -> tuple[Rule, ...]:
        return self._rules

    def problem_with(self, rule: Rule, scope: GrantScope) -> str:
        """Why a rule can't be limited to this scope; empty = it can."""
        if scope not in ("turn", "conversation"):
            return "" if rule.within is None else "This rule belongs to one conversation and can't hold outside of it."
        within = rule.within
        if within is None or not within.conversation:
            return "This rule names no conversation that it could be limited to."
        if within.conversation not in self._turns:
            return "This conversation is not known any more, so nothing can be remembered for it."
        if scope == "conversation":
            return "" if not within.turn else "This rule is limited to one turn."
        if not within.turn:
            return "This call belongs to no turn, so nothing can be remembered for one."
        if self._turns.get(within.conversation) != within.turn:
            return "That turn has ended: its agent has sent a user message since. Nothing can be remembered for it."
        return ""

    def add(self, rule: Rule) -> None:
        self._rules = (*self._rules, rule)

    def change(self, rule_id: str, change: Callable[[Rule], Rule]) -> None:
        self._rules = tuple(change(rule) if rule.id == rule_id else rule for rule in self._rules)

    def has(self, rule_id: str) -> bool:
        return any(rule.id == rule_id for rule in self._rules)

    def remove(self, rule_id: str) -> None:
        self._rules = tuple(rule for rule in self._rules if rule.id != rule_id)

    def reset(self, scopes: Collection[GrantScope]) -> None:
        self._rules = tuple(rule for rule in self._rules if rule.origin not in scopes)

    def enter_turn(self, conversation_id: str, exchange_id: str, *, begins: bool) -> tuple[str, bool]:
        """The turn that an exchange belongs to, and whether rules ended because it is a new one.

        `begins`: it brings a user message. An exchange of a conversation whose turn is not known begins one too.
        """
        known = self._turns.pop(conversation_id, "")
        turn = self._turns[conversation_id] = exchange_id if begins or not known else known
        ended = turn != known and self._end(conversation_id, turns_only=True)
        while len(self._turns) > self._most:
            ended |= self.forget(next(iter(self._turns)))
        return turn, ended

    def forget(self, conversation_id: str) -> bool:
        """Ends what holds in a conversation only; False: nothing did."""
        self._turns.pop(conversation_id, None)
        return self._end(conversation_id, turns_only=False)

    def _end(self, conversation_id: str, *, turns_only: bool) -> bool:
        kept = tuple(rule for rule in self._rules if not _ends(rule, conversation_id, turns_only))
        ended, self._rules = len(kept) < len(self._rules), kept
        return ended


def with_one_use_less(rule: Rule) -> Rule:
    return rule if rule.uses is None else replace(rule, uses=rule.uses - 1)


def _ends(rule: Rule, conversation_id: str, turns_only: bool) -> bool:
    within = rule.within
    return within is not None and within.conversation == conversation_id and bool(within.turn or not turns_only)
