"""What a rule would have done to calls of the past: shown before it is saved."""

from collections.abc import Iterable
from dataclasses import dataclass

from callgate.core.calls.invocation import Invocation
from callgate.core.rules.policy import Call, Policy, Rule


@dataclass(frozen=True, slots=True)
class BackTest:
    """The past calls that a rule matches, newest first as they were given."""

    matched: tuple[Invocation, ...]
    denied_before: tuple[Invocation, ...]
    """Those of them that a person or a rule refused: a rule that allows would have let them through."""
    tried: int

    def words(self, rule: Rule) -> str:
        verb = {"allow": "allowed", "ask": "asked about", "deny": "denied"}[rule.verdict]
        calls = "1 past call" if len(self.matched) == 1 else f"{len(self.matched)} past calls"
        said = f"would have {verb} {calls} of {self.tried}"
        if rule.verdict == "allow" and self.denied_before:
            were = "was" if len(self.denied_before) == 1 else "were"
            said += f", {len(self.denied_before)} of which {were} refused"
        return said


def back_test(rule: Rule, past: Iterable[Invocation], now: float) -> BackTest:
    """Judges past calls by one rule alone; its expiry and uses do not count, for the past is over."""
    lasting = Rule(
        rule.verdict, rule.tool, rule.source, rule.agent, rule.when, within=rule.within, sub_agents=rule.sub_agents
    )
    policy = Policy([lasting])
    matched: list[Invocation] = []
    tried = 0
    for invocation in past:
        tried += 1
        call = Call(
            invocation.tool,
            invocation.source,
            invocation.agent,
            invocation.model,
            invocation.effective_arguments,
            invocation.fingerprint,
            agent_proven=invocation.agent_proven,
            sub_agent=invocation.sub_agent,
            within=invocation.within,
        )
        if policy.judge(call, now).rule:
            matched.append(invocation)
    return BackTest(tuple(matched), tuple(i for i in matched if i.refused), tried)
