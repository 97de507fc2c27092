"""The gate: every complete call is judged here, and nothing runs or reaches a client without passing it.

Order of decision: rules (deny beats ask beats allow) → the setting for client-run calls → a person, up to the
deadline. Exactly one of them wins: the first to move the invocation out of its state; everything later is stale.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from callgate.core.calls.binding import Binding, BindingChange, BoundTool
from callgate.core.calls.invocation import (
    GRANT_SCOPES,
    Allow,
    ArgumentsComplete,
    Ask,
    Cancel,
    Decider,
    Decision,
    GrantScope,
    Invocation,
    Reason,
    Rebind,
    Return,
    Review,
    Settle,
    Step,
    Void,
    advance,
    denied_text,
    shown_hash,
    skipped_text,
    timed_out_text,
    unreviewed_text,
    unseen_text,
)
from callgate.core.calls.own_act import OwnAct
from callgate.core.calls.preview import Preview, state_of
from callgate.core.errors import UserFault
from callgate.core.events import GateChanged, InvocationChanged
from callgate.core.gate_mode import GateMode
from callgate.core.messages import Message, ToolResult
from callgate.core.rules.grant import grant
from callgate.core.rules.policy import Call, Rule, Verdict, VerdictKind
from callgate.core.tool import GROUP_SOURCE, PERSON_SOURCE, Tool
from callgate.engine.bus import Bus
from callgate.engine.gate.call_bindings import CallBindings
from callgate.engine.gate.call_deadline import PersonWait
from callgate.engine.gate.gate_ports import (
    Bindings,
    CheckArguments,
    Describe,
    GateConduct,
    Prepare,
    RuleStore,
    TargetsOf,
    TwinOf,
    Unbound,
    Unrecorded,
    named_targets,
    no_twin,
    recorded,
    unprepared,
    wordless,
)
from callgate.engine.gate.judge import UNRECORDED, Judge
from callgate.engine.gate.late_reasons import LateReasons
from callgate.engine.gate.results import refuse_ungrantable, refuse_unreadable, result_of, reviewed_step, unfit
from callgate.engine.gate.unstarted import Unstarted
from callgate.wire.built_in_calls import edit_problem

MOST_VOIDED = 3
"""A call that a rule allows and whose tool changes each time that it is about to run is refused after so many."""
_SAME_SECONDS = 0.05
NEVER_SHOWN = "it could not be shown to a person in time"


class Gate:
    def __init__(
        self,
        bus: Bus,
        rules: RuleStore,
        conduct: GateConduct,
        check: CheckArguments,
        clock: Callable[[], float] = time.time,
        twin_of: TwinOf = no_twin,
        prepare: Prepare = unprepared,
        targets: TargetsOf = named_targets,
        describe: Describe = wordless,
        bindings: Bindings | None = None,
        unrecorded: Unrecorded = recorded,
    ) -> None:
        self._bus = bus
        self._rules = rules
        self._check = check
        self._prepare = prepare
        self._describe = describe
        self._clock = clock
        self._live: dict[str, Invocation] = {}
        self._waits: dict[str, PersonWait] = {}
        self._bindings = CallBindings(bindings or Unbound())
        self._judge = Judge(rules, conduct, clock, twin_of, targets, unrecorded)
        self.late_reasons = LateReasons(self._explained, clock)
        self.unstarted = Unstarted(lambda: (rule.id for rule in rules.rules()))
        rules.on_change(self._rules_changed)

    # ---- as a whole ------------------------------------------------------------------------------------------------

    @property
    def mode(self) -> GateMode:
        return self._judge.mode

    @property
    def conduct(self) -> GateConduct:
        return self._judge.conduct

    @property
    def is_recorded(self) -> bool:
        """Whether what happens now gets into the journal."""
        return self._judge.is_recorded

    def set_conduct(self, conduct: GateConduct) -> None:
        """How it behaves where no rule speaks, from the next call on; what waits already keeps its deadline."""
        self._judge.conduct = conduct

    def set_mode(self, mode: GateMode) -> None:
        """Stricter or more open, at once; what waits is judged again."""
        self._judge.set_mode(mode)
        self._bus.publish(GateChanged(mode, self._clock()))
        self._judge_waiting_again()

    # ---- the life of a call ----------------------------------------------------------------------------------------

    def enter_turn(self, conversation_id: str, exchange_id: str, fresh: Iterable[Message]) -> str:
        """The turn that an exchange belongs to. `fresh`: its new messages; a user message among them begins a turn."""
        return self._rules.enter_turn(conversation_id, exchange_id, begins=any(map(_begins_turn, fresh)))

    def open(self, invocation: Invocation, offered: Tool | None = None) -> None:
        """A call has begun to form. `offered`: the tool as the model was offered it, where Callgate runs it."""
        self._live[invocation.id] = invocation
        if offered is not None:
            self._bindings.begin(invocation, BoundTool(Binding(offered.fingerprint), offered.definition))
        self._bus.publish(InvocationChanged(invocation, self._clock()))

    async def judge(
        self, invocation_id: str, arguments: str, *, passing: bool = False, own_act: OwnAct | None = None
    ) -> Invocation:
        """Settles a complete call: returns it Executing, Released, Completed (refused or answered) or Cancelled.

        `passing`: nothing could refuse it when it began, so its client has it already. `own_act`: the person has
        started it in the window, and that decides it where it may.
        """
        opened = self._live[invocation_id]
        binding, change = self._bindings.look(opened, "offered")
        wording = self._describe(opened, arguments)
        invocation = self._step(invocation_id, ArgumentsComplete(arguments, wording, binding, change))
        problem = "" if invocation.owner == "client" else self._check(invocation, arguments)
        if problem:
            return self._step(invocation_id, unfit(invocation, problem))
        verdict, step = self._unasked(invocation, arguments, passing, own_act)
        preview: Preview | None = None
        if step is None:
            preview = await self._prepare(invocation)
            # meanwhile rules or the mode may have changed, and only calls that wait already are judged again for that
            verdict, step = self._unasked(invocation, arguments, passing, own_act)
        if step is None:
            return await self._by_person(invocation_id, self._question(verdict, preview))
        return self._settled_by(invocation_id, step, verdict)

    async def judge_again(self, invocation_id: str, why: BindingChange | None = None) -> Invocation:
        """A call that was allowed is not what would run, and nothing ran: that decision is void.

        What a person has decided, a person is asked again; what a rule or setting has, is put to the rules again.
        `why`: given where it is not the tool that has changed.
        """
        voided = self._live[invocation_id]
        binding, change = self._bindings.look(voided, "decided")
        change = why if why is not None and self._bindings.is_current(voided) else change
        invocation = advance(voided, Rebind(binding, change, None), self._clock())
        withdrawn = change is not None and change.since == "withdrawn"
        verdict, step = self._judged_anew(invocation, withdrawn=withdrawn)
        preview: Preview | None = None
        if step is None:
            preview = await self._prepare(invocation)
            verdict, step = self._judged_anew(invocation, withdrawn=withdrawn)
        if step is None:
            return await self._by_person(invocation_id, Void(binding, change, self._question(verdict, preview)))
        return self._settled_by(invocation_id, Void(binding, change, step), verdict)

    def tools_changed(self) -> None:
        """What waits may not be any more what is shown of it."""
        for waiting in self.waiting():
            self._bind_again(waiting.id)

    def could_refuse(
        self,
        tool: str,
        source: str,
        agent: str,
        fingerprint: str = "",
        *,
        owner_is_client: bool,
        agent_proven: bool = False,
        sub_agent: str = "",
    ) -> bool:
        """False: whatever the arguments will be, the call will be allowed, so it need not be held back."""
        call = Call(tool, source, agent, fingerprint=fingerprint, agent_proven=agent_proven, sub_agent=sub_agent)
        return self._judge.could_refuse(call, owner_is_client=owner_is_client)

    def foresee(self, invocation: Invocation, arguments: str) -> tuple[Verdict, VerdictKind]:
        """What would become of a call with these arguments; nothing happens."""
        verdict, step = self._without_person(invocation, arguments, passing=False)
        return verdict, "ask" if step is None else "allow" if isinstance(step, Allow) else "deny"

    def covers(self, rule: Rule, invocation_id: str) -> bool:
        """Whether a rule alone would allow a call that waits; nothing happens."""
        invocation = self._live.get(invocation_id)
        return invocation is not None and invocation.is_waiting and self._judge.covers(rule, invocation)

    async def ran(self, invocation_id: str, result: ToolResult) -> Invocation:
        """The tool has answered; a person may have to see the result before the model does."""
        invocation = self._live[invocation_id]
        review = self._judge.review_of(invocation)
        if review is None:
            return self._step(invocation_id, Return(result))
        if self.conduct.on_ask == "deny":
            self._step(invocation_id, Return(result, review, self._clock()))
            withheld = result_of(invocation, unseen_text(invocation.tool), is_error=True)
            return self._step(invocation_id, Review(withheld, "--on-ask deny"))
        asked = Return(result, review, self._clock() + self.conduct.deadline_seconds)
        return await self._wait_for_person(invocation_id, asked, lambda: self._unreviewed(invocation_id))

    def could_review(self, tool: str, source: str, agent: str) -> bool:
        """False: whatever a client's own tool returns, the model may have it unseen."""
        return self._judge.could_review(tool, source, agent)

    async def review(self, invocation: Invocation, result: ToolResult) -> ToolResult:
        """The same for a result that a client's own tool returned: what the model may have of it."""
        if self._judge.review_of(invocation) is None:
            return result
        self._live[invocation.id] = invocation
        reviewed = (await self.ran(invocation.id, result)).result
        return result if reviewed is None else reviewed

    def cancel(self, invocation_id: str, by: Decider, explanation: str) -> None:
        """Ends a call that is still live; one that is not is left alone."""
        if invocation_id in self._live:
            self._step(invocation_id, Cancel(by, explanation=explanation))

    def cancel_exchange(self, exchange_id: str, by: Decider, explanation: str) -> None:
        """Ends every call of an exchange that is still live."""
        for invocation in tuple(self._live.values()):
            if invocation.exchange_id == exchange_id:
                self.cancel(invocation.id, by, explanation)

    def client_left(self, exchange_id: str) -> None:
        """The client of an exchange is gone, and may ask again: nothing is held back for its sake meanwhile."""
        self.late_reasons.end_all(exchange_id)
        self._tell_waits(exchange_id, client_is_there=False)

    def client_came_back(self, exchange_id: str, until: float | None) -> None:
        """The client of an exchange has asked again: until when it waits now, for those who look at its calls."""
        self._tell_waits(exchange_id, client_is_there=True)
        for invocation in tuple(self._live.values()):
            if invocation.exchange_id == exchange_id and invocation.client_until != until:
                renewed = self._live[invocation.id] = replace(invocation, client_until=until)
                self._bus.publish(InvocationChanged(renewed, self._clock()))
                if (wait := self._waits.get(invocation.id)) is not None:
                    wait.stir()

    def _tell_waits(self, exchange_id: str, *, client_is_there: bool) -> None:
        for invocation_id, wait in self._waits.items():
            if (live := self._live.get(invocation_id)) is not None and live.exchange_id == exchange_id:
                wait.client_is_there = client_is_there

    # ---- the person ------------------------------------------------------------------------------------------------

    def waiting(self) -> tuple[Invocation, ...]:
        """Oldest first."""
        asked = [invocation for invocation in self._live.values() if invocation.is_waiting]
        return tuple(sorted(asked, key=lambda invocation: invocation.phases[-1].since))

    def seen(self, invocation_id: str) -> None:
        """A waiting call is on the screen of a person; only the first time counts, and it decides nothing."""
        invocation, wait = self._live.get(invocation_id), self._waits.get(invocation_id)
        if invocation is not None and invocation.is_waiting and wait is not None and not wait.was_seen:
            wait.see()
            self._move_deadline(invocation_id, wait, seen_at=self._clock())

    def decide(self, invocation_id: str, decision: Decision, initiator: str) -> bool:
        """A person's answer. False: stale, or made on a text that is not this call's.

        Raises `UserFault` where edited arguments or the rule to save can't be taken; the call then goes on waiting.
        """
        invocation = self._live.get(invocation_id)
        if invocation is None or not invocation.is_waiting:
            return False
        if decision.shown and decision.shown != shown_hash(invocation):
            return False
        scope = decision.scope if decision.verb in ("approve", "deny") else "once"
        if scope != "once":
            refuse_unreadable(decision.when)
            refuse_ungrantable(invocation, decision)
            if problem := self._rules.problem_with(self.grant(invocation, decision), scope):
                raise UserFault(problem)
        if invocation.state == "WaitingForPostApproval":
            step: Step = reviewed_step(invocation, decision)
        else:
            step = self._decided(invocation, decision)
        self.late_reasons.end_all()
        settled = self._step(invocation_id, step, initiator)
        if scope != "once":
            self._rules.add(self.grant(invocation, decision), scope)
        if decision.reason_later and settled.reason == "Denied" and not settled.explanation:
            self._take_reason_later(settled)
        return True

    def _take_reason_later(self, denied: Invocation) -> None:
        wait = self._waits.get(denied.id)
        if wait is not None and wait.client_is_there:
            until = denied.client_until
            self.late_reasons.begin(denied, None if until is None else until - self._clock())

    def _explained(self, invocation: Invocation, at: float, initiator: str) -> None:
        self._bus.publish(InvocationChanged(invocation, at, initiator))

    def grant(self, invocation: Invocation, decision: Decision) -> Rule:
        """The rule that a decision with a lasting scope saves."""
        return grant(invocation, decision)

    def _decided(self, invocation: Invocation, decision: Decision) -> Step:
        match decision.verb:
            case "approve":
                if invocation.source == PERSON_SOURCE:
                    raise UserFault(f"Only you can answer {invocation.tool}: write its result, or deny it.")
                if invocation.is_gone:
                    raise UserFault(
                        f"{invocation.tool} was removed while the call was waiting, so it can't run. "
                        "Deny it, or answer in its place."
                    )
                edited = invocation.edited_arguments if decision.arguments is None else decision.arguments
                edited = None if edited == invocation.arguments else edited
                if edited is not None:
                    self._refuse_bad_edit(invocation, edited)
                return Allow(
                    "UserAction",
                    decision.by,
                    arguments=edited,
                    explanation=decision.reason,
                    scope=decision.scope,
                    wording=None if edited is None else self._describe(invocation, edited),
                )
            case "answer":
                return Settle(
                    result_of(invocation, decision.result), "UserAction", decision.by, explanation=decision.reason
                )
            case "skip":
                text = skipped_text(invocation.tool)
                return Settle(result_of(invocation, text, is_error=True), "Skipped", decision.by)
            case "deny":
                text = denied_text(invocation.tool, decision.reason, "the user")
                return Settle(
                    result_of(invocation, text, is_error=True), "Denied", decision.by, explanation=decision.reason
                )
            case "accept" | "edit_result" | "withhold":
                raise UserFault(f"{invocation.tool} has not run yet, so there is no result to {decision.verb}.")

    def _refuse_bad_edit(self, invocation: Invocation, edited: str) -> None:
        problem = self._check(invocation, edited) if invocation.owner == "gate" else ""
        if invocation.variant == "built_in":
            problem = edit_problem(invocation.tool, edited)
        if problem:
            raise UserFault(f"The edited arguments do not fit: {problem}")
        verdict = self._judge.by_rules(invocation, edited)
        if verdict.kind == "deny":
            raise UserFault(f"The edited call is denied by a rule: {verdict.rule or verdict.reason}")

    # ---- how a verdict becomes a step ------------------------------------------------------------------------------

    def _without_person(
        self, invocation: Invocation, arguments: str, passing: bool
    ) -> tuple[Verdict, Allow | Settle | None]:
        """The verdict, and the step that follows from it; None = a person must decide."""
        verdict = self._judge.verdict(invocation, arguments)
        step = self._by_rule(invocation, verdict) or self._by_setting(invocation, verdict)
        if passing and not isinstance(step, Allow):
            step = Allow("Setting", "setting", verdict, explanation="it was allowed when it began to arrive")
        return verdict, step

    def _unasked(
        self, invocation: Invocation, arguments: str, passing: bool, own_act: OwnAct | None
    ) -> tuple[Verdict, Allow | Settle | None]:
        """The same, where the person's own click may be the decision."""
        verdict, step = self._without_person(invocation, arguments, passing)
        if own_act is None or isinstance(step, Settle) or self.mode.kind == "ask":
            return verdict, step
        if own_act.decides(invocation, verdict, self._judge.rule_of(verdict)):
            step = Allow("UserAction", "person", verdict, explanation="the person started it")
        return verdict, step

    def _judged_anew(self, invocation: Invocation, *, withdrawn: bool = False) -> tuple[Verdict, Allow | Settle | None]:
        """The same for a call whose decision is void; `invocation` as it would run now.

        `withdrawn`: void because a rule was taken back, which may happen as often as the person likes."""
        verdict, step = self._without_person(invocation, invocation.effective_arguments, passing=False)
        by_rule = invocation.decided_by in ("rule", "setting")
        if problem := self._check(invocation, invocation.effective_arguments):
            return verdict, unfit(invocation, problem)
        if by_rule and not withdrawn and len(invocation.voided) >= MOST_VOIDED:
            text = denied_text(invocation.tool, "it changed each time that it was about to run", "Callgate")
            result = result_of(invocation, text, is_error=True)
            return verdict, Settle(result, "Denied", "setting", verdict, "its tool kept changing")
        return verdict, None if isinstance(step, Allow) and not by_rule else step

    def _settled_by(self, invocation_id: str, step: Allow | Settle | Void, verdict: Verdict) -> Invocation:
        settled = self._step(invocation_id, step)
        if settled.decided_by in ("rule", "setting"):
            # after the step: a use changes the rules, and then everything that still waits is judged again
            for rule_id in self._judge.limited(verdict):
                self._rules.use(rule_id)
        return settled

    def _by_rule(self, invocation: Invocation, verdict: Verdict) -> Allow | Settle | None:
        if verdict.kind == "ask":
            return None
        rule = self._judge.rule_of(verdict)
        reason: Reason = "LmServicePerTool" if rule is not None and rule.origin in GRANT_SCOPES else "Setting"
        of_setting = rule.origin == "setting" if rule is not None else not verdict.rule  # else the mode decided
        by: Decider = "setting" if of_setting else "rule"
        if verdict.kind == "allow":
            scope: GrantScope | None = next((scope for scope in GRANT_SCOPES if rule and rule.origin == scope), None)
            edited = invocation.edited_arguments
            return Allow(reason, by, verdict, edited, verdict.reason, scope)
        text = denied_text(invocation.tool, verdict.reason, "a rule")
        return Settle(result_of(invocation, text, is_error=True), "Denied", by, verdict, verdict.reason)

    def _by_setting(self, invocation: Invocation, verdict: Verdict) -> Allow | Settle | None:
        asked_by_rule = bool(verdict.rule) or verdict.unrecorded
        if invocation.source == GROUP_SOURCE and not asked_by_rule:
            return Allow("ConfirmationNotNeeded", "setting", verdict, explanation="it only shows more tools")
        if invocation.owner == "client" and self.conduct.observe_client_tools and not asked_by_rule:
            return Allow("Setting", "setting", verdict, explanation="client tools are only observed")
        if self.conduct.on_ask == "wait":
            return None
        if self.conduct.on_ask == "allow" and invocation.source != PERSON_SOURCE and not verdict.unrecorded:
            return Allow("Setting", "setting", verdict, explanation="started with --on-ask allow")
        reason = UNRECORDED if verdict.unrecorded else "nobody is there to approve it"
        text = denied_text(invocation.tool, reason, "the configuration")
        words = UNRECORDED if verdict.unrecorded else f"--on-ask {self.conduct.on_ask}"
        return Settle(result_of(invocation, text, is_error=True), "Denied", "setting", verdict, words)

    def _question(self, verdict: Verdict, preview: Preview | None) -> Ask:
        return Ask(verdict, self._clock() + self.conduct.deadline_seconds, preview)

    async def _by_person(self, invocation_id: str, ask: Ask | Void) -> Invocation:
        try:
            decided = await self._wait_for_person(invocation_id, ask, lambda: self._late(invocation_id))
            decided = await self.late_reasons.settled(decided)
        finally:
            self.late_reasons.forget(invocation_id)
        if decided.state != "Executing" or decided.edited_arguments is None:
            return decided
        preview = await self._prepare(decided)
        if self._live.get(invocation_id) is not decided:
            raise asyncio.CancelledError  # the call was ended while the preview was made
        if preview == decided.preview:
            return decided
        if state_of(preview) != decided.previewed:
            # the file that would be changed now is none that the person has seen
            return await self.judge_again(invocation_id, BindingChange("edited"))
        return self._step(invocation_id, Rebind(decided.binding, decided.change, preview))

    def _late(self, invocation_id: str) -> Step:
        """Nobody decided in time: the choice of the rules that ask, as they are by now."""
        invocation = self._live[invocation_id]
        verdict = self._judge.verdict(invocation, invocation.effective_arguments)
        may_run = invocation.source != PERSON_SOURCE and not invocation.is_gone
        if verdict.kind == "ask" and verdict.at_deadline == "allow" and may_run:
            words = f"nobody decided in time, and then it is allowed: {verdict.reason}"
            return Allow("Setting", "deadline", verdict, invocation.edited_arguments, words)
        wait = self._waits[invocation_id]
        result = result_of(invocation, timed_out_text(invocation.tool, wait.waited), is_error=True)
        return Cancel("deadline", "Timeout", NEVER_SHOWN if wait.is_unseen else "nobody decided in time", result)

    def _unreviewed(self, invocation_id: str) -> Step:
        invocation, wait = self._live[invocation_id], self._waits[invocation_id]
        withheld = result_of(invocation, unreviewed_text(invocation.tool, wait.waited), is_error=True)
        return Cancel(
            "deadline", "Timeout", NEVER_SHOWN if wait.is_unseen else "nobody reviewed the result in time", withheld
        )

    async def _wait_for_person(self, invocation_id: str, ask: Step, late: Callable[[], Step]) -> Invocation:
        """Puts a question and waits for its answer, up to the deadline, or longer where it could not be shown."""
        wait = self._waits[invocation_id] = PersonWait(
            self.conduct.deadline_seconds, attended=self.conduct.attended and self.conduct.on_ask == "wait"
        )
        try:
            self._step(invocation_id, ask)
            self._bind_again(invocation_id)  # its tool may have changed while the preview was made
            while not wait.answer.done():
                await wait.pause(self._patience(invocation_id))
                if wait.answer.done():
                    break
                if wait.left(self._patience(invocation_id)) <= 0:
                    self._step(invocation_id, late())
                elif wait.outdated:
                    wait.outdated = False
                    await self._preview_again(invocation_id)
                elif wait.is_due:
                    self._move_deadline(invocation_id, wait)
            return wait.answer.result()
        finally:
            del self._waits[invocation_id]

    def _patience(self, invocation_id: str) -> float | None:
        """Seconds for which the client of a call still waits."""
        until = self._live[invocation_id].client_until
        return None if until is None else until - self._clock()

    def _move_deadline(self, invocation_id: str, wait: PersonWait, **more: float) -> None:
        """Tells of a call that waits until when it does now. `more`: what else has become known of it."""
        waiting, now, patience = self._live[invocation_id], self._clock(), self._patience(invocation_id)
        until = now + wait.left(patience)
        if not more and waiting.deadline is not None and abs(until - waiting.deadline) < _SAME_SECONDS:
            return
        moved = replace(waiting, deadline=until, deferred=wait.is_deferred(patience), **more)
        self._live[invocation_id] = moved
        self._bus.publish(InvocationChanged(moved, now))

    def _bind_again(self, invocation_id: str) -> None:
        """A call that waits, as what it would run as now: what was shown of it can't be decided on any more."""
        invocation = self._live.get(invocation_id)
        if invocation is None or invocation.state != "WaitingForConfirmation" or self._bindings.is_current(invocation):
            return
        binding, change = self._bindings.look(invocation, "waiting")
        bound = advance(invocation, Rebind(binding, change, None), self._clock())
        verdict = self._judge.verdict(bound, bound.effective_arguments)
        self._step(invocation_id, Rebind(binding, change, None, verdict))
        self._settle_waiting(invocation_id)
        if invocation_id in self._waits:
            self._waits[invocation_id].outdate()

    async def _preview_again(self, invocation_id: str) -> None:
        shown = self._live[invocation_id]
        preview = None if shown.is_gone else await self._prepare(shown)
        now = self._live.get(invocation_id)
        if now is not None and now.state == "WaitingForConfirmation" and now.binding == shown.binding:
            self._step(invocation_id, Rebind(now.binding, now.change, preview))

    def recording_changed(self) -> None:
        """The journal cannot be written any more, or can be again: what waits says so, and by rule it may go on."""
        for waiting in self.waiting():
            if waiting.verdict is None or waiting.state != "WaitingForConfirmation":
                continue
            verdict = self._judge.verdict(waiting, waiting.effective_arguments)
            if verdict.kind == "ask" and verdict.unrecorded != waiting.verdict.unrecorded:
                told = self._live[waiting.id] = replace(waiting, verdict=verdict)
                self._bus.publish(InvocationChanged(told, self._clock()))
        self._judge_waiting_again()

    def _rules_changed(self) -> None:
        """A decision that became a rule, or an edited rule book, may settle others that wait."""
        self._judge.read_rules()
        self.unstarted.rules_changed()
        self._judge_waiting_again()

    def _judge_waiting_again(self) -> None:
        for waiting in self.waiting():
            self._settle_waiting(waiting.id)

    def _settle_waiting(self, invocation_id: str) -> None:
        invocation = self._live.get(invocation_id)  # settling another one before may have settled this one too
        if invocation is None or invocation.state != "WaitingForConfirmation":
            return
        verdict = self._judge.verdict(invocation, invocation.effective_arguments)
        step = self._by_rule(invocation, verdict)
        if step is not None and not (isinstance(step, Allow) and invocation.is_gone):
            self._settled_by(invocation.id, step, verdict)

    # ---- the one place where a state changes -----------------------------------------------------------------------

    def _step(self, invocation_id: str, step: Step, initiator: str = "engine") -> Invocation:
        after = advance(self._live[invocation_id], step, self._clock())
        if after.is_live:
            self._live[invocation_id] = after
        else:
            del self._live[invocation_id]
            self._bindings.end(invocation_id)
        wait = self._waits.get(invocation_id)
        if wait is not None and not wait.answer.done() and not after.is_waiting:
            wait.answer.set_result(after)
        self._bus.publish(InvocationChanged(after, self._clock(), initiator))
        return after


def _begins_turn(message: Message) -> bool:
    """Whether somebody told the model something new: anything but its own words and the results of its calls."""
    return message.role != "assistant" and any(not isinstance(part, ToolResult) for part in message.parts)
