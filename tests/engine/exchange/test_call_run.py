import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.rules import RuleList

from callgate.core.calls.invocation import Decision, Invocation, Phase, Scope, shown_hash
from callgate.core.errors import Fault, PeerFault
from callgate.core.events import Event, InvocationChanged
from callgate.core.messages import Json, Message, Text
from callgate.core.rules.policy import Rule
from callgate.core.tool import Annotations, Outcome, Tool
from callgate.engine.bus import Bus
from callgate.engine.exchange.call_run import CallDeps, CallRun
from callgate.engine.gate import invoker as invoker_module
from callgate.engine.gate.call_bindings import ToolBindings
from callgate.engine.gate.gate import MOST_VOIDED, Gate
from callgate.engine.gate.gate_ports import GateConduct
from callgate.engine.gate.invoker import Invoker
from callgate.engine.offer.client_tools import ClientTools
from callgate.engine.tasks import Tasks
from callgate.store.rulebook import Rulebook
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
        self.machinery = CallDeps(bus, self.gate, self.invoker, Tasks(bus), committed=self.commit)
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


class Moving(Noted):
    """A source whose tool becomes another with every call of `move`, and that can fail."""

    def __init__(self, course: list[str]) -> None:
        super().__init__(course)
        self.version = 0
        self.fails = False
        self.listeners: list[Callable[[], None]] = []

    def tools(self) -> tuple[Tool, ...]:
        return (Tool("greet", "src", f"version {self.version}", annotations=Annotations(idempotent=True)),)

    def on_change(self, listener: Callable[[], None]) -> None:
        self.listeners.append(listener)

    def move(self) -> None:
        self.version += 1
        for listener in self.listeners:
            listener()

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        self.course.append(f"ran {self.version}")
        if self.fails:
            self.move()
            raise PeerFault(Fault("upstream", "the server went away"))
        return Outcome((Text("hello"),))


class MovingBench:
    def __init__(self, *rules: Rule, committed: Callable[[], Awaitable[None]]) -> None:
        self.course: list[str] = []
        self.calls: dict[str, Invocation] = {}
        bus = Bus()
        bus.subscribe(self.hear)
        self.source = Moving(self.course)
        self.catalog = Catalog([self.source])
        invoker = Invoker(self.catalog, bus, 60)
        bindings = ToolBindings(invoker.bound, ClientTools())
        self.gate = Gate(bus, RuleList(*rules), GateConduct(), invoker.problem_with, bindings=bindings)
        self.catalog.on_change(self.gate.tools_changed)
        self.run = CallRun(CallDeps(bus, self.gate, invoker, Tasks(bus), committed=committed), in_order=True)

    def hear(self, event: Event) -> None:
        if isinstance(event, InvocationChanged):
            self.calls[event.invocation.id] = event.invocation

    def open(self, number: int = 1) -> "asyncio.Task[Invocation]":
        call = Invocation(
            f"inv_{number}", "e", "c", 1, 0, f"call_{number}", "greet", "gate", "src", "anne", "m",
            phases=(Phase("Streaming", 0.0),),
        )  # fmt: skip
        self.gate.open(call, self.catalog.get("greet"))
        return asyncio.ensure_future(self.run.judge_and_run(call.id, "{}"))


async def nothing() -> None: ...


def test_a_call_that_waits_its_turn_is_compared_when_the_turn_comes() -> None:
    async def scenario() -> None:
        first_may_go = asyncio.Event()

        async def committed() -> None:
            await first_may_go.wait()

        bench = MovingBench(committed=committed)
        tasks = [bench.open(1), bench.open(2)]
        while len(bench.gate.waiting()) < 2:
            await asyncio.sleep(0)
        for call in bench.gate.waiting():
            assert bench.gate.decide(call.id, Decision("approve", shown=shown_hash(call)), "test")
        await asyncio.sleep(0)
        bench.source.move()
        first_may_go.set()
        while len(bench.gate.waiting()) < 2:
            await asyncio.sleep(0)
        assert bench.course == []
        assert [call.voided[0].by for call in bench.gate.waiting()] == ["person", "person"]
        for call in bench.gate.waiting():
            assert bench.gate.decide(call.id, Decision("approve", shown=shown_hash(call)), "test")
        assert {(await task).state for task in tasks} == {"Completed"}
        assert bench.course == ["ran 1", "ran 1"]

    run(scenario())


