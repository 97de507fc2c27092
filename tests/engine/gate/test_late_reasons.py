"""A denial is final at once; for a moment its reason may follow, and only the model's answer waits for that."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest
from tests.fakes.rules import RuleList

from callgate.core.calls.invocation import Decision, Invocation, Phase
from callgate.core.events import Event, InvocationChanged
from callgate.core.rules.audit import entry_of
from callgate.core.rules.policy import Rule
from callgate.engine.bus import Bus
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.gate_ports import GateConduct
from callgate.engine.gate.late_reasons import LateReasons

AT_ONCE = Decision("deny", reason_later=True)


class Watched:
    def __init__(self) -> None:
        self.told: list[InvocationChanged] = []
        self.rules = RuleList()
        bus = Bus()
        bus.subscribe(self._hear)
        self.now = 1000.0
        self.gate = Gate(bus, self.rules, GateConduct(), lambda *_: "", clock=lambda: self.now)

    def _hear(self, event: Event) -> None:
        if isinstance(event, InvocationChanged):
            self.told.append(event)

    @property
    def reasons(self) -> LateReasons:
        return self.gate.late_reasons

    async def wait(self, number: int = 1, client_until: float | None = None) -> "asyncio.Task[Invocation]":
        """A call that waits for a person."""
        call = Invocation(
            f"inv_{number}", f"e{number}", "c", 1, 0, f"call_{number}", "write_file", "gate", "built-in", "s", "m",
            client_until=client_until, phases=(Phase("Streaming", self.now),),
        )  # fmt: skip
        self.gate.open(call)
        judging = asyncio.ensure_future(self.gate.judge(call.id, "{}"))
        while call.id not in [waiting.id for waiting in self.gate.waiting()]:
            await asyncio.sleep(0)
        return judging


def run(scenario: Callable[[Watched], Coroutine[Any, Any, None]]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(scenario(Watched()), 5)

    asyncio.run(bounded())


def text_of(call: Invocation) -> str:
    return "" if call.result is None else call.result.text


def test_the_denial_is_final_before_its_reason_is_given() -> None:
    async def scenario(watched: Watched) -> None:
        judging = await watched.wait()
        assert watched.gate.decide("inv_1", AT_ONCE, "dialog")
        last = watched.told[-1]
        assert (last.invocation.state, last.invocation.reason, last.ends) == ("Completed", "Denied", True)
        entry = entry_of(last)
        assert entry is not None and (entry.stage, entry.reason) == ("call", "Denied")
        assert not watched.gate.decide("inv_1", Decision("approve"), "dialog"), "nothing brings it back"
        await asyncio.sleep(0)
        assert not judging.done(), "only the model's answer waits"
        assert watched.reasons.give("inv_1", "", "dialog")
        assert (await judging) == last.invocation

    run(scenario)


def test_a_reason_that_follows_is_told_to_the_model_and_kept() -> None:
    async def scenario(watched: Watched) -> None:
        judging = await watched.wait()
        watched.gate.decide("inv_1", AT_ONCE, "dialog")
        first = watched.told[-1].invocation
        watched.now += 3
        assert watched.reasons.give("inv_1", "  Wrong target ", "dialog")
        judged = await judging
        assert "Reason given: Wrong target." in text_of(judged)
        assert judged == replace(first, explanation="Wrong target", result=judged.result, reason_at=1003.0)
        told = watched.told[-1]
        assert (told.invocation, told.initiator, told.ends) == (judged, "dialog", False)
        entry = entry_of(told)
        assert entry is not None
        assert (entry.stage, entry.explanation, entry.decided_by) == ("reason", "Wrong target", "person")
        assert not watched.reasons.give("inv_1", "another", "dialog"), "one reason"

    run(scenario)


def test_the_countdown_sends_it_without_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callgate.engine.gate.late_reasons.REASON_SECONDS", 0.05)

    async def scenario(watched: Watched) -> None:
        judging = await watched.wait()
        watched.gate.decide("inv_1", AT_ONCE, "dialog")
        judged = await judging
        assert judged.explanation == "" and "Reason given" not in text_of(judged)
        assert watched.reasons.left("inv_1") is None

    run(scenario)


def test_the_countdown_stands_still_while_the_person_writes_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callgate.engine.gate.late_reasons.REASON_SECONDS", 0.1)
    monkeypatch.setattr("callgate.engine.gate.late_reasons.MOST_SECONDS", 0.4)

    async def scenario(watched: Watched) -> None:
        loop = asyncio.get_running_loop()
        judging = await watched.wait()
        began = loop.time()
        watched.gate.decide("inv_1", AT_ONCE, "dialog")
        watched.reasons.write("inv_1", True)
        left = watched.reasons.left("inv_1")
        assert left is not None and left <= 0.1
        await judging
        assert 0.35 < loop.time() - began < 2

        judging = await watched.wait(2)
        watched.gate.decide("inv_2", AT_ONCE, "dialog")
        began = loop.time()
        watched.reasons.write("inv_2", True)
        watched.reasons.write("inv_2", False)
        await judging
        assert loop.time() - began < 0.35, "what was written is gone again, and the countdown goes on"

    run(scenario)


def test_the_next_decision_sends_what_was_held() -> None:
    async def scenario(watched: Watched) -> None:
        first, second = await watched.wait(1), await watched.wait(2)
        watched.gate.decide("inv_1", AT_ONCE, "dialog")
        watched.gate.decide("inv_2", Decision("approve"), "dialog")
        assert (await first).reason == "Denied" and (await second).state == "Executing"

    run(scenario)


@pytest.mark.parametrize(
    "decision",
    [Decision("deny"), Decision("deny", reason="no", reason_later=True), Decision("skip", reason_later=True)],
)
def test_nothing_is_held_where_no_reason_can_follow(decision: Decision) -> None:
    async def scenario(watched: Watched) -> None:
        judging = await watched.wait()
        watched.gate.decide("inv_1", decision, "terminal")
        assert watched.reasons.left("inv_1") is None
        assert (await judging).state == "Completed"

    run(scenario)


def test_nothing_is_held_for_a_rule() -> None:
    async def scenario(watched: Watched) -> None:
        judging = await watched.wait()
        watched.rules.add(Rule("deny"), "session")
        assert (await judging).decided_by == "rule"
        assert watched.reasons.left("inv_1") is None

    run(scenario)


def test_a_client_that_is_about_to_give_up_is_answered_at_once() -> None:
    async def scenario(watched: Watched) -> None:
        judging = await watched.wait(client_until=1009.0)
        watched.gate.decide("inv_1", AT_ONCE, "dialog")
        assert watched.reasons.left("inv_1") is None
        assert (await judging).reason == "Denied"

    run(scenario)


def test_nothing_is_held_for_a_client_that_has_gone() -> None:
    async def scenario(watched: Watched) -> None:
        gone, held = await watched.wait(1), await watched.wait(2)
        watched.gate.client_left("e1")
        watched.gate.decide("inv_1", AT_ONCE, "dialog")
        assert (await gone).reason == "Denied"
        watched.gate.decide("inv_2", AT_ONCE, "dialog")
        watched.gate.client_left("e2")
        assert (await held).reason == "Denied", "one that leaves meanwhile gets it when it asks again"

        back = await watched.wait(3)
        watched.gate.client_left("e3")
        watched.gate.client_came_back("e3", None)
        watched.gate.decide("inv_3", AT_ONCE, "dialog")
        assert watched.reasons.left("inv_3") is not None
        watched.reasons.end_all()
        await back

    run(scenario)


def test_a_stop_ends_it_and_leaves_the_denial_as_it_is() -> None:
    async def scenario(watched: Watched) -> None:
        judging = await watched.wait()
        watched.gate.decide("inv_1", AT_ONCE, "dialog")
        await asyncio.sleep(0)
        judging.cancel()
        watched.gate.cancel("inv_1", "person", "stopped")
        with pytest.raises(asyncio.CancelledError):
            await judging
        assert watched.reasons.left("inv_1") is None
        assert not watched.reasons.give("inv_1", "too late", "dialog")
        last = watched.told[-1].invocation
        assert (last.state, last.reason, last.explanation) == ("Completed", "Denied", "")

    run(scenario)
