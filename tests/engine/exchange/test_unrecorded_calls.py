"""Calls while the journal cannot be written: what was found out too late is void, and only a person goes past it."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import pytest
from tests.fakes.rules import RuleList

from callgate.core.calls.invocation import Decision, Invocation, Phase
from callgate.core.errors import NotRecorded, PeerFault, UserFault
from callgate.core.events import Event, InvocationChanged
from callgate.core.messages import Json, Text
from callgate.core.rules.policy import Rule
from callgate.core.tool import Annotations, Outcome, Owner, Tool
from callgate.engine.bus import Bus
from callgate.engine.exchange.call_run import CallDeps, CallRun
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.gate_ports import GateConduct
from callgate.engine.gate.invoker import Invoker
from callgate.engine.tasks import Tasks
from callgate.tools.catalog import Catalog
from callgate.tools.source import CallContext

NOTHING_SAID, ASKING = Annotations(), GateConduct()
ALLOW = Rule("allow", at_deadline="allow")


class Source:
    def __init__(self, name: str, ran: list[str], annotations: Annotations) -> None:
        self.name = name
        self._ran = ran
        self._tool = Tool("act", name, annotations=annotations)

    def tools(self) -> tuple[Tool, ...]:
        return (self._tool,)

    def on_change(self, listener: Callable[[], None]) -> None: ...

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        self._ran.append(tool.name)
        return Outcome((Text("done"),))


class Bench:
    """A gate and a journal of which it can be said when it fails, and when that is found out."""

    def __init__(
        self,
        *rules: Rule,
        owner: Owner = "gate",
        source: str = "src",
        annotations: Annotations = NOTHING_SAID,
        conduct: GateConduct = ASKING,
    ) -> None:
        self.ran: list[str] = []
        self.fails = False
        self.known = False
        self.heard: list[Invocation] = []
        bus = Bus()
        bus.subscribe(self._hear)
        self.invoker = Invoker(Catalog([Source(source, self.ran, annotations)]), bus, 60)
        self.gate = Gate(
            bus,
            RuleList(*rules),
            conduct,
            self.invoker.problem_with,
            unrecorded=lambda call: self.known and not (call and self.invoker.only_reads(call)),
        )
        self.run = CallRun(CallDeps(bus, self.gate, self.invoker, Tasks(bus), committed=self._commit), in_order=True)
        self.gate.open(
            Invocation(
                "inv", "e", "c", 1, 0, "call", "act", owner, source, "anne", "m", phases=(Phase("Streaming", 0),)
            )
        )

    def break_down(self, *, known: bool = True) -> None:
        self.fails, self.known = True, known
        self.gate.recording_changed()

    def work_again(self) -> None:
        self.fails = self.known = False
        self.gate.recording_changed()

    def judge(self) -> "asyncio.Task[Invocation]":
        return asyncio.ensure_future(self.run.judge_and_run("inv", "{}"))

    async def waiting(self) -> Invocation:
        while not self.gate.waiting():
            await asyncio.sleep(0)
        return self.gate.waiting()[0]

    async def _commit(self) -> None:
        await asyncio.sleep(0)
        if self.fails:
            self.known = True
            raise NotRecorded("disk full")

    def _hear(self, event: Event) -> None:
        if isinstance(event, InvocationChanged):
            self.heard.append(event.invocation)


def play(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5))


@pytest.mark.parametrize("known", [True, False])
def test_what_a_rule_allows_asks_and_a_person_may_let_it_run_once(known: bool) -> None:
    async def scenario() -> None:
        bench = Bench(ALLOW)
        bench.break_down(known=known)
        running = bench.judge()
        waiting = await bench.waiting()
        assert bench.ran == []
        assert waiting.verdict is not None and waiting.verdict.unrecorded and "journal" in waiting.verdict.reason
        with pytest.raises(UserFault, match="only be approved once"):
            bench.gate.decide("inv", Decision("approve", scope="always"), "card")
        assert bench.gate.decide("inv", Decision("approve"), "card")
        assert (await running).state == "Completed" and bench.ran == ["act"]

    play(scenario())


@pytest.mark.parametrize("conduct", [GateConduct(on_ask="deny"), GateConduct(on_ask="allow")])
@pytest.mark.parametrize("known", [True, False])
def test_with_no_one_to_ask_it_is_denied_with_the_reason(conduct: GateConduct, known: bool) -> None:
    async def scenario() -> None:
        for rules in ((ALLOW,), ()):
            bench = Bench(*rules, conduct=conduct)
            bench.break_down(known=known)
            ended = await bench.judge()
            assert ended.reason == "Denied" and ended.result is not None
            if known or rules or conduct.on_ask == "allow":  # else it was denied before anything was found out
                assert "the journal cannot be written" in ended.result.text
            assert bench.ran == []

    play(scenario())


def test_an_approval_given_before_it_was_known_is_void_and_asked_again() -> None:
    async def scenario() -> None:
        bench = Bench()
        running = bench.judge()
        await bench.waiting()
        bench.break_down(known=False)
        bench.gate.decide("inv", Decision("approve"), "card")
        while not (bench.gate.waiting() and bench.heard[-1].verdict and bench.heard[-1].verdict.unrecorded):
            await asyncio.sleep(0)
        assert bench.ran == []
        bench.gate.decide("inv", Decision("approve"), "card")
        await running
        assert bench.ran == ["act"]

    play(scenario())


def test_nothing_is_allowed_by_lapse_of_time() -> None:
    async def scenario() -> None:
        rule = Rule("ask", at_deadline="allow")
        bench = Bench(rule, conduct=GateConduct(deadline_seconds=0.01))
        bench.break_down()
        ended = await bench.judge()
        assert ended.reason == "Timeout" and bench.ran == []

    play(scenario())


def test_when_it_works_again_the_rule_counts_for_what_waits() -> None:
    async def scenario() -> None:
        bench = Bench(ALLOW)
        bench.break_down()
        running = bench.judge()
        await bench.waiting()
        bench.work_again()
        ended = await running
        assert (ended.state, ended.decided_by, bench.ran) == ("Completed", "rule", ["act"])

    play(scenario())


READS = Annotations(read_only=True, open_world=False)


@pytest.mark.parametrize(
    ("source", "annotations", "runs"),
    [
        ("built-in", READS, True),
        ("built-in", Annotations(read_only=True, open_world=True), False),
        ("built-in", Annotations(), False),
        ("an MCP server", READS, False),
    ],
)
def test_only_callgates_own_reading_tools_go_on(source: str, annotations: Annotations, runs: bool) -> None:
    async def scenario() -> None:
        for known in (True, False):
            bench = Bench(ALLOW, source=source, annotations=annotations)
            bench.break_down(known=known)
            running = bench.judge()
            if runs:
                assert (await running).state == "Completed" and bench.ran == ["act"]
            else:
                await bench.waiting()
                assert bench.ran == []
                bench.gate.cancel("inv", "person", "enough")
                await running

    play(scenario())


def test_a_client_gets_no_call_whose_release_is_not_recorded() -> None:
    async def scenario() -> None:
        bench = Bench(ALLOW, owner="client")
        released = await bench.judge()
        assert released.state == "Released"
        await bench.run.recorded([released])
        bench.break_down()
        with pytest.raises(PeerFault, match="not released: the journal cannot be written"):
            await bench.run.recorded([released])
        await bench.run.recorded([])

    play(scenario())


def test_a_client_gets_a_call_that_a_person_approved_knowing_it() -> None:
    async def scenario() -> None:
        bench = Bench(ALLOW, owner="client", conduct=GateConduct(observe_client_tools=True))
        bench.break_down()
        running = bench.judge()
        await bench.waiting()
        bench.gate.decide("inv", Decision("approve"), "card")
        await bench.run.recorded([await running])

    play(scenario())


def test_no_call_may_pass_unheld_while_it_cannot_be_recorded() -> None:
    bench = Bench(conduct=GateConduct(observe_client_tools=True))
    assert not bench.gate.could_refuse("act", "src", "anne", owner_is_client=True)
    bench.break_down()
    assert bench.gate.could_refuse("act", "src", "anne", owner_is_client=True)
    assert not bench.gate.is_recorded
