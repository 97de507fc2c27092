import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import pytest
from tests.fakes.rules import RuleList

from callgate.core.calls.invocation import Decision
from callgate.core.events import Event, ExchangeEnded, ExchangeStarted, InvocationChanged
from callgate.core.messages import Json, Text
from callgate.core.rules.policy import Rule
from callgate.core.tool import Annotations, Outcome, Tool
from callgate.engine.bus import Bus
from callgate.engine.exchange.call_run import CallDeps
from callgate.engine.exchange.direct_call import SESSION_SECONDS, Caller, DirectCalls
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.gate_ports import GateConduct
from callgate.engine.gate.invoker import Invoker
from callgate.engine.tasks import Tasks
from callgate.tools.catalog import Catalog, UnknownTool
from callgate.tools.source import CallContext

ANNE = Caller("anne", "s1")


class OneTool:
    """A source with one tool that reports, and waits as long as it is told to."""

    name = "src"

    def __init__(self) -> None:
        self.annotations = Annotations()
        self.may_end = asyncio.Event()
        self.may_end.set()
        self.ran: list[Mapping[str, Json]] = []

    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool("greet", "src", schema={"type": "object", "required": ["who"]}, annotations=self.annotations),
            Tool("hidden", "src", private=True),
        )

    def on_change(self, listener: Callable[[], None]) -> None: ...

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        self.ran.append(arguments)
        context.report("half", 1.0, 2.0)
        await self.may_end.wait()
        return Outcome((Text(f"hello {arguments['who']}"),))


class Bench:
    def __init__(
        self,
        *rules: Rule,
        conduct: GateConduct = GateConduct(),  # noqa: B008
        annotations: Annotations = Annotations(),  # noqa: B008
    ) -> None:
        self.now = 1000.0
        self.events: list[Event] = []
        self.reports: list[tuple[str, float | None, float | None]] = []
        bus = Bus()
        bus.subscribe(self.events.append)
        self.source = OneTool()
        self.source.annotations = annotations
        catalog = self.catalog = Catalog([self.source])
        invoker = Invoker(catalog, bus, 60, lambda: self.now)
        self.rules = RuleList(*rules)
        self.gate = Gate(bus, self.rules, conduct, invoker.problem_with, lambda: self.now)
        self.tasks = Tasks(bus)
        self.calls = DirectCalls(CallDeps(bus, self.gate, invoker, self.tasks, lambda: self.now), catalog)

    async def call(self, name: str = "greet", caller: Caller = ANNE, **arguments: Json) -> Outcome:
        return await self.calls.call(name, arguments, caller, lambda *report: self.reports.append(report))

    def states(self) -> list[str]:
        return [event.invocation.state for event in self.events if isinstance(event, InvocationChanged)]

    async def waiting(self) -> str:
        while not self.gate.waiting():
            await asyncio.sleep(0)
        return self.gate.waiting()[0].id


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5))


def test_an_allowed_call_runs_and_its_progress_is_passed_on() -> None:
    async def scenario() -> None:
        bench = Bench(Rule("allow"))
        outcome = await bench.call(who="Ada")
        assert outcome == Outcome((Text("hello Ada"),))
        assert bench.reports == [("half", 1.0, 2.0)]
        assert bench.states()[-2:] == ["Executing", "Completed"]
        assert len(bench.calls) == 0

    run(scenario())


def test_a_denied_call_does_not_run_and_says_why() -> None:
    async def scenario() -> None:
        bench = Bench(Rule("deny", note="not today"))
        outcome = await bench.call(who="Ada")
        assert outcome.is_error
        assert "not today" in str(outcome.parts)
        assert bench.source.ran == []

    run(scenario())


