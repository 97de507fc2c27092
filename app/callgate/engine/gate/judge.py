"""What the rules say of a call, seen through the gate's mode and what is known of the call. Changes nothing."""

from collections.abc import Callable
from dataclasses import replace

from callgate.core.calls.invocation import Invocation
from callgate.core.gate_mode import GateMode
from callgate.core.rules.policy import Call, Policy, Rule, Verdict
from callgate.core.tool import PERSON_SOURCE
from callgate.engine.gate.gate_ports import GateConduct, RuleStore, TargetsOf, TwinOf, Unrecorded, recorded

UNRECORDED = "the journal cannot be written, so no rule counts for calls that change something"


class Judge:
    def __init__(
        self,
        rules: RuleStore,
        conduct: GateConduct,
        clock: Callable[[], float],
        twin_of: TwinOf,
        targets: TargetsOf,
        unrecorded: Unrecorded = recorded,
    ) -> None:
        self.conduct = conduct
        self._rules = rules
        self._clock = clock
        self._twin_of = twin_of
        self._targets = targets
        self._unrecorded = unrecorded
        self._mode = GateMode()
        self._policy = Policy(rules.rules())

    @property
    def mode(self) -> GateMode:
        return self._mode.at(self._clock())

    @property
    def is_recorded(self) -> bool:
        return not self._unrecorded(None)

    def set_mode(self, mode: GateMode) -> None:
        self._mode = mode

    def read_rules(self) -> None:
        """They have changed."""
        self._policy = Policy(self._rules.rules())

    def by_rules(self, invocation: Invocation, arguments: str) -> Verdict:
        """What the rules alone say."""
        return self._policy.judge(self._call(invocation, arguments), self._clock())

    def covers(self, rule: Rule, invocation: Invocation) -> bool:
        """Whether this rule alone would allow a call."""
        call = self._call(invocation, invocation.effective_arguments)
        return Policy([rule]).judge(call, self._clock()).kind == "allow"

    def verdict(self, invocation: Invocation, arguments: str) -> Verdict:
        """What the rules say, seen through the mode: it can turn an allow into a question, or the other way round."""
        verdict = self.by_rules(invocation, arguments)
        if verdict.kind == "allow" and (twin := self._twin_of(invocation.tool)):
            verdict = replace(verdict, kind="ask", reason=f"its name looks like {twin}, but is another")
        verdict = self._through_mode(verdict)
        if verdict.kind == "allow" and invocation.source == PERSON_SOURCE:
            return replace(verdict, kind="ask", reason="only a person can answer it")
        if verdict.kind != "deny" and self._unrecorded(invocation):
            reason = UNRECORDED if verdict.kind == "allow" else verdict.reason
            return replace(verdict, kind="ask", reason=reason, grantable=False, at_deadline="deny", unrecorded=True)
        return verdict

    def review_of(self, invocation: Invocation) -> Verdict | None:
        """Why a person must see its result before the model does; None = nothing wants that."""
        if not self._asks_for_results():
            return None
        by_rule = self._policy.wants_review(self._call(invocation, invocation.effective_arguments), self._clock())
        # a rule that lets the call run without a word on its result lets that through too
        if by_rule is not None or not invocation.wording.review_result or invocation.decided_by in ("rule", "setting"):
            return by_rule
        return Verdict("ask", "the tool wants its results looked at")

    def could_review(self, tool: str, source: str, agent: str) -> bool:
        """False: whatever comes out of a client's tool, nobody will be asked about it."""
        return self._asks_for_results() and self._policy.could_review(tool, source, agent)

    def _asks_for_results(self) -> bool:
        return self.mode.kind != "observe" and self.conduct.on_ask != "allow"

    def could_refuse(self, call: Call, *, owner_is_client: bool) -> bool:
        """False: whatever the arguments will be, the call will be allowed. `call`: without arguments."""
        if self._unrecorded(None):
            return True
        observed = self.mode.kind == "observe" or (owner_is_client and self.conduct.observe_client_tools)
        may_refuse = self._policy.could_refuse(
            call.tool,
            call.source,
            call.agent,
            self._clock(),
            agent_proven=call.agent_proven,
            concerned=not observed,
        )
        if self.mode.kind == "ask" or may_refuse:
            return True
        if observed:
            return False
        verdict = self._policy.judge(call, self._clock())
        # a rule with uses may be used up by another call before this one is whole
        return verdict.kind != "allow" or bool(self.limited(verdict)) or bool(self._twin_of(call.tool))

    def limited(self, verdict: Verdict) -> list[str]:
        """The rules that a verdict rests on and that may be used only so often."""
        return [rule.id for rule in self._policy.rules if rule.uses is not None and rule.id in verdict.rule_ids]

    def rule_of(self, verdict: Verdict) -> Rule | None:
        """The rule that decided."""
        return next((rule for rule in self._policy.rules if rule.id and rule.id == verdict.rule_id), None)

    def _through_mode(self, verdict: Verdict) -> Verdict:
        match self.mode.kind, verdict.kind:
            case "ask", "allow":
                return replace(verdict, kind="ask", reason="the gate asks about everything now")
            case "observe", "ask":
                return replace(
                    verdict, kind="allow", reason="the gate only observes now", rule="", rule_id="", rule_ids=()
                )
            case _:
                return verdict

    def _call(self, invocation: Invocation, arguments: str) -> Call:
        return Call(
            invocation.tool,
            invocation.source,
            invocation.agent,
            invocation.model,
            arguments,
            invocation.fingerprint,
            targets=self._targets(invocation, arguments),
            agent_proven=invocation.agent_proven,
            sub_agent=invocation.sub_agent,
            within=invocation.within,
        )
