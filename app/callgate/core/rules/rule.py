"""A rule, and the verdict that rules give. Values only: judging is the business of `policy`."""

from dataclasses import dataclass
from typing import Literal

VerdictKind = Literal["allow", "ask", "deny"]
AtDeadline = Literal["deny", "allow"]
"""What becomes of a call that nobody decided in time."""


@dataclass(frozen=True, slots=True)
class Within:
    """One agent's conversation, or one turn of it: where a call belongs, or all that a rule covers."""

    conversation: str
    caller: str
    """The agent's identity (`core.agent`): a claimed name is never taken for a proven one."""
    turn: str = ""
    """The exchange that began the turn. Of a rule: empty = the whole conversation; of a call: it belongs to none."""

    def covers(self, call: "Within | None") -> bool:
        return (
            call is not None
            and bool(self.conversation)
            and (self.conversation, self.caller) == (call.conversation, call.caller)
            and self.turn in ("", call.turn)
        )


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of policy. `when` is an expression of `core.match` over the call."""

    verdict: VerdictKind
    tool: str = "*"
    source: str = "*"
    agent: str = "*"
    when: str = ""
    note: str = ""
    expires: float | None = None
    """Epoch seconds."""
    uses: int | None = None
    origin: str = "config"
    """Where it came from: config, turn, conversation, session, workspace, always, setting."""
    id: str = ""
    fingerprint: str = ""
    """If set, the rule holds only for a tool with exactly this definition."""
    review: bool = False
    """Whether a person must look at the result of what it matches before the model gets it."""
    grantable: bool = True
    """False: what it asks about asks every time; no lasting grant is offered."""
    at_deadline: AtDeadline = "deny"
    """Of a rule that asks. Where several ask, one that denies is enough."""
    within: Within | None = None
    """If set, the rule holds only there. Such rules are kept in memory only."""
    sub_agents: bool = True
    """Of a rule that allows: False = it does not cover calls of sub-agents. What denies, asks or reviews always does:
    only the client says who is one."""

    @property
    def spares_sub_agents(self) -> bool:
        return self.verdict == "allow" and not self.sub_agents

    def __str__(self) -> str:
        parts = [self.verdict, self.tool]
        if self.source != "*":
            parts.append(f"of {self.source}")
        if self.agent != "*":
            parts.append(f"for {self.agent}")
        if self.when:
            parts.append(f"when {self.when}")
        if self.within is not None:
            parts.append("in this turn" if self.within.turn else "in this conversation")
        if self.spares_sub_agents:
            parts.append("but not for sub-agents")
        if self.review:
            parts.append("and review the result")
        if self.at_deadline != "deny":
            parts.append(f"and {self.at_deadline} at the deadline")
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One thing that was tried, and what came of it."""

    rule: str
    outcome: str
    layer: str = ""
    """The layer of the rule; empty = no rule, but something seen in the call."""


UNPROVEN = "counts only for an agent with a token: this name is claimed"
"""The outcome of a rule that allows for a named agent, where nothing proves the name."""
SUSPENDED = "suspended: the tool's definition has changed since"
"""The outcome of a grant that would count, were the tool still what it was."""
OF_SUB_AGENT = "does not cover sub-agents"
"""The outcome of a rule that allows an agent's own calls, for one of its sub-agent."""
ELSEWHERE = "holds only in another turn or conversation"
"""The outcome of a rule that is limited to a turn or conversation which the call is not part of."""


@dataclass(frozen=True, slots=True)
class Verdict:
    kind: VerdictKind
    reason: str
    rule: str = ""
    """The rule that decided, in words; empty = none did."""
    rule_id: str = ""
    trace: tuple[TraceLine, ...] = ()
    """Why it was asked, or not asked: everything that was tried."""
    rule_ids: tuple[str, ...] = ()
    """All rules that the verdict rests on: the parts of a shell line may be allowed by different ones."""
    grantable: bool = True
    """Whether “allow from now on” may be offered."""
    at_deadline: AtDeadline = "deny"
    """Of a verdict that asks: what happens if nobody answers."""
    unrecorded: bool = False
    """The journal cannot be written: what is approved now runs without a record, so only a person may approve it."""
    needs_proof: bool = False
    """True: a rule would allow the call if its agent's name were proven by a token."""

    @property
    def suspends(self) -> bool:
        """Whether a grant does not count because the tool is defined otherwise now."""
        return any(line.outcome == SUSPENDED for line in self.trace)
