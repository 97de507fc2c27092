"""How long a call waits for a person, on a loop whose clock is moved by the test: no second is really waited."""

import asyncio
import selectors
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.depth import examples
from tests.fakes.rules import RuleList

from callgate.core.calls.invocation import Decision, Invocation, Phase
from callgate.core.events import Event, InvocationChanged
from callgate.core.messages import Text, ToolResult
from callgate.core.rules.policy import Rule
from callgate.engine.bus import Bus
from callgate.engine.gate.call_deadline import ANSWER_SECONDS, GRACE_SECONDS, MOST_DEADLINES, ends
from callgate.engine.gate.gate import NEVER_SHOWN, Gate
from callgate.engine.gate.gate_ports import GateConduct

T = TypeVar("T")
EPOCH = 1_000_000.0
WEEK = 7 * 24 * 3600.0


class _Jumping(selectors.DefaultSelector):  # type: ignore[misc, valid-type]  # a class chosen by the platform
    """Where a loop would sleep, its clock is moved on instead."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        found = super().select(0)
        if not found and timeout is not None:
            self.now += max(0.0, timeout)
        return found


class FakeTimeLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.jumping = _Jumping()
        super().__init__(self.jumping)

    def time(self) -> float:
        return self.jumping.now


def run(scenario: Coroutine[Any, Any, T]) -> T:
    """Ends by itself: a scenario that waits for ever is cut off after a week of fake time."""
    loop = FakeTimeLoop()
    try:
        return loop.run_until_complete(asyncio.wait_for(scenario, WEEK))
    finally:
        loop.close()


class Held:
    """One call at a gate with a person, and everything that is told of it."""

    def __init__(self, deadline: float = 300.0, client: float | None = None, *, attended: bool = True) -> None:
        self.loop = asyncio.get_running_loop()
        self.told: list[tuple[float, Invocation]] = []
        self.rules = RuleList()
        self.skew = 0.0
        bus = Bus()
        bus.subscribe(self._hear)
        conduct = GateConduct(deadline_seconds=deadline, attended=attended)
        self.gate = Gate(bus, self.rules, conduct, lambda invocation, arguments: "", self.clock)
        until = None if client is None else self.clock() + client
        self.gate.open(
            Invocation(
                "inv", "e", "c", 1, 0, "call", "run", "gate", "built-in", "script", "m", client_until=until,
                phases=(Phase("Streaming", self.clock()),),
            )
        )  # fmt: skip

    def clock(self) -> float:
        return EPOCH + self.loop.time() + self.skew

    def _hear(self, event: Event) -> None:
        if isinstance(event, InvocationChanged):
            self.told.append((self.loop.time(), event.invocation))

    @property
    def call(self) -> Invocation:
        return self.told[-1][1]

    def see_at(self, *seconds: float) -> None:
        for one in seconds:
            self.loop.call_at(one, self.gate.seen, "inv")

    async def ended(self) -> float:
        """Judges it to its end; when that came."""
        await self.gate.judge("inv", "{}")
        return self.loop.time()


# ---- what a person who is late gets --------------------------------------------------------------------------------


def test_a_call_that_is_seen_in_time_ends_at_its_deadline() -> None:
    async def scenario() -> None:
        held = Held()
        held.see_at(10)
        assert await held.ended() == pytest.approx(300)
        assert held.call.explanation == "nobody decided in time" and held.call.seen_at == EPOCH + 10

    run(scenario())


def test_a_call_that_was_not_shown_outlives_its_deadline() -> None:
    async def scenario() -> None:
        held = Held()
        held.see_at(1000)
        assert await held.ended() == pytest.approx(1030)
        assert held.call.decided_by == "deadline" and held.call.seen_at == EPOCH + 1000
        assert held.call.result is not None and "within 1030 seconds" in held.call.result.text

    run(scenario())


def test_a_call_that_is_shown_shortly_before_its_deadline_waits_on() -> None:
    async def scenario() -> None:
        held = Held()
        held.see_at(295)
        assert await held.ended() == pytest.approx(325)

    run(scenario())


def test_a_call_that_is_never_shown_ends_all_the_same_and_says_why() -> None:
    async def scenario() -> None:
        held = Held()
        assert await held.ended() == pytest.approx(1200)
        assert held.call.explanation == NEVER_SHOWN and held.call.seen_at is None
        assert (held.call.state, held.call.reason) == ("Cancelled", "Timeout")

    run(scenario())


def test_its_client_gets_the_denial_before_it_gives_up() -> None:
    async def scenario() -> None:
        held = Held(client=600)
        assert await held.ended() == pytest.approx(600 - ANSWER_SECONDS)

    run(scenario())


def test_a_client_that_gives_up_before_the_deadline_changes_nothing() -> None:
    async def scenario() -> None:
        assert await Held(client=120).ended() == pytest.approx(300)

    run(scenario())


def test_a_client_that_asks_again_is_waited_for_with_its_new_patience() -> None:
    async def scenario() -> None:
        held = Held(client=400)
        held.loop.call_at(350, held.gate.client_came_back, "e", EPOCH + 950)
        assert await held.ended() == pytest.approx(950 - ANSWER_SECONDS)

    run(scenario())


def test_with_a_short_deadline_what_is_shown_late_waits_as_long_again() -> None:
    async def scenario() -> None:
        held = Held(deadline=10)
        held.see_at(25)
        assert await held.ended() == pytest.approx(35)

    run(scenario())


def test_where_there_is_no_person_the_deadline_is_the_end() -> None:
    async def scenario() -> None:
        held = Held(attended=False)
        assert await held.ended() == pytest.approx(300)
        assert held.call.explanation == "nobody decided in time"

    run(scenario())


def test_being_seen_again_and_again_buys_no_time() -> None:
    async def scenario() -> None:
        held = Held()
        held.see_at(*(float(second) for second in range(290, 2000, 10)))
        assert await held.ended() == pytest.approx(320)

    run(scenario())


def test_a_clock_that_is_moved_neither_ends_the_wait_nor_prolongs_it() -> None:
    async def scenario(skew: float) -> None:
        held = Held()
        held.see_at(500)
        held.loop.call_at(100, setattr, held, "skew", skew)
        assert await held.ended() == pytest.approx(530)

    for skew in (-1e6, 1e6):
        run(scenario(skew))


def test_the_result_of_a_call_waits_for_its_person_too() -> None:
    async def scenario() -> None:
        held = Held()
        judging = asyncio.ensure_future(held.gate.judge("inv", "{}"))
        held.loop.call_at(5, held.gate.seen, "inv")
        held.loop.call_at(6, held.gate.decide, "inv", Decision("approve"), "test")
        await judging
        held.rules.add(Rule("allow", review=True), "session")
        await held.gate.ran("inv", ToolResult("call", (Text("secret"),)))
        assert held.call.state == "Cancelled" and held.call.seen_at is None, "seen was the call, not its result"
        assert held.loop.time() == pytest.approx(6 + 1200)
        assert held.call.result is not None and "secret" not in held.call.result.text

    run(scenario())


# ---- what is told of it --------------------------------------------------------------------------------------------


def test_the_deadline_that_is_told_is_the_one_that_holds() -> None:
    async def scenario() -> None:
        held = Held()
        held.see_at(1000)
        end = await held.ended()
        told = {round(at): (call.deadline, call.deferred) for at, call in held.told if call.is_waiting}
        assert told == {0: (EPOCH + 300, False), 300: (EPOCH + 1200, True), 1000: (EPOCH + end, True)}

    run(scenario())


def test_seeing_it_decides_nothing_and_is_told_once() -> None:
    async def scenario() -> None:
        held = Held()
        held.see_at(1, 2, 3)
        judging = asyncio.ensure_future(held.gate.judge("inv", "{}"))
        await asyncio.sleep(50)
        waiting = [call for _, call in held.told if call.is_waiting]
        assert [call.seen_at for call in waiting] == [None, EPOCH + 1] and not waiting[-1].deferred
        assert held.gate.decide("inv", Decision("deny"), "test")
        held.gate.seen("inv")
        assert (await judging).reason == "Denied"

    run(scenario())


# ---- whatever happens ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Story:
    deadline: float
    client: float | None
    seen: float | None


_STORIES = st.builds(
    Story,
    st.floats(0.0, 3000.0),
    st.none() | st.floats(0.0, 20_000.0),
    st.none() | st.floats(0.0, 20_000.0),
)


@settings(max_examples=examples(300), deadline=None)
@given(_STORIES)
def test_it_always_ends_and_is_never_denied_unseen_before_the_bound(story: Story) -> None:
    async def scenario() -> tuple[float, Held]:
        held = Held(story.deadline, story.client)
        if story.seen is not None:
            held.see_at(story.seen)
        return await held.ended(), held

    end, held = run(scenario())
    last = max(
        story.deadline,
        min(
            MOST_DEADLINES * story.deadline,
            float("inf") if story.client is None else story.client - ANSWER_SECONDS,
        ),
    )
    slack = 0.06
    assert story.deadline - slack <= end <= last + slack
    if held.call.seen_at is None:
        assert end >= last - slack, "denied before it could be seen"
    else:
        seen = held.call.seen_at - EPOCH
        grace = min(GRACE_SECONDS, story.deadline)
        assert end >= min(seen + grace, last) - slack, "a person had too little time"


@given(st.floats(0, 1e6), st.floats(0, 1e5), st.none() | st.floats(0, 1e6), st.none() | st.floats(0, 1e7))
def test_the_end_lies_between_one_deadline_and_four(
    asked: float, seconds: float, seen: float | None, patience: float | None
) -> None:
    end = ends(asked, seconds, None if seen is None else asked + seen, patience)
    assert asked + seconds <= end <= asked + MOST_DEADLINES * seconds
