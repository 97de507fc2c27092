"""One call, judged by the rules about its tool. `policy` finds those rules and says in which order things count."""

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from callgate.core.calls.subject import Call, Facet, Facets, InnerPart, facets_of
from callgate.core.rules.expression import WHOLE_FIELDS, Always, And, Compare, Expression, fields_of, plain_text
from callgate.core.rules.glob import MatchTimeout, collapsed
from callgate.core.rules.match import ExpressionError
from callgate.core.rules.pattern import Pattern
from callgate.core.rules.rule import (
    ELSEWHERE,
    OF_SUB_AGENT,
    SUSPENDED,
    UNPROVEN,
    AtDeadline,
    Rule,
    TraceLine,
    Verdict,
    VerdictKind,
)

# What must be in a call for an expression to hold: a plain text, which is looked for before anything else is tried.
_WILD = re.compile(r"\*+/?|\?")
"""`a/**/b` also fits a/b."""


class Needle(NamedTuple):
    field: str
    text: str
    collapsed: bool = False
    """True: it is looked for in values that have their `..` taken out, as they are compared."""


def needle_of(expression: Expression) -> Needle | None:
    """A text that must be in one of a field's values for the expression to hold; None = not known."""
    match expression:
        case Compare(operator=":"):
            longest = max(_WILD.split(expression.value), key=len)
            placed = "/" in expression.value and expression.field not in WHOLE_FIELDS
            return Needle(expression.field, longest, placed) if longest else None
        case Compare(operator="=") if expression.value and expression.number is None:
            return Needle(expression.field, expression.value)
        case Compare(operator="~"):
            literal = Pattern(expression.value).literal
            return Needle(expression.field, literal) if literal else None
        case And():
            found = [needle for part in expression.parts if (needle := needle_of(part)) is not None]
            return max(found, key=lambda needle: len(needle.text), default=None)
        case _:
            return None


MOST_SLOW = 3
"""Patterns that may run into their time limit in one judgement; after that only rules that deny are still tried."""
RULE_SECONDS = 0.1
"""One rule on all parts of a call: a long shell line has many."""
FEW = 8
"""Parts that need no clock around them: each pattern has its own limit."""
MOST_ITEMS = 1_000
"""Items of a list that are tried one by one; a longer list is allowed by no rule that looks at it."""

_LAYER_WORDS = {
    "setting": "settings",
    "config": "configuration",
    "always": "rules saved for everywhere",
    "workspace": "rules saved for this workspace",
    "session": "this session",
}
"""Where rules come from, in the order in which they are tried; a layer without a rule about the tool is named so. Rules
for a turn or a conversation are named only where there are some."""


@dataclass(slots=True)
class Prepared:
    """A rule, read once, with the words for its most usual outcomes."""

    rule: Rule
    when: Expression | ExpressionError
    plain: Expression | None = field(init=False)
    """Its expression, where nothing else decides whether it applies."""
    needle: Needle | None = field(init=False)
    """A text without which it can't hold."""
    agent_fields: tuple[str, ...] = field(init=False)
    """Where its expression asks for the agent's name."""
    words: str = field(init=False)
    missed: TraceLine = field(init=False)
    matched: TraceLine = field(init=False)
    ended: TraceLine = field(init=False)
    suspended: TraceLine = field(init=False)

    def __post_init__(self) -> None:
        rule, when = self.rule, self.when
        bound = rule.expires is not None or rule.uses is not None or bool(rule.fingerprint)
        self.plain = None if bound or isinstance(when, (ExpressionError, Always)) else when
        self.needle = None if isinstance(when, ExpressionError) else needle_of(when)
        self.agent_fields = () if isinstance(when, ExpressionError) else _agent_fields(when)
        self.words = str(self.rule)
        self.missed = TraceLine(self.words, "arguments do not match", self.rule.origin)
        self.matched = TraceLine(self.words, "matched", self.rule.origin)
        self.ended = self.line("expired or used up")
        self.suspended = self.line(SUSPENDED)

    @property
    def names_agent(self) -> bool:
        """Whether it depends on who calls, whatever its pattern is."""
        return self.rule.agent != "*" or bool(self.agent_fields)

    def over(self, now: float) -> bool:
        rule = self.rule
        return (rule.expires is not None and rule.expires <= now) or (rule.uses is not None and rule.uses <= 0)

    def line(self, outcome: str) -> TraceLine:
        return TraceLine(self.words, outcome, self.rule.origin)


