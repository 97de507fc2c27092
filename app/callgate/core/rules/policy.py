"""Rules and the verdicts they give.

The order of decision, for every call:

    1. a rule that denies          blocked tools and the allow list are such rules
    2. a rule that asks            `eligibleForAutoApproval = false` and every `false` of the settings are such rules;
                                   a rule that cannot be judged (its expression does not parse, its pattern takes too
                                   long) asks too, whatever it says, and tells why
    3. a concern                   something that the text alone does not settle, in a shell line or an address; broken
                                   arguments; Callgate's own files: it asks
    4. rules that allow            every part of the call must be allowed, if need be by different rules; a guarded file
                                   (`rules.guarded_files`) only by a rule that names it; a rule for a named agent, by
                                   its glob or in its expression, counts only where a token proves the name
    5. nothing                     it asks

So deny beats ask beats allow, however specific a rule is and whichever layer (settings, configuration, always,
workspace, session, conversation, turn) it comes from. A rule for one turn or conversation is no rule elsewhere. The
settings that VS Code users know are rules of the first layer.

The parts of a call are the commands of its shell line, the files that it changes or the addresses that it fetches
(`call_targets`). A rule that allows is asked about each part alone: `command`, `edits` and `urls` have one value then,
and the shell argument and bare words mean that command; only `line` is still the whole line. What a command runs in
turn (`rm x` of `sudo rm x`, of `find -exec rm x`, of `tar --to-command='rm x'`) is a part of its own, and so is code
that it is given (`python -c …`) and a file that it writes outside the workspace, unless the rule says which: `sudo ls
*` does, `sudo *` does not. A rule that allows must also hold for each item of an argument that is a
list. A rule that denies or asks is enough if it holds for one part, for one part seen in another way (`sudo rm` is
also `rm`), or for the whole.

Result review is a question of its own: `wants_review`.
"""

from collections.abc import Collection, Iterable

from callgate.core.calls.subject import Call
from callgate.core.calls.targets import Targets
from callgate.core.calls.tool_kinds import TARGET_FIELDS, only_reads, reached_fields
from callgate.core.rules.expression import Expression, fields_of
from callgate.core.rules.glob import Glob, MatchTimeout
from callgate.core.rules.judgement import Judgement, Prepared
from callgate.core.rules.match import ExpressionError, parse
from callgate.core.rules.rule import Rule, TraceLine, Verdict, VerdictKind, Within

__all__ = ["Call", "Policy", "Rule", "TraceLine", "Verdict", "VerdictKind", "Within"]

_NAMES = frozenset({"tool", "source", "agent"})
"""Fields that are known before the arguments are."""
_MOST_KNOWN = 512
"""Tools and agents whose rules are remembered; their names come from outside."""


class Policy:
    """A set of rules, read once. Judging is pure: the caller gives the time and counts the uses."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._all = tuple(Prepared(rule, _readable(rule.when)) for rule in self.rules)
        self._named: dict[str, list[int]] = {}
        self._wild: list[tuple[int, Glob]] = []
        for index, rule in enumerate(self.rules):
            if "*" in rule.tool or "?" in rule.tool:
                self._wild.append((index, Glob(rule.tool)))
            else:
                self._named.setdefault(rule.tool, []).append(index)
        self._around = tuple((_glob(rule.source), _glob(rule.agent)) for rule in self.rules)
        self._known: dict[tuple[str, str, str], tuple[Prepared, ...]] = {}

    @property
    def unreadable(self) -> tuple[tuple[Rule, ExpressionError], ...]:
        return tuple((one.rule, one.when) for one in self._all if isinstance(one.when, ExpressionError))

    def judge(self, call: Call, now: float) -> Verdict:
        """What the rules say of a call, with everything that was tried."""
        return Judgement(call, now).verdict(self._about(call.tool, call.source, call.agent))

    def wants_review(self, call: Call, now: float) -> Verdict | None:
        """The rule because of which a person must see the result before the model does; None = there is none."""
        if not self.could_review(call.tool, call.source, call.agent):
            return None
        return Judgement(call, now).reviewing(self._about(call.tool, call.source, call.agent))

    def could_review(self, tool: str, source: str, agent: str) -> bool:
        """Whether some result of this tool might have to be seen first: if not, nothing of a call need be looked at."""
        return any(one.rule.review for one in self._about(tool, source, agent))

    def could_refuse(
        self,
        tool: str,
        source: str,
        agent: str,
        now: float,
        *,
        agent_proven: bool = False,
        tags: Collection[str] = (),
        concerned: bool = True,
    ) -> bool:
        """Whether some arguments of this tool might be asked about or denied: if not, a call needs no holding back.

        `tags` are those of the tool, where it has some. `concerned`: whether a concern counts, which any shell line,
        address or argument that is a guarded file may be; else only rules do.
        """
        if concerned and not only_reads(tool, tags):
            return True
        unreached = TARGET_FIELDS - reached_fields(tool, tags)
        call = Call(tool, source, agent, targets=Targets(), agent_proven=agent_proven)
        about = self._about(tool, source, agent)
        return any(not one.over(now) and _may_refuse(one, call, _NAMES | unreached) for one in about)

    def about(self, tool: str, source: str, agent: str) -> tuple[Prepared, ...]:
        """The rules that a call of this tool will be judged by, whatever its arguments are."""
        return self._about(tool, source, agent)

    def _about(self, tool: str, source: str, agent: str) -> tuple[Prepared, ...]:
        """The rules whose globs fit, in their order."""
        key = (tool, source, agent)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[key] = tuple(self._find(tool, source, agent))
        return known

    def _find(self, tool: str, source: str, agent: str) -> Iterable[Prepared]:
        wild = dict(self._wild)
        for index in sorted((*self._named.get(tool, ()), *wild)):
            of_source, for_agent = self._around[index]
            try:
                if (
                    (index not in wild or wild[index].matches(tool))
                    and (of_source is None or of_source.matches(source))
                    and (for_agent is None or for_agent.matches(agent))
                ):
                    yield self._all[index]
            except MatchTimeout:
                rule = self.rules[index]
                yield Prepared(rule, ExpressionError("its name patterns take too long", rule.when, 0))


def _may_refuse(one: Prepared, call: Call, known: frozenset[str]) -> bool:
    """Also a rule that allows may ask: when it can't be read, or when its pattern may take too long."""
    if isinstance(one.when, ExpressionError):
        return True
    if one.agent_fields and not call.agent_proven:
        return one.rule.verdict != "allow"
    if fields_of(one.when) <= known:
        return one.rule.verdict != "allow" and one.when.holds(call)
    return one.rule.verdict != "allow" or "~" in one.rule.when


def _glob(text: str) -> Glob | None:
    return None if text == "*" else Glob(text)


def _readable(when: str) -> Expression | ExpressionError:
    try:
        return parse(when)
    except ExpressionError as bad:
        return bad
