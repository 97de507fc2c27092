"""The gate under anything that can happen to it, in any order: nothing runs undecided, and everything ends once."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.depth import examples
from tests.fakes.rules import RuleList

from callgate.core.calls.invocation import Decision, Invocation, Phase, shown_hash
from callgate.core.errors import UserFault
from callgate.core.events import Event, InvocationChanged
from callgate.core.gate_mode import GateMode
from callgate.core.messages import Text, ToolResult
from callgate.core.rules.policy import Rule
from callgate.engine.bus import Bus
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.gate_ports import GateConduct

CALLS = 4
FORBIDDEN = "never"
"""A tool that a rule denies from the beginning."""
ARGUMENTS = '{"a":1}'

Action = tuple[Any, ...]
calls = st.integers(0, CALLS - 1)
verbs = st.sampled_from(["approve", "deny", "answer", "skip", "accept", "edit_result", "withhold"])
actions = st.one_of(
    st.tuples(st.just("judge"), calls, st.booleans(), st.booleans()),
    st.tuples(
        st.just("decide"),
        calls,
        verbs,
        st.sampled_from([None, '{"a":2}', "bad"]),
        st.sampled_from(["", "shown", "something else"]),
        st.sampled_from(["once", "session"]),
    ),
    st.tuples(st.just("cancel"), calls),
    st.tuples(
        st.just("rule"),
        st.sampled_from(["allow", "ask", "deny"]),
        st.sampled_from([None, 1]),
        st.booleans(),
        st.sampled_from(["deny", "allow"]),
    ),
    st.tuples(st.just("mode"), st.sampled_from(["ask", "rules", "observe"])),
    st.tuples(st.just("conduct"), st.sampled_from(["wait", "allow", "deny"]), st.sampled_from([0.0, 60.0])),
    st.tuples(st.just("breathe"), st.sampled_from([1, 6])),
)


@dataclass
class Stage:
    """A gate, what it told, and who was told that their decision counted."""

    deadline: float
    told: list[Invocation] = field(default_factory=list)
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    tasks: list["asyncio.Task[Invocation]"] = field(default_factory=list)
    judged: set[int] = field(default_factory=set)
    passing: set[str] = field(default_factory=set)
    """Calls that went to their client as they came: nothing could refuse them when they began."""
    waits: dict[str, int] = field(default_factory=dict)
    """How often each call was asked about."""
    permits: dict[str, str] = field(default_factory=dict)
    """Why a call that runs by setting or deadline may do so, as far as it is known here; empty = for no reason."""

    def __post_init__(self) -> None:
        bus = Bus()
        bus.subscribe(self._hear)
        self.rules = RuleList(Rule("deny", FORBIDDEN))
        self.gate = Gate(
            bus,
            self.rules,
            GateConduct(deadline_seconds=self.deadline),
            lambda _, arguments: "no" if arguments == "bad" else "",
        )
        for number in range(CALLS):
            self.gate.open(
                Invocation(
                    f"inv_{number}",
                    "e",
                    "c",
                    1,
                    number,
                    f"call_{number}",
                    FORBIDDEN if number == 0 else "read_file",
                    "client" if number == 1 else "gate",
                    "s",
                    "a",
                    "m",
                    phases=(Phase("Streaming", 0.0),),
                )
            )

    def _hear(self, event: Event) -> None:
        if isinstance(event, InvocationChanged):
            one = event.invocation
            self.told.append(one)
            if one.state == "WaitingForConfirmation":
                self.waits[one.id] = self.waits.get(one.id, 0) + 1
            if one.state in ("Executing", "Released"):
                self.permits[one.id] = self._permit(one)

    def _permit(self, one: Invocation) -> str:
        """By what is in force at this very moment, read from what the test itself has set."""
        if one.decided_by == "deadline":
            late = any(rule.verdict == "ask" and rule.at_deadline == "allow" for rule in self.rules.rules())
            return "the rule that asks allows it at the deadline" if late else ""
        if one.decided_by == "setting":
            if one.id in self.passing:
                return "its client has it already"
            if self.gate.conduct.on_ask == "allow":
                return "--on-ask allow"
            return "observing" if self.gate.mode.kind == "observe" else ""
        return "told by the decision itself"

    async def play(self, action: Action) -> None:
        match action:
            case ("judge", number, fits, wants_to_pass) if number not in self.judged:
                self.judged.add(number)
                # as a round does: only a client's call that nothing could refuse when it began
                passes = wants_to_pass and number == 1 and not self._could_refuse()
                if passes:
                    self.passing.add(f"inv_{number}")
                self.tasks.append(asyncio.ensure_future(self._run(number, ARGUMENTS if fits else "bad", passes)))
            case ("decide", number, verb, arguments, shown, scope):
                self._decide(number, Decision(verb, arguments, result="by hand", shown=shown, scope=scope))
            case ("cancel", number):
                self.gate.cancel(f"inv_{number}", "client", "hung up")
            case ("rule", verdict, uses, review, late):
                self.rules.add(Rule(verdict, uses=uses, review=review, at_deadline=late), "session")
            case ("mode", kind):
                self.gate.set_mode(GateMode(kind))
            case ("conduct", on_ask, seconds):
                self.gate.set_conduct(GateConduct(deadline_seconds=seconds, on_ask=on_ask))
            case ("breathe", turns):
                for _ in range(turns):  # six are enough for a deadline that is due to strike
                    await asyncio.sleep(0)
            case _:
                pass  # judged already

    def _decide(self, number: int, decision: Decision) -> None:
        waiting = next((one for one in self.gate.waiting() if one.id == f"inv_{number}"), None)
        if decision.shown == "shown" and waiting is not None:
            decision = replace(decision, shown=shown_hash(waiting))
        try:
            taken = self.gate.decide(f"inv_{number}", decision, "test")
        except UserFault:
            assert waiting in self.gate.waiting(), "what can't be taken leaves the call as it was"
            return
        assert not taken or waiting is not None, "only what waits can be decided"
        if taken and waiting is not None:
            assert decision.shown in ("", shown_hash(waiting))
            self.taken[waiting.id, waiting.state] += 1

    def _could_refuse(self) -> bool:
        return self.gate.could_refuse("read_file", "s", "a", owner_is_client=True)

    async def _run(self, number: int, arguments: str, passes: bool) -> Invocation:
        judged = await self.gate.judge(f"inv_{number}", arguments, passing=passes)
        if judged.state != "Executing":
            return judged
        return await self.gate.ran(judged.id, ToolResult(judged.call_id, (Text("ran"),)))

    async def end(self) -> None:
        self.gate.set_conduct(GateConduct(deadline_seconds=0.0))
        for number in range(CALLS):
            self.gate.cancel(f"inv_{number}", "shutdown", "the end")
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def played(script: list[Action], deadline: float) -> Stage:
    stage = Stage(deadline)
    for action in script:
        await stage.play(action)
    await stage.end()
    return stage


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(actions, max_size=30), st.sampled_from([0.0, 300.0]))
def test_nothing_runs_undecided_everything_ends_once_and_one_decision_wins(
    script: list[Action], deadline: float
) -> None:
    stage = asyncio.run(asyncio.wait_for(played(script, deadline), 20))
    for number in range(CALLS):
        told = [one for one in stage.told if one.id == f"inv_{number}"]
        ended = [one for one in told if not one.is_live]
        assert len(ended) == 1, "each call ends, and ends once"
        last = ended[0]
        assert told[-1] is last, "nothing is said of a call after its end"
        ran = [one for one in told if one.state in ("Executing", "Released")]
        for one in ran:
            assert one.reason is not None and one.decided_by in ("person", "rule", "setting", "deadline")
            assert one.decided_by != "rule" or (one.verdict is not None and one.verdict.kind == "allow")
            assert one.decided_by != "person" or stage.taken[one.id, "WaitingForConfirmation"] == 1
            assert one.edited_arguments != "bad", "what does not fit never runs"
            assert stage.permits[one.id], f"{one.decided_by} had no reason to let it run"
        assert len(ran) <= 1 and stage.waits.get(f"inv_{number}", 0) <= 1, "asked once, started once"
        if not ran:
            assert last.state != "Released"
        if number == 0:
            assert not ran, "a rule that denies holds, whatever is decided, allowed or switched on beside it"
        answers = last.state == "Completed" or last.reason == "Timeout"
        assert (last.result is not None) == answers, "one result for each call that ended by itself, none for others"
        assert last.result is None or last.result.call_id == last.call_id
        if last.refused:
            assert not ran or last.state == "Cancelled", "what was refused did not run"
    assert all(count == 1 for count in stage.taken.values()), "one decision wins"
