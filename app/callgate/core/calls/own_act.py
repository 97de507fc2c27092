"""Calls that the person starts: their own click is the decision, so that they are not asked about it again. Pure.

*Try it*: the person has written the arguments and pressed Run. *The composer*: the message names the tool with `#name`,
and the model then writes the arguments. Nothing that comes over a port makes an `OwnAct`; the desks of the window do.

The click does not decide what a rule denies, what may do harm (declared destructive, a risky command, a file outside of
any workspace), or what was not seen when it was made: a tool that has changed, a concern of the rules, a rule that
can't be read, a journal that can't be written. Nor does it where the gate is set to ask about everything.
"""

from dataclasses import dataclass, replace

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.risk import risk_of
from callgate.core.rules.policy import Rule, Verdict
from callgate.core.tool import PERSON_SOURCE, Tool

NO_RULE = "no rule matched"


@dataclass(frozen=True, slots=True)
class OwnAct:
    tool: Tool
    """As the person saw it."""
    by_model: bool = False
    """The model wrote the arguments, so the person has not seen them: only reading within this machine counts then."""

    def decides(self, invocation: Invocation, verdict: Verdict, rule: Rule | None) -> bool:
        """`rule`: the one that gave the verdict, if one did. `invocation`: complete, as it would run now."""
        return (
            invocation.owner == "gate"
            and invocation.source != PERSON_SOURCE
            and invocation.change is None
            and (invocation.source, invocation.fingerprint) == (self.tool.source, self.tool.fingerprint)
            and _leaves_it_open(verdict, rule)
            and not self.tool.annotations.destructive
            and (not self.by_model or _only_reads_here(self.tool))
            and not risk_of(replace(invocation, verdict=verdict), self.tool)
        )


def _leaves_it_open(verdict: Verdict, rule: Rule | None) -> bool:
    """Whether a click is what the verdict wants: it asks because a rule says ask, or because there is no rule."""
    if verdict.kind == "deny" or verdict.unrecorded or verdict.suspends:
        return False
    if verdict.kind == "allow":
        return True
    return rule.verdict == "ask" if rule is not None else verdict.reason == NO_RULE


def _only_reads_here(tool: Tool) -> bool:
    return tool.annotations.read_only is True and tool.annotations.open_world is False
