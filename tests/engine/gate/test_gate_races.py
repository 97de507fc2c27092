"""Several things that happen to the gate at the same moment."""

import asyncio
from collections.abc import Coroutine
from itertools import permutations
from typing import Any

import pytest
from tests.fakes.rules import RuleList

from callgate.core.calls.invocation import Decision, Invocation, Phase
from callgate.core.calls.preview import Preview
from callgate.core.events import InvocationChanged
from callgate.core.gate_mode import GateMode
from callgate.core.rules.policy import Rule
from callgate.core.tool import Owner
from callgate.engine.bus import Bus
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.gate_ports import GateConduct


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5))


def opened(gate: Gate, number: int = 1, owner: Owner = "gate", tool: str = "read_file") -> str:
    invocation = Invocation(
        f"inv_{number}", "e", "c", 1, 0, f"call_{number}", tool, owner, "built-in", "script", "m",
        phases=(Phase("Streaming", 0.0),),
    )  # fmt: skip
    gate.open(invocation)
    return invocation.id


def gate_with(rules: RuleList, **parts: Any) -> Gate:
    return Gate(Bus(), rules, parts.pop("conduct", GateConduct()), lambda invocation, arguments: "", **parts)


async def until_waiting(gate: Gate, count: int) -> None:
    while len(gate.waiting()) < count:
        await asyncio.sleep(0)


def test_a_grant_with_few_uses_settles_exactly_so_many_of_those_that_wait() -> None:
    async def scenario() -> None:
        rules = RuleList()
        gate = gate_with(rules)
        judging = [asyncio.ensure_future(gate.judge(opened(gate, number), "{}")) for number in range(4)]
        await until_waiting(gate, 4)
        assert gate.decide("inv_0", Decision("approve", scope="session", uses=2), "test")
        assert [invocation.id for invocation in gate.waiting()] == ["inv_3"]
        assert rules.rules()[-1].uses == 0
        assert gate.decide("inv_3", Decision("skip"), "test")
        states = [(judged.state, judged.decided_by) for judged in await asyncio.gather(*judging)]
        assert states == [
            ("Executing", "person"),
            ("Executing", "rule"),
            ("Executing", "rule"),
            ("Completed", "person"),
        ]

    run(scenario())


def test_every_rule_that_a_shell_line_needed_counts_a_use() -> None:
    async def scenario() -> None:
        rules = RuleList(
            Rule("allow", "run_command", when="command:ls", uses=2),
            Rule("allow", "run_command", when="command:pwd", uses=2),
        )
        gate = gate_with(rules, conduct=GateConduct(on_ask="deny"))
        invocation_id = opened(gate, tool="run_command")
        judged = await gate.judge(invocation_id, '{"command":"ls && pwd"}')
        assert judged.state == "Executing"
        assert [rule.uses for rule in rules.rules()] == [1, 1]

    run(scenario())


def test_a_rule_that_comes_while_a_call_is_prepared_still_counts_for_it() -> None:
    async def scenario() -> None:
        rules = RuleList()
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def prepare(invocation: Invocation) -> Preview | None:
            begun.set()
            await go_on.wait()
            return None

        gate = gate_with(rules, prepare=prepare)
        judging = asyncio.ensure_future(gate.judge(opened(gate), "{}"))
        await begun.wait()
        rules.add(Rule("deny", note="not that one"), "session")
        go_on.set()
        judged = await judging
        assert (judged.state, judged.reason) == ("Completed", "Denied")
        assert not gate.waiting()

    run(scenario())


def test_a_call_under_a_rule_that_may_be_used_up_is_held_until_it_is_judged() -> None:
    gate = gate_with(RuleList(Rule("allow", "f", uses=1)))
    assert gate.could_refuse("f", "client", "script", owner_is_client=True)


def test_a_call_that_the_client_has_already_is_not_asked_about_any_more() -> None:
    async def scenario() -> None:
        gate = gate_with(RuleList(Rule("allow", "Read")))
        invocation_id = opened(gate, owner="client", tool="Read")
        assert not gate.could_refuse("Read", "built-in", "script", owner_is_client=True)
        gate.set_mode(GateMode("ask"))
        judged = await gate.judge(invocation_id, "{}", passing=True)
        assert judged.state == "Released" and "when it began" in judged.explanation

    run(scenario())


def test_all_that_is_live_in_an_exchange_ends_with_it() -> None:
    async def scenario() -> None:
        gate = gate_with(RuleList())
        judging = asyncio.ensure_future(gate.judge(opened(gate), "{}"))
        await until_waiting(gate, 1)
        gate.cancel_exchange("another", "client", "gone")
        assert gate.waiting()
        gate.cancel_exchange("e", "client", "gone")
        assert not gate.waiting()
        assert (await judging).state == "Cancelled"

    run(scenario())


RACERS = ("person", "rule", "deadline", "client")
AFTER = {"person": "Released", "rule": "Completed", "deadline": "Cancelled", "client": "Cancelled"}


@pytest.mark.parametrize("order", list(permutations(RACERS)), ids="-".join)
def test_of_person_rule_deadline_and_hang_up_the_first_wins_and_the_others_change_nothing(
    order: tuple[str, ...],
) -> None:
    """All four come within one turn of the loop, unless the deadline is first: that one needs a turn of its own."""

    async def scenario() -> None:
        told: list[Invocation] = []
        bus, rules = Bus(), RuleList()
        bus.subscribe(lambda event: told.append(event.invocation) if isinstance(event, InvocationChanged) else None)
        gate = Gate(bus, rules, GateConduct(deadline_seconds=0.05), lambda invocation, arguments: "")
        invocation_id = opened(gate, owner="client")
        judging = asyncio.ensure_future(gate.judge(invocation_id, "{}"))
        await until_waiting(gate, 1)
        taken: list[bool] = []
        for racer in order:
            match racer:
                case "person":
                    taken.append(gate.decide(invocation_id, Decision("approve"), "test"))
                case "rule":
                    rules.add(Rule("deny", note="never"), "session")
                case "client":
                    gate.cancel(invocation_id, "client", "hung up")
                case _:
                    await asyncio.wait({judging})  # the deadline, if nobody was before it
        winner = order[0]
        judged = await judging
        assert (judged.state, judged.decided_by) == (AFTER[winner], winner)
        assert taken == [winner == "person"], "only who has won is told so"
        after = [one for one in told if one.state not in ("Streaming", "WaitingForConfirmation")]
        assert after == [judged], "one step, told once"
        assert not gate.waiting()

    run(scenario())