def test_a_tool_that_changes_each_time_that_it_is_about_to_run_is_refused_in_the_end() -> None:
    async def scenario() -> None:
        async def committed() -> None:
            bench.source.move()

        bench = MovingBench(Rule("allow"), committed=committed)
        ended = await bench.open()
        assert bench.course == []
        assert (ended.reason, len(ended.voided)) == ("Denied", MOST_VOIDED + 1)
        assert ended.result is not None and "it changed each time" in ended.result.text

    run(scenario())


def test_a_failed_call_is_not_tried_again_on_a_tool_that_has_changed_since(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invoker_module, "RETRY_SECONDS", 0.0)

    async def scenario() -> None:
        bench = MovingBench(Rule("allow"), committed=nothing)
        bench.source.fails = True
        ended = await bench.open()
        assert bench.course == ["ran 0"]
        assert ended.voided == () and ended.result is not None
        assert "went away; it was not tried again, as the tool has changed since" in ended.result.text

    run(scenario())


def test_a_definition_that_changed_since_the_model_was_offered_it_is_judged_and_shown_as_it_is_now() -> None:
    async def scenario() -> None:
        bench = MovingBench(committed=nothing)
        offered = bench.catalog.get("greet")
        assert offered is not None
        call = Invocation(
            "inv_1", "e", "c", 1, 0, "call_1", "greet", "gate", "src", "anne", "m",
            fingerprint=offered.fingerprint, phases=(Phase("Streaming", 0.0),),
        )  # fmt: skip
        bench.gate.open(call, offered)
        bench.source.move()
        task = asyncio.ensure_future(bench.run.judge_and_run("inv_1", "{}"))
        while not bench.gate.waiting():
            await asyncio.sleep(0)
        (waiting,) = bench.gate.waiting()
        assert waiting.fingerprint != offered.fingerprint
        assert waiting.change is not None and waiting.change.since == "offered"
        assert [one.after for one in waiting.change.definition] == ["version 1"]
        task.cancel()

    run(scenario())


class OrderBench:
    """Three calls of one round that wait; the first to run stays in its tool until the test lets it go."""

    def __init__(self, folder: Path) -> None:
        self.course: list[str] = []
        self.first_may_end = asyncio.Event()
        bus = Bus()
        self.calls: dict[str, Invocation] = {}
        bus.subscribe(self.hear)
        self.catalog = Catalog([Slow(self.course, self.first_may_end)])
        invoker = Invoker(self.catalog, bus, 60)
        self.book = Rulebook(folder / "rules.toml")
        self.gate = Gate(bus, self.book, GateConduct(), invoker.problem_with)
        self.run = CallRun(CallDeps(bus, self.gate, invoker, Tasks(bus)), in_order=True)
        self.turn = self.gate.enter_turn("c", "e", (Message("user", (Text("go"),)),))

    def hear(self, event: Event) -> None:
        if isinstance(event, InvocationChanged):
            self.calls[event.invocation.id] = event.invocation

    async def begin(self) -> "list[asyncio.Task[Invocation]]":
        tasks: list[asyncio.Task[Invocation]] = []
        for number in (1, 2, 3):
            call = Invocation(
                f"inv_{number}", "e", "c", 1, number, f"call_{number}", "greet", "gate", "src", "anne", "m",
                phases=(Phase("Streaming", 0.0),), turn=self.turn,
            )  # fmt: skip
            self.gate.open(call)
            tasks.append(asyncio.ensure_future(self.run.judge_and_run(call.id, f'{{"n":{number}}}')))
        while len(self.gate.waiting()) < 3:
            await asyncio.sleep(0)
        return tasks

    async def grant(self, scope: Scope) -> Rule:
        """Approves the first with a rule that covers the others, and waits until the first runs."""
        one = self.gate.waiting()[0]
        assert self.gate.decide(one.id, Decision("approve", scope=scope, shown=shown_hash(one)), "test")
        while not self.course:
            await asyncio.sleep(0)
        assert [self.calls[f"inv_{number}"].state for number in (1, 2, 3)] == ["Executing"] * 3
        return self.book.rules()[0]

    async def waits_again(self, count: int) -> None:
        while len(self.gate.waiting()) < count:
            await asyncio.sleep(0)


