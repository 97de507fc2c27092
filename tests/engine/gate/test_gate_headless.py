"""The gate where nobody is there to ask: what is fixed beforehand holds for calls and for their results."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from tests.engine.gate.test_gate import Watched

from callgate.core.gate_mode import GateMode
from callgate.core.messages import Text, ToolResult
from callgate.core.rules.policy import Rule
from callgate.core.tool import PERSON_SOURCE
from callgate.engine.gate.gate_ports import GateConduct, OnAsk

RESULT = ToolResult("call_1", (Text("secret"),))


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5))


@pytest.mark.parametrize("on_ask", ["deny", "allow"])
def test_what_only_a_person_can_answer_is_refused_where_nobody_is(on_ask: OnAsk) -> None:
    async def scenario() -> None:
        watched = Watched(conduct=GateConduct(on_ask=on_ask))
        judged = await watched.gate.judge(watched.open(source=PERSON_SOURCE), "{}")
        assert (judged.state, judged.reason, judged.decided_by) == ("Completed", "Denied", "setting")
        assert judged.result is not None and "nobody is there" in judged.result.text

    run(scenario())


def test_a_result_that_must_be_looked_at_is_withheld_at_once_where_nobody_can() -> None:
    async def scenario() -> None:
        watched = Watched(Rule("allow", review=True), conduct=GateConduct(on_ask="deny"))
        await watched.gate.judge(watched.open(), "{}")
        ended = await watched.gate.ran("inv_1", RESULT)
        assert watched.states() == ["Streaming", "Streaming", "Executing", "WaitingForPostApproval", "Completed"]
        assert ended.result is not None and "nobody is there" in ended.result.text and ended.result.is_error
        assert ended.ran_result == RESULT, "what the tool said is kept for the person who looks later"

    run(scenario())


def test_where_everything_is_allowed_results_pass_too() -> None:
    async def scenario() -> None:
        watched = Watched(Rule("allow", review=True), conduct=GateConduct(on_ask="allow"))
        await watched.gate.judge(watched.open(), "{}")
        assert (await watched.gate.ran("inv_1", RESULT)).result == RESULT

    run(scenario())


def test_what_the_mode_lets_through_is_not_said_to_be_a_rules_doing() -> None:
    async def scenario() -> None:
        watched = Watched()
        watched.gate.set_mode(GateMode("observe"))
        judged = await watched.gate.judge(watched.open(), "{}")
        assert (judged.state, judged.decided_by, judged.explanation) == (
            "Executing", "setting", "the gate only observes now",
        )  # fmt: skip

    run(scenario())
