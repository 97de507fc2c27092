"""Calls that a rule has allowed and that have not started: while they wait for their order, or for the journal.

Until a call starts, what allowed it can be taken back: a rule that is removed, or that ended with its turn, allows
nothing any more. Such a call is judged again at once, not when its order comes.
"""

from collections.abc import Callable, Iterable

from callgate.core.calls.invocation import Invocation


class Withdrawn(Exception):
    """The rule that allowed a call is gone, and the call has not started: it has to be judged again."""


class Unstarted:
    def __init__(self, rule_ids: Callable[[], Iterable[str]]) -> None:
        """`rule_ids`: of all rules in force."""
        self._rule_ids = rule_ids
        self._calls: dict[str, Invocation] = {}
        self._wake: dict[str, Callable[[], None]] = {}

    def add(self, call: Invocation) -> None:
        self._calls[call.id] = call

    def wake_with(self, call_id: str, wake: Callable[[], None] | None) -> None:
        """What ends its wait if the call is withdrawn; None = it does not wait any more."""
        self._wake.pop(call_id, None)
        if wake is not None:
            self._wake[call_id] = wake

    def start(self, call: Invocation) -> None:
        """From here on it runs. Raises `Withdrawn` where it may not; nothing may wait between this and the call."""
        if not self._stands(call, frozenset(self._rule_ids())):
            raise Withdrawn
        self.discard(call.id)

    def discard(self, call_id: str) -> None:
        self._calls.pop(call_id, None)
        self._wake.pop(call_id, None)

    def resting_on(self, rule_id: str) -> tuple[Invocation, ...]:
        """Those that would be withdrawn if this rule were removed."""
        return tuple(call for call in self._calls.values() if rule_id in _rules_of(call))

    def rules_changed(self) -> None:
        if not self._wake:
            return
        in_force = frozenset(self._rule_ids())
        for call_id in [one for one in self._wake if not self._stands(self._calls[one], in_force)]:
            self._wake.pop(call_id)()

    def _stands(self, call: Invocation, in_force: frozenset[str]) -> bool:
        return in_force.issuperset(_rules_of(call))


def _rules_of(call: Invocation) -> tuple[str, ...]:
    """The rules that it was allowed by; none where a person or a setting has decided."""
    return call.verdict.rule_ids if call.decided_by == "rule" and call.verdict is not None else ()
