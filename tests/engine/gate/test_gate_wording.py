"""What a tool says of its calls, at the gate."""

import asyncio
import json
from collections.abc import Coroutine
from typing import Any

import pytest
from tests.fakes.rules import RuleList

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.calls.wording import Wording
from callgate.core.messages import Text, ToolResult
from callgate.core.rules.policy import Rule
from callgate.engine.bus import Bus
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.gate_ports import GateConduct

CALL = Invocation("i", "e", "c", 1, 0, "x", "t", "gate", "s", "a", "m")


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5))


def spoken(*rules: Rule, review: bool = False) -> tuple[Gate, RuleList]:
    """A gate whose tools have words for their calls."""
    kept = RuleList(*rules)
    words = Wording("Read {a}?", past_tense_message="Read {a}", review_result=review)

    def describe(invocation: Invocation, arguments: str) -> Wording:
        return words.filled(json.loads(arguments))

    return Gate(Bus(), kept, GateConduct(), lambda invocation, arguments: "", describe=describe), kept


def test_a_call_carries_the_words_of_its_tool_also_when_its_arguments_are_edited() -> None:
    async def scenario() -> None:
        gate, _ = spoken()
        gate.open(CALL)
        judging = asyncio.ensure_future(gate.judge(CALL.id, '{"a":1}'))
        while not gate.waiting():
            await asyncio.sleep(0)
        assert gate.waiting()[0].wording.title == "Read 1?"
        gate.decide(CALL.id, Decision("approve", arguments='{"a":2}'), "test")
        assert (await judging).wording.past_tense_message == "Read 2"

    run(scenario())


@pytest.mark.parametrize(
    ("rules", "reviewed"), [((), True), ((Rule("allow"),), False), ((Rule("allow", review=True),), True)]
)
def test_a_tool_can_want_its_results_reviewed_and_a_rule_can_spare_them(
    rules: tuple[Rule, ...], reviewed: bool
) -> None:
    async def scenario() -> None:
        gate, kept = spoken(*rules, review=True)
        gate.open(CALL)
        judging = asyncio.ensure_future(gate.judge("i", '{"a":1}'))
        await asyncio.sleep(0)
        if not rules:
            while not gate.waiting():
                await asyncio.sleep(0)
            gate.decide("i", Decision("approve", scope="session"), "test")
            assert kept.rules()[-1].review, "who grants the call has not granted its result"
        await judging
        returning = asyncio.ensure_future(gate.ran("i", ToolResult("x", (Text("secret"),))))
        while not gate.waiting() and not returning.done():
            await asyncio.sleep(0)
        assert bool(gate.waiting()) == reviewed
        if reviewed:
            gate.decide("i", Decision("accept"), "test")
        assert (await returning).result == ToolResult("x", (Text("secret"),))

    run(scenario())