def test_a_call_waits_for_the_person_and_runs_with_the_edited_arguments() -> None:
    async def scenario() -> None:
        bench = Bench()
        call = asyncio.ensure_future(bench.call(who="Ada"))
        bench.gate.decide(await bench.waiting(), Decision("approve", arguments='{"who": "Bob"}'), "test")
        assert (await call).parts == (Text("hello Bob"),)
        assert bench.reports[0] == ("waiting for a decision in Callgate", None, None)

    run(scenario())


def test_nobody_deciding_in_time_is_an_error_that_says_so() -> None:
    async def scenario() -> None:
        bench = Bench(conduct=GateConduct(deadline_seconds=0.01))
        outcome = await bench.call(who="Ada")
        assert outcome.is_error
        assert "nobody approved it" in str(outcome.parts)

    run(scenario())


def test_arguments_that_do_not_fit_never_reach_the_person() -> None:
    async def scenario() -> None:
        outcome = await Bench().call()
        assert outcome.is_error
        assert "do not fit its schema" in str(outcome.parts)

    run(scenario())


@pytest.mark.parametrize("name", ["nothing", "hidden"])
def test_a_tool_that_is_not_offered_is_unknown(name: str) -> None:
    async def scenario() -> None:
        with pytest.raises(UnknownTool):
            await Bench(Rule("allow")).call(name)

    run(scenario())


def test_a_withdrawn_call_leaves_nothing_waiting() -> None:
    async def scenario() -> None:
        bench = Bench()
        call = asyncio.ensure_future(bench.call(who="Ada"))
        await bench.waiting()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert bench.gate.waiting() == ()
        assert bench.states()[-1] == "Cancelled"
        assert [event.outcome for event in bench.events if isinstance(event, ExchangeEnded)] == ["cancelled"]
        await bench.tasks.close()

    run(scenario())


def test_a_call_that_the_person_stops_is_answered_and_not_left_hanging() -> None:
    async def scenario() -> None:
        bench = Bench(Rule("allow"))
        bench.source.may_end.clear()
        call = asyncio.ensure_future(bench.call(who="Ada"))
        while not bench.reports:
            await asyncio.sleep(0)
        conversation = next(event.conversation_id for event in bench.events if isinstance(event, ExchangeStarted))
        bench.calls.stop_conversation(conversation, "person", "stopped by the person")
        outcome = await call
        assert outcome.is_error
        assert "stopped by the person" in str(outcome.parts)
        assert bench.states()[-1] == "Cancelled"

    run(scenario())


def test_calls_of_one_session_share_a_conversation_until_it_has_been_quiet_for_long() -> None:
    async def scenario() -> None:
        bench = Bench(Rule("allow"))
        await bench.call(who="1")
        await bench.call(who="2")
        await bench.call(who="3", caller=Caller("anne", "s2"))
        bench.now += SESSION_SECONDS + 1
        await bench.call(who="4")
        started = [event for event in bench.events if isinstance(event, ExchangeStarted)]
        first, second, other, later = (event.conversation_id for event in started)
        assert first == second
        assert len({first, other, later}) == 3
        assert started[1].parent_id == started[0].exchange_id
        assert {(event.wire, event.agent) for event in started} == {("mcp", "anne")}

    run(scenario())


def test_calls_of_a_claimed_name_do_not_join_the_conversation_of_the_proven_one() -> None:
    claimed, proven = Caller("anne", "s1"), Caller("anne", "s1", proven=True)
    assert claimed.thread != proven.thread
    assert Caller("bob", "s1").thread != claimed.thread, "a session is an agent's own"


def test_a_call_that_was_on_its_way_when_its_token_was_revoked_does_not_run() -> None:
    async def scenario() -> None:
        bench = Bench(Rule("allow"))
        bench.calls.stop_token("token_1", "person", "revoked")
        late = await bench.call(caller=Caller("anne", "s1", True, "token_1"), who="x")
        assert late.is_error and bench.source.ran == []
        other = await bench.call(caller=Caller("anne", "s1", True, "token_2"), who="x")
        assert not other.is_error and len(bench.source.ran) == 1

    run(scenario())
