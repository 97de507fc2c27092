"""The gate under anything that can happen to it, in any order: nothing runs undecided, and everything ends once."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.rules import RuleList

from callgate.core.errors import UserFault
from callgate.core.events import Event, InvocationChanged
from callgate.core.gate_mode import GateMode
from callgate.core.invocation import Decision, Invocation, Phase, shown_hash
from callgate.core.messages import Text, ToolResult
from callgate.core.policy import Rule
from callgate.engine.bus import Bus
from callgate.engine.gate import Gate
from callgate.engine.gate_ports import GateConduct

CALLS = 4
FORBIDDEN = "never"
"""A tool that a rule denies from the beginning."""
ARGUMENTS = '{"a":1}'

Action = tuple[Any, ...]
calls = st.integers(0, CALLS - 1)
verbs = st.sampled_from(["approve", "deny", "answer", "skip", "accept", "edit_result", "withhold"])
actions = st.one_of(
    st.tuples(st.just("judge"), calls, st.booleans()),
    st.tuples(
        st.just("decide"),
        calls,
        verbs,
        st.sampled_from([None, '{"a":2}', "bad"]),
        st.sampled_from(["", shown_hash(ARGUMENTS), "something else"]),
        st.sampled_from(["once", "session"]),
    ),
    st.tuples(st.just("cancel"), calls),
    st.tuples(st.just("rule"), st.sampled_from(["allow", "ask", "deny"]), st.sampled_from([None, 1]), st.booleans()),
    st.tuples(st.just("mode"), st.sampled_from(["ask", "rules", "observe"])),
    st.tuples(st.just("conduct"), st.sampled_from(["wait", "allow", "deny"]), st.sampled_from([0.0, 60.0])),
    st.tuples(st.just("breathe")),
)


@dataclass
class Stage:
    """A gate, what it told, and who was told that their decision counted."""

    told: list[Invocation] = field(default_factory=list)
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    tasks: list["asyncio.Task[Invocation]"] = field(default_factory=list)
    judged: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        bus = Bus()
        bus.subscribe(self._hear)
        self.rules = RuleList(Rule("deny", FORBIDDEN))
        self.gate = Gate(bus, self.rules, GateConduct(), lambda _, arguments: "no" if arguments == "bad" else "")
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
            self.told.append(event.invocation)

    async def play(self, action: Action) -> None:
        match action:
            case ("judge", number, fits) if number not in self.judged:
                self.judged.add(number)
                self.tasks.append(asyncio.ensure_future(self._run(number, ARGUMENTS if fits else "bad")))
            case ("decide", number, verb, arguments, shown, scope):
                self._decide(number, Decision(verb, arguments, result="by hand", shown=shown, scope=scope))
            case ("cancel", number):
                self.gate.cancel(f"inv_{number}", "client", "hung up")
            case ("rule", verdict, uses, review):
                self.rules.add(Rule(verdict, uses=uses, review=review), "session")
            case ("mode", kind):
                self.gate.set_mode(GateMode(kind))
            case ("conduct", on_ask, seconds):
                self.gate.set_conduct(GateConduct(deadline_seconds=seconds, on_ask=on_ask))
            case _:
                await asyncio.sleep(0)

    def _decide(self, number: int, decision: Decision) -> None:
        waiting = next((one for one in self.gate.waiting() if one.id == f"inv_{number}"), None)
        try:
            taken = self.gate.decide(f"inv_{number}", decision, "test")
        except UserFault:
            assert waiting in self.gate.waiting(), "what can't be taken leaves the call as it was"
            return
        assert not taken or waiting is not None, "only what waits can be decided"
        if taken and waiting is not None:
            assert decision.shown in ("", shown_hash(waiting.arguments))
            self.taken[waiting.id, waiting.state] += 1

    async def _run(self, number: int, arguments: str) -> Invocation:
        judged = await self.gate.judge(f"inv_{number}", arguments)
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


async def played(script: list[Action]) -> Stage:
    stage = Stage()
    for action in script:
        await stage.play(action)
    await stage.end()
    return stage


@settings(max_examples=300, deadline=None)
@given(st.lists(actions, max_size=30))
def test_nothing_runs_undecided_everything_ends_once_and_one_decision_wins(script: list[Action]) -> None:
    stage = asyncio.run(asyncio.wait_for(played(script), 20))
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
        if number == 0:
            assert not ran, "a rule that denies holds, whatever is decided, allowed or switched on beside it"
        answers = last.state == "Completed" or last.reason == "Timeout"
        assert (last.result is not None) == answers, "one result for each call that ended by itself, none for others"
        assert last.result is None or last.result.call_id == last.call_id
        if last.refused:
            assert not ran or last.state == "Cancelled", "what was refused did not run"
    assert all(count == 1 for count in stage.taken.values()), "one decision wins"