class Judgement:
    """Made for one call, used once."""

    def __init__(self, call: Call, now: float) -> None:
        self._call = call
        self._now = now
        self._facets: Facets = facets_of(call)
        self._covered: list[Prepared | None] = [None] * len(self._facets.parts)
        self._guarded = {part.index: part for part in self._facets.guarded}
        self._trace: list[TraceLine] = []
        self._strict: dict[VerdictKind, tuple[Prepared, str]] = {}
        """The first rule that denies, and the first that asks, each with the outcome."""
        self._slow = 0
        self._texts: dict[tuple[str, bool], str] = {}
        self._unproven: list[Prepared] = []
        """Rules that would allow for this agent's name, were it proven."""
        self._at_deadline: set[AtDeadline] = set()
        """What the rules that ask want to happen if nobody answers."""

    def verdict(self, rules: Sequence[Prepared]) -> Verdict:
        verdict = self._verdict(rules)
        if verdict.kind != "ask" or not self._unproven:
            return verdict
        if Judgement(replace(self._call, agent_proven=True), self._now).verdict(rules).kind != "allow":
            return verdict
        reason = f"the name {self._call.agent} is claimed, not proven by a token, so “{self._unproven[0].words}”"
        return replace(verdict, reason=f"{reason} does not count", needs_proof=True)

    def _verdict(self, rules: Iterable[Prepared]) -> Verdict:
        layers: set[str] = set()
        single = self._facets.parts[0] if len(self._facets.parts) == 1 else None
        unambiguous = not self._facets.readings
        for prepared in rules:
            layers.add(prepared.rule.origin)
            needle = prepared.needle
            claims = prepared.names_agent and not self._call.agent_proven
            if self._elsewhere(prepared.rule):
                self._trace.append(prepared.line(ELSEWHERE))
            elif prepared.rule.spares_sub_agents and self._call.sub_agent:
                self._trace.append(prepared.line(OF_SUB_AGENT))
            elif claims and prepared.rule.verdict == "allow":
                self._unproven.append(prepared)
                self._trace.append(prepared.line(UNPROVEN))
            elif claims and prepared.agent_fields:
                self._try(prepared)
            elif needle is not None and needle.text not in self._text_of(needle.field, needle.collapsed):
                self._trace.append(prepared.missed if prepared.plain is not None else self._missed(prepared))
            elif prepared.plain is None or self._slow or single is None:
                self._try(prepared)
            elif unambiguous or prepared.rule.verdict == "allow":
                self._try_plain(prepared, prepared.plain, single)
            else:
                self._try(prepared)
        self._trace += (TraceLine("what it would do", f"{concern}, so it asks") for concern in self._facets.concerns)
        silent = [words for layer, words in _LAYER_WORDS.items() if layer not in layers]
        if silent:
            self._trace.append(TraceLine(", ".join(silent), f"no rule about {self._call.tool}"))
        return self._refusal("deny") or self._refusal("ask") or self._concerned() or self._allowance()

    def reviewing(self, rules: Iterable[Prepared]) -> Verdict | None:
        """The first rule that wants the result seen by a person."""
        for prepared in rules:
            rule = prepared.rule
            if not rule.review or prepared.over(self._now) or self._suspended(rule) or self._elsewhere(rule):
                continue
            outcome = self._strict_outcome(prepared)
            if outcome is not None:
                reason = rule.note or f"rule: {rule}"
                return Verdict("ask", reason, prepared.words, rule.id, (prepared.line(outcome),), _ids([prepared]))
        return None

    def _text_of(self, field_name: str, placed: bool) -> str:
        """All values of a field, of every part and reading, in one text to look for needles in."""
        known = self._texts.get((field_name, placed))
        if known is not None:
            return known
        facets = (*self._facets.parts, *self._facets.readings)
        values = (plain_text(value) for facet in facets for value in facet.values(field_name))
        text = self._texts[field_name, placed] = "\0".join(map(collapsed, values) if placed else values)
        return text

    # ---- one rule --------------------------------------------------------------------------------------------------

    def _missed(self, prepared: Prepared) -> TraceLine:
        """Of a rule that does not hold: an ended or suspended one is told as that."""
        if prepared.over(self._now):
            return prepared.ended
        if self._suspended(prepared.rule):
            return prepared.suspended
        return prepared.missed

    def _try(self, prepared: Prepared) -> None:
        rule, when = prepared.rule, prepared.when
        if prepared.over(self._now) or self._suspended(rule):
            self._trace.append(self._missed(prepared))
        elif isinstance(when, ExpressionError):
            self._ask(prepared, f"cannot be read ({when.message}), so it asks")
        elif isinstance(when, Always):
            self._matched(prepared, range(len(self._covered)))
        elif rule.verdict != "deny" and self._slow >= MOST_SLOW:
            self._ask(prepared, "not tried, as other patterns took too long, so it asks")
        else:
            self._try_expression(prepared, when)

    def _try_plain(self, prepared: Prepared, when: Expression, single: Facet) -> None:
        """The usual case, in few steps: there may be a thousand rules."""
        try:
            if when.holds(single) and (prepared.rule.verdict != "allow" or self._for_all(when, single)):
                self._matched(prepared, (0,))
            else:
                self._trace.append(prepared.missed)
        except MatchTimeout as slow:
            self._too_slow(prepared, slow)

    def _try_expression(self, prepared: Prepared, when: Expression) -> None:
        try:
            if prepared.rule.verdict == "allow":
                held = self._holding(when, self._facets.parts)
                held = [index for index in held if self._for_all(when, self._facets.parts[index])]
                self._matched(prepared, [*held, *self._named_within(when, held)])
            elif self._restricts(prepared, when):
                self._matched(prepared, ())
            else:
                self._trace.append(prepared.missed)
        except MatchTimeout as slow:
            self._too_slow(prepared, slow)

    def _too_slow(self, prepared: Prepared, slow: MatchTimeout) -> None:
        self._slow += 1
        self._ask(prepared, f"{slow}, so it asks")

    def _matched(self, prepared: Prepared, parts: Sequence[int]) -> None:
        kind = prepared.rule.verdict
        if kind != "allow":
            self._strict.setdefault(kind, (prepared, "matched"))
            if kind == "ask":
                claims = prepared.names_agent and not self._call.agent_proven
                self._at_deadline.add("deny" if claims else prepared.rule.at_deadline)
            self._trace.append(prepared.matched)
            return
        if self._guarded:
            parts = [index for index in parts if index not in self._guarded or self._names(prepared, index)]
        for index in parts:
            if self._covered[index] is None:
                self._covered[index] = prepared
        if len(parts) == len(self._covered):
            self._trace.append(prepared.matched)
        elif parts:
            covered = ", ".join(f"“{self._facets.parts[index].value}”" for index in parts)
            self._trace.append(prepared.line(f"allows only {covered}"))
        else:
            self._trace.append(prepared.missed)

    def _ask(self, prepared: Prepared, outcome: str) -> None:
        self._strict.setdefault("ask", (prepared, outcome))
        self._at_deadline.add("deny")
        self._trace.append(prepared.line(outcome))

    def _strict_outcome(self, prepared: Prepared) -> str | None:
        """What a rule that restricts says: None = it does not match."""
        if isinstance(prepared.when, ExpressionError):
            return f"cannot be read ({prepared.when.message}), so it counts"
        try:
            return "matched" if self._restricts(prepared, prepared.when) else None
        except MatchTimeout as slow:
            return f"{slow}, so it counts"

    def _restricts(self, prepared: Prepared, when: Expression) -> bool:
        """Whether a part or reading is meant by a rule that denies, asks or wants the result reviewed."""
        facets = (*self._facets.outers, *self._facets.readings)
        if prepared.agent_fields and not self._call.agent_proven:
            # `not agent:trusted` would spare a program that only claims to be trusted
            facets = (*facets, *(_nameless(facet, prepared.agent_fields) for facet in facets))
        return bool(self._holding(when, facets, most=1))

    def _holding(self, when: Expression, facets: Sequence[Facet], most: int | None = None) -> Sequence[int]:
        if len(facets) <= FEW and most is None:
            return [index for index, facet in enumerate(facets) if when.holds(facet)]
        until = time.perf_counter() + RULE_SECONDS
        held: list[int] = []
        for index, facet in enumerate(facets):
            if when.holds(facet):
                held.append(index)
                if most == len(held):
                    break
            if time.perf_counter() > until:
                raise MatchTimeout("trying it on every part", RULE_SECONDS)
        return held

    def _for_all(self, when: Expression, facet: Facet) -> bool:
        """Whether it holds for each value of a list alone: what allows one file of two does not allow both."""
        for field_name in fields_of(when):
            values = facet.values(field_name) if field_name else ()
            if len(values) > MOST_ITEMS:
                return False
            if len(values) > 1 and not all(when.holds(facet.with_only(field_name, value)) for value in values):
                return False
        return True

    def _named_within(self, when: Expression, held: Sequence[int]) -> list[int]:
        """Parts that others run, and that what allows those names: `sudo ls *` allows ls, `sudo *` does not say."""
        inner = (one for one in self._facets.inner if one.outer in held and one.index not in held)
        return [one.index for one in inner if not any(when.holds(probe) for probe in one.probes)]

    def _names(self, prepared: Prepared, index: int) -> bool:
        """Whether a rule means just this guarded file, and not its whole folder or every file."""
        if isinstance(prepared.when, (ExpressionError, Always)):
            return False
        try:
            return not prepared.when.holds(self._guarded[index].probe)
        except MatchTimeout:
            return False

    def _elsewhere(self, rule: Rule) -> bool:
        return rule.within is not None and not rule.within.covers(self._call.within)

    def _suspended(self, rule: Rule) -> bool:
        return bool(rule.fingerprint) and rule.fingerprint != self._call.fingerprint

    # ---- the end ---------------------------------------------------------------------------------------------------

    def _refusal(self, kind: VerdictKind) -> Verdict | None:
        if kind not in self._strict:
            return None
        prepared, outcome = self._strict[kind]
        rule = prepared.rule
        reason = outcome if outcome != "matched" else rule.note or f"rule: {rule}"
        grantable = rule.grantable and not self._facets.concerns
        trace, ids = tuple(self._trace), _ids([prepared])
        unanimous = kind == "ask" and self._at_deadline == {"allow"} and not self._facets.concerns
        late: AtDeadline = "allow" if unanimous else "deny"
        return Verdict(kind, reason, prepared.words, rule.id, trace, ids, grantable, late)

    def _concerned(self) -> Verdict | None:
        concerns = self._facets.concerns
        if not concerns:
            return None
        return Verdict("ask", f"rules alone cannot allow it: {concerns[0]}", trace=tuple(self._trace), grantable=False)

    def _allowance(self) -> Verdict:
        trace = tuple(self._trace)
        open_parts = [part.value for part, rule in zip(self._facets.parts, self._covered, strict=True) if rule is None]
        if not open_parts:
            used = _once(self._covered)
            first = used[0]
            return Verdict("allow", _reason(used), first.words, first.rule.id, trace, _ids(used))
        unnamed = [part.guard for part in self._guarded.values() if self._covered[part.index] is None]
        if unnamed:
            reason = f"{unnamed[0].concern}, so only a rule that names it can allow it"
            return Verdict("ask", reason, trace=(*trace, TraceLine("what it would do", reason)), grantable=False)
        if len(open_parts) == len(self._covered):
            return Verdict("ask", "no rule matched", trace=trace)
        outer = len(self._facets.outers)
        plain = [
            one.value for one, rule in zip(self._facets.outers, self._covered[:outer], strict=True) if rule is None
        ]
        effects = [one for one in self._facets.inner if self._covered[one.index] is None and one.words]
        if effects and not plain:
            reason = _reason_of(effects[0], self._facets.parts[effects[0].index].value)
            return Verdict(
                "ask", reason, trace=(*trace, *(TraceLine("what it would do", one.words) for one in effects))
            )
        named = ", ".join(f"“{value}”" for value in plain or open_parts)
        return Verdict("ask", f"no rule allows {named}", trace=trace)


def _agent_fields(when: Expression) -> tuple[str, ...]:
    return tuple(name for name in fields_of(when) if name.partition(".")[0] == "agent")


def _nameless(facet: Facet, fields: Iterable[str]) -> Facet:
    for name in fields:
        facet = facet.with_only(name, "")
    return facet


def _reason_of(effect: InnerPart, value: str) -> str:
    """Why a rule on the program is not enough, and which would be."""
    if effect.example:
        return f"{effect.words}; a rule would have to name it, such as “{effect.example}”"
    return f"{effect.words}; no rule allows “{value}”"


def _once(covered: Iterable[Prepared | None]) -> list[Prepared]:
    used: list[Prepared] = []
    for prepared in covered:
        if prepared is not None and not any(prepared is other for other in used):
            used.append(prepared)
    return used


def _reason(used: Sequence[Prepared]) -> str:
    return "; ".join(dict.fromkeys(one.rule.note or f"rule: {one.words}" for one in used))


def _ids(used: Iterable[Prepared]) -> tuple[str, ...]:
    return tuple(one.rule.id for one in used if one.rule.id)
