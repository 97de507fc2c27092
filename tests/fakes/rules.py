"""A rule book in memory."""

from collections.abc import Callable
from dataclasses import replace

from callgate.core.calls.invocation import Scope
from callgate.core.rules.policy import Rule


class RuleList:
    def __init__(self, *rules: Rule) -> None:
        self._rules = [replace(rule, id=rule.id or f"rule_{number}") for number, rule in enumerate(rules)]
        self._listeners: list[Callable[[], None]] = []

    def rules(self) -> tuple[Rule, ...]:
        return tuple(self._rules)

    def add(self, rule: Rule, scope: Scope) -> Rule:
        self._rules.append(replace(rule, id=f"rule_{len(self._rules)}", origin=scope))
        self._changed()
        return self._rules[-1]

    def problem_with(self, rule: Rule, scope: Scope) -> str:
        return ""

    def enter_turn(self, conversation_id: str, exchange_id: str, *, begins: bool) -> str:
        return exchange_id

    def use(self, rule_id: str) -> None:
        self._rules = [
            replace(rule, uses=rule.uses - 1) if rule.id == rule_id and rule.uses is not None else rule
            for rule in self._rules
        ]
        self._changed()

    def on_change(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def _changed(self) -> None:
        for listener in self._listeners:
            listener()