class Slow(Noted):
    def __init__(self, course: list[str], may_end: asyncio.Event) -> None:
        super().__init__(course)
        self.may_end = may_end

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        self.course.append(str(arguments["n"]))
        await self.may_end.wait()
        return Outcome((Text("hello"),))


def test_calls_that_wait_for_their_order_are_returned_at_once_when_their_rule_is_removed(tmp_path: Path) -> None:
    async def scenario() -> None:
        bench = OrderBench(tmp_path)
        tasks = await bench.begin()
        rule = await bench.grant("session")
        assert {call.id for call in bench.gate.unstarted.resting_on(rule.id)} == {"inv_2", "inv_3"}
        bench.book.remove(rule.id)
        await bench.waits_again(2)
        assert bench.calls["inv_1"].state == "Executing", "what has started goes on"
        assert [one.change.since for one in bench.gate.waiting() if one.change] == ["withdrawn", "withdrawn"]
        assert [one.voided[0].by for one in bench.gate.waiting()] == ["rule", "rule"]
        second, third = bench.gate.waiting()
        assert bench.gate.decide(third.id, Decision("deny"), "test")
        assert bench.gate.decide(second.id, Decision("approve", shown=shown_hash(second)), "test")
        assert bench.course == ["1"]
        bench.first_may_end.set()
        assert [(await task).reason for task in tasks] == ["UserAction", "UserAction", "Denied"]
        assert bench.course == ["1", "2"]

    run(scenario())


def test_a_turn_that_ends_takes_back_what_it_allowed_and_has_not_started(tmp_path: Path) -> None:
    async def scenario() -> None:
        bench = OrderBench(tmp_path)
        tasks = await bench.begin()
        await bench.grant("turn")
        bench.gate.enter_turn("c", "e2", (Message("user", (Text("stop that"),)),))
        await bench.waits_again(2)
        bench.first_may_end.set()
        assert (await tasks[0]).state == "Completed"
        assert bench.course == ["1"]
        for task in tasks:
            task.cancel()

    run(scenario())


def test_a_rule_removed_while_its_call_waits_for_the_journal_lets_nothing_start(tmp_path: Path) -> None:
    async def scenario() -> None:
        bench = OrderBench(tmp_path)
        rule = bench.book.add(Rule("allow", "greet"), "session")

        async def committed() -> None:
            bench.book.remove(rule.id)

        bench.run._parts.committed = committed
        tasks = [asyncio.ensure_future(run_one(bench))]
        await bench.waits_again(1)
        assert bench.course == []
        tasks[0].cancel()

    async def run_one(bench: OrderBench) -> Invocation:
        bench.gate.open(
            Invocation(
                "inv_9", "e", "c", 1, 0, "call_9", "greet", "gate", "src", "anne", "m",
                phases=(Phase("Streaming", 0.0),),
            )
        )  # fmt: skip
        return await bench.run.judge_and_run("inv_9", '{"n":9}')

    run(scenario())


def test_a_call_that_another_rule_allows_too_goes_on_when_one_is_taken_back(tmp_path: Path) -> None:
    async def scenario() -> None:
        bench = OrderBench(tmp_path)
        tasks = await bench.begin()
        rule = await bench.grant("session")
        bench.book.add(Rule("allow", "greet", when="args.n=2"), "session")
        bench.book.remove(rule.id)
        await bench.waits_again(1)
        assert [one.id for one in bench.gate.waiting()] == ["inv_3"]
        bench.first_may_end.set()
        assert (await tasks[1]).state == "Completed"
        tasks[2].cancel()

    run(scenario())


def test_a_call_may_be_returned_more_often_than_its_tool_may_change(tmp_path: Path) -> None:
    async def scenario() -> None:
        bench = OrderBench(tmp_path)
        tasks = await bench.begin()
        await bench.grant("session")
        for rule in bench.book.rules():
            bench.book.remove(rule.id)
        for _ in range(MOST_VOIDED + 1):
            await bench.waits_again(2)
            rule = bench.book.add(Rule("allow", "greet"), "session")
            assert not bench.gate.waiting()
            while len(bench.gate.unstarted.resting_on(rule.id)) < 2:
                await asyncio.sleep(0)
            bench.book.remove(rule.id)
        await bench.waits_again(2)
        bench.first_may_end.set()
        for task in tasks:
            task.cancel()

    run(scenario())
