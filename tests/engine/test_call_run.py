import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from tests.fakes.rules import RuleList

from callgate.core.events import InvocationChanged
from callgate.core.invocation import Invocation, Phase
from callgate.core.messages import Json, Text
from callgate.core.policy import Rule
from callgate.core.tool import Outcome, Tool
from callgate.engine.bus import Bus
from callgate.engine.call_run import CallRun, Machinery
from callgate.engine.gate import Gate
from callgate.engine.gate_ports import GateConduct
from callgate.engine.invoker import Invoker
from callgate.engine.tasks import Tasks
from callgate.tools.catalog import Catalog
from callgate.tools.source import CallContext


class Noted:
    """A source that notes when its tool runs."""

    name = "src"

    def __init__(self, course: list[str]) -> None:
        self.course = course

    def tools(self) -> tuple[Tool, ...]:
        return (Tool("greet", "src"),)

    def on_change(self, listener: Callable[[], None]) -> None: ...

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        self.course.append("ran")
        return Outcome((Text("hello"),))


class Bench:
    def __init__(self, *rules: Rule) -> None:
        self.course: list[str] = []
        bus = Bus()
        bus.subscribe(
            lambda event: self.course.append(event.invocation.state) if isinstance(event, InvocationChanged) else None
        )
        self.invoker = Invoker(Catalog([Noted(self.course)]), bus, 60)
        self.gate = Gate(bus, RuleList(*rules), GateConduct(), self.invoker.problem_with)
        self.machinery = Machinery(bus, self.gate, self.invoker, Tasks(bus), committed=self.commit)
        self.gate.open(
            Invocation(
                "inv", "e", "c", 1, 0, "call", "greet", "gate", "src", "anne", "m", phases=(Phase("Streaming", 0.0),)
            )
        )

    async def commit(self) -> None:
        await asyncio.sleep(0)
        self.course.append("committed")


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5))


def test_what_led_to_a_call_is_committed_before_it_runs() -> None:
    async def scenario() -> None:
        for in_order in (True, False):
            bench = Bench(Rule("allow"))
            ended = await CallRun(bench.machinery, in_order=in_order).judge_and_run("inv", "{}")
            assert ended.state == "Completed"
            assert bench.course == ["Streaming", "Streaming", "Executing", "committed", "ran", "Completed"]

    run(scenario())


def test_a_call_that_does_not_run_waits_for_no_commit() -> None:
    async def scenario() -> None:
        bench = Bench(Rule("deny"))
        ended = await CallRun(bench.machinery, in_order=True).judge_and_run("inv", "{}")
        assert ended.reason == "Denied"
        assert "committed" not in bench.course

    run(scenario())
