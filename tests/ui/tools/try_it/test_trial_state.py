from dataclasses import replace

from tests.fakes.samples import NOON, running

from callgate.core.events import InvocationChanged, ToolOutput
from callgate.core.tool import Tool
from callgate.ui.tools.try_it.page import TrialStates

GREET = Tool("greet", "src")


def test_events_land_on_the_bench_of_their_call_only() -> None:
    benches = TrialStates()
    mine, other = benches.of(GREET), benches.of(Tool("other", "src"))
    mine.begin()
    mine.told("inv_1")
    other.told("inv_2")
    call = replace(running("greet"), id="inv_1")
    assert benches.apply(InvocationChanged(call, NOON)) is mine
    assert benches.apply(ToolOutput("inv_1", "c", "half", NOON)) is mine
    assert benches.apply(ToolOutput("inv_9", "c", "somebody else's", NOON)) is None
    assert (mine.invocation, [one.text for one in mine.said], other.invocation) == (call, ["half"], None)


def test_a_new_try_clears_the_last_one_away_and_keeps_the_arguments() -> None:
    bench = TrialStates().of(GREET)
    bench.arguments, bench.fault = {"who": "Ada"}, "it was off"
    bench.told("inv_1")
    bench.begin()
    assert (bench.arguments, bench.fault, bench.invocation_id, bench.running) == ({"who": "Ada"}, "", "", True)


def test_a_tool_keeps_its_bench_while_its_definition_changes() -> None:
    benches = TrialStates()
    assert benches.of(GREET) is benches.of(replace(GREET, description="new words"))
    assert benches.of(GREET) is not benches.of(replace(GREET, source="elsewhere"))
