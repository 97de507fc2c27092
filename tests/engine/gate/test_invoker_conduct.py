"""What a tool says of itself decides how it is run: its own time limit, a second try, how much of a result counts."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

import pytest

from callgate.core.calls.invocation import Invocation
from callgate.core.errors import Fault, PeerFault
from callgate.core.events import Event, ToolOutput
from callgate.core.messages import Json, Text
from callgate.core.tool import Annotations, Outcome, Tool
from callgate.engine.bus import Bus
from callgate.engine.gate import invoker as invoker_module
from callgate.engine.gate.invoker import Invoker
from callgate.engine.gate.result_limit import ResultLimit
from callgate.engine.offer.tool_groups import ToolGroups
from callgate.tools.catalog import Catalog
from callgate.tools.source import CallContext

AGAIN = Annotations(idempotent=True)


class Shaky:
    """A source whose tools fail as often as they are told to, and note the context of each call."""

    name = "src"

    def __init__(self, failures: int = 0, outcome: Outcome = Outcome((Text("done"),))) -> None:  # noqa: B008
        self.failures = failures
        self.outcome = outcome
        self.contexts: list[CallContext] = []

    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool("again", "src", annotations=AGAIN),
            Tool("once", "src"),
            Tool("reads", "src", annotations=Annotations(read_only=True)),
            Tool("writes", "src", annotations=Annotations(read_only=False, destructive=False)),
            Tool("slow", "src", timeout_seconds=0.05),
        )

    def on_change(self, listener: Callable[[], None]) -> None: ...

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        self.contexts.append(context)
        if tool.name == "slow":
            await asyncio.Event().wait()
        if len(self.contexts) <= self.failures:
            raise PeerFault(Fault("upstream", "the server went away"))
        return self.outcome


@pytest.fixture(autouse=True)
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invoker_module, "RETRY_SECONDS", 0.0)


def call(tool: str) -> Invocation:
    return Invocation("inv", "e", "conv", 1, 0, "call_1", tool, "gate", "src", "a", "m", "Executing", arguments="{}")


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5))


def test_only_a_tool_that_may_be_repeated_is_tried_again_and_only_once() -> None:
    async def scenario() -> None:
        told: list[Event] = []
        bus = Bus()
        bus.subscribe(told.append)
        for tool, failures, tries, says in (
            ("again", 1, 2, "done"),
            ("again", 2, 2, "went away"),
            ("once", 1, 1, "went away"),
            ("reads", 1, 2, "done"),
            ("writes", 1, 1, "went away"),
        ):
            source = Shaky(failures)
            result = await Invoker(Catalog([source]), bus, 5).run(call(tool))
            assert says in result.text and len(source.contexts) == tries
        assert any(isinstance(event, ToolOutput) and "trying once more" in event.text for event in told)

    run(scenario())


def test_a_tools_own_time_limit_wins_over_that_of_all() -> None:
    async def scenario() -> None:
        result = await Invoker(Catalog([Shaky()]), Bus(), 60).run(call("slow"))
        assert result.is_error and "within 0.05 seconds" in result.text

    run(scenario())


def test_a_tool_knows_its_workspace_and_how_much_the_model_will_see(tmp_path: Path) -> None:
    async def scenario() -> None:
        source = Shaky()
        limit = ResultLimit(tmp_path, 123)
        await Invoker(Catalog([source]), Bus(), 5, result_limit=limit, workspace=tmp_path).run(call("once"))
        context = source.contexts[0]
        assert (context.workspace, context.token_budget, context.conversation_id) == (tmp_path, 123, "conv")

    run(scenario())


def test_a_long_result_is_cut_for_the_model_and_says_so(tmp_path: Path) -> None:
    async def scenario() -> None:
        source = Shaky(outcome=Outcome((Text("x" * 10_000),)))
        result = await Invoker(Catalog([source]), Bus(), 5, result_limit=ResultLimit(tmp_path, 10)).run(call("once"))
        assert "left out" in result.text and len(result.text) < 400
        assert (tmp_path / "inv-0.txt").read_text("utf-8") == "x" * 10_000

    run(scenario())


def test_the_tool_that_stands_for_a_group_opens_it() -> None:
    async def scenario() -> None:
        groups = ToolGroups()
        groups.arrange("conv", [Tool(f"t{number}", f"s{number % 3}") for number in range(30)], 20, (), ())
        invoker = Invoker(Catalog([Shaky()]), Bus(), 5, groups=groups)
        opening = call("activate_s2")
        assert invoker.problem_with(opening, "{}") == "" and invoker.runs_beside_others(opening)
        assert "do not fit" in invoker.problem_with(opening, '{"x":1}')
        assert "- t2" in (await invoker.run(opening)).text
        assert invoker.problem_with(call("activate_nothing"), "{}")

    run(scenario())


def test_time_in_which_a_person_is_asked_is_not_the_tools() -> None:
    class Asking(Shaky):
        async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
            with context.hold():
                await asyncio.sleep(0.15)
            return Outcome((Text("answered"),))

    async def scenario() -> None:
        result = await Invoker(Catalog([Asking()]), Bus(), 60).run(call("slow"))
        assert result.text == "answered"

    run(scenario())


def test_a_value_goes_with_the_result_unless_the_result_was_cut(tmp_path: Path) -> None:
    async def scenario() -> None:
        invoker = Invoker(
            Catalog([Shaky(outcome=Outcome((Text("x" * 400),), structured={"n": 1}))]),
            Bus(),
            5,
            result_limit=ResultLimit(tmp_path, 100),
        )
        assert (await invoker.run(call("once"))).structured == {"n": 1}
        short = Invoker(
            Catalog([Shaky(outcome=Outcome((Text("x" * 400),), structured={"n": 1}))]),
            Bus(),
            5,
            result_limit=ResultLimit(tmp_path, 10),
        )
        assert (await short.run(call("once"))).structured is None

    run(scenario())
