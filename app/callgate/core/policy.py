"""Rules and the verdicts they give.

Deny beats ask beats allow, however specific a rule is; nothing matched = ask. A rule that cannot be judged (its
expression does not parse, its pattern takes too long) allows nothing: it asks, and says why.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from callgate.core.glob import glob_matches
from callgate.core.json_reach import loaded, reach
from callgate.core.match import Always, Expression, ExpressionError, FieldValue, MatchTimeout, parse

VerdictKind = Literal["allow", "ask", "deny"]
_STRICTEST: tuple[VerdictKind, ...] = ("deny", "ask", "allow")


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
    """Where it came from: config, session, workspace, always, setting."""
    id: str = ""
    fingerprint: str = ""
    """If set, the rule holds only for a tool with exactly this definition."""

    def __str__(self) -> str:
        parts = [self.verdict, self.tool]
        if self.source != "*":
            parts.append(f"of {self.source}")
        if self.agent != "*":
            parts.append(f"for {self.agent}")
        if self.when:
            parts.append(f"when {self.when}")
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One rule that was tried, and what came of it."""

    rule: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Verdict:
    kind: VerdictKind
    reason: str
    rule: str = ""
    """The rule that decided, in words; empty = none did."""
    rule_id: str = ""
    trace: tuple[TraceLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A call as rules see it: the subject of an expression."""

    tool: str
    source: str
    agent: str
    model: str = ""
    arguments: str = ""
    fingerprint: str = ""

    def values(self, field: str) -> tuple[FieldValue, ...]:
        root, _, path = field.partition(".")
        match root:
            case "tool":
                return (self.tool,)
            case "source":
                return (self.source,)
            case "agent":
                return (self.agent,)
            case "model":
                return (self.model,)
            case "args":
                return tuple(reach(loaded(self.arguments), path.split(".")))
            case _:
                return ()

    def text(self) -> str:
        return f"{self.tool} {self.arguments}"


class Policy:
    """A set of rules, parsed once. Judging is pure: the caller gives the time and counts the uses."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._parsed: list[tuple[Rule, Expression | ExpressionError]] = [
            (rule, _readable(rule.when)) for rule in self.rules
        ]

    @property
    def unreadable(self) -> tuple[tuple[Rule, ExpressionError], ...]:
        return tuple((rule, when) for rule, when in self._parsed if isinstance(when, ExpressionError))

    def judge(self, call: Call, now: float) -> Verdict:
        """What the rules say of a call, with every rule that was tried."""
        best: tuple[VerdictKind, Rule, str] | None = None
        trace: list[TraceLine] = []
        for rule, when in self._parsed:
            said = _try(rule, when, call, now)
            if said is None:
                continue
            kind, outcome = said
            trace.append(TraceLine(str(rule), outcome))
            if kind is not None and (best is None or _STRICTEST.index(kind) < _STRICTEST.index(best[0])):
                best = (kind, rule, outcome)
        if best is None:
            return Verdict("ask", "no rule matched", trace=tuple(trace))
        kind, rule, outcome = best
        reason = rule.note or (f"rule: {rule}" if outcome == "matched" else outcome)
        return Verdict(kind, reason, str(rule), rule.id, tuple(trace))

    def could_refuse(self, tool: str, source: str, agent: str, now: float) -> bool:
        """Whether some arguments of this tool might be asked about or denied: if not, a call needs no holding back."""
        call = Call(tool, source, agent)
        return any(
            _may_refuse(rule, when) and _concerns(rule, call) and not _over(rule, now) for rule, when in self._parsed
        )


def _may_refuse(rule: Rule, when: Expression | ExpressionError) -> bool:
    """Also a rule that allows may ask: when it can't be read, or when its pattern may take too long."""
    return rule.verdict != "allow" or isinstance(when, ExpressionError) or "~" in rule.when


def _readable(when: str) -> Expression | ExpressionError:
    try:
        return parse(when)
    except ExpressionError as bad:
        return bad


def _try(
    rule: Rule, when: Expression | ExpressionError, call: Call, now: float
) -> tuple[VerdictKind | None, str] | None:
    """What one rule says: None = it is about other tools; (None, why) = about this one, but it does not apply."""
    if not _concerns(rule, call):
        return None
    if _over(rule, now):
        return None, "expired or used up"
    if rule.fingerprint and rule.fingerprint != call.fingerprint:
        return None, "suspended: the tool's definition has changed since"
    if isinstance(when, ExpressionError):
        return "ask", f"cannot be read ({when.message}), so it asks"
    if isinstance(when, Always):
        return rule.verdict, "matched"
    try:
        matched = when.holds(call)
    except MatchTimeout as slow:
        return "ask", f"{slow}, so it asks"
    return (rule.verdict, "matched") if matched else (None, "arguments do not match")


def _concerns(rule: Rule, call: Call) -> bool:
    return _fits(rule.tool, call.tool) and _fits(rule.source, call.source) and _fits(rule.agent, call.agent)


def _fits(glob: str, name: str) -> bool:
    return glob == "*" or glob == name or glob_matches(glob, name)


def _over(rule: Rule, now: float) -> bool:
    return (rule.expires is not None and rule.expires <= now) or (rule.uses is not None and rule.uses <= 0)
