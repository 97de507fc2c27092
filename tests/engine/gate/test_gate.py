import asyncio
import random
from collections.abc import Coroutine
from typing import Any

import pytest
from tests.fakes.rules import RuleList

from callgate.core.calls.invocation import Decision, Invocation, Phase, shown_hash
from callgate.core.errors import UserFault
from callgate.core.events import Event, InvocationChanged
from callgate.core.gate_mode import GateMode
from callgate.core.rules.policy import Rule
from callgate.core.tool import GROUP_SOURCE, PERSON_SOURCE, Owner
from callgate.engine.bus import Bus
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.gate_ports import GateConduct, OnAsk


class Watched:
    """A gate and everything it told."""

    def __init__(self, *rules: Rule, conduct: GateConduct = GateConduct(), problem: str = "") -> None:  # noqa: B008
        self.told: list[Invocation] = []
        self.rules = RuleList(*rules)
        bus = Bus()
        bus.subscribe(self._hear)
        self.gate = Gate(bus, self.rules, conduct, lambda invocation, arguments: problem)

    def _hear(self, event: Event) -> None:
        if isinstance(event, InvocationChanged):
            self.told.append(event.invocation)

    def states(self, invocation_id: str = "inv_1") -> list[str]:
        return [invocation.state for invocation in self.told if invocation.id == invocation_id]

    def open(self, number: int = 1, owner: Owner = "gate", tool: str = "read_file", source: str = "built-in") -> str:
        invocation = Invocation(
            f"inv_{number}", "e", "c", 1, 0, f"call_{number}", tool, owner, source, "script", "m",
            phases=(Phase("Streaming", 0.0),),
        )  # fmt: skip
        self.gate.open(invocation)
        return invocation.id


def shown(arguments: str) -> str:
    return shown_hash(
        Invocation(
            "inv_1", "e", "c", 1, 0, "call_1", "read_file", "gate", "built-in", "script", "m",
            state="WaitingForConfirmation", arguments=arguments,
        )
    )  # fmt: skip


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5))


async def judged_while(watched: Watched, invocation_id: str, *decisions: Decision) -> tuple[Invocation, list[bool]]:
    judging = asyncio.ensure_future(watched.gate.judge(invocation_id, '{"a":1}'))
    while not watched.gate.waiting():
        await asyncio.sleep(0)
    taken = [watched.gate.decide(invocation_id, decision, "test") for decision in decisions]
    return await judging, taken


def test_a_call_allowed_by_a_rule_never_touches_waiting() -> None:
    async def scenario() -> None:
        watched = Watched(Rule("allow"))
        judged = await watched.gate.judge(watched.open(), "{}")
        assert judged.state == "Executing"
        assert watched.states() == ["Streaming", "Streaming", "Executing"]
        assert (judged.decided_by, judged.reason) == ("rule", "Setting")

    run(scenario())


def test_a_call_denied_by_a_rule_is_completed_with_the_reason() -> None:
    async def scenario() -> None:
        watched = Watched(Rule("allow"), Rule("deny", note="not on Fridays"))
        judged = await watched.gate.judge(watched.open(), "{}")
        assert (judged.state, judged.reason, judged.decided_by) == ("Completed", "Denied", "rule")
        assert judged.result is not None and judged.result.is_error and "not on Fridays" in judged.result.text

    run(scenario())


@pytest.mark.parametrize(
    ("decision", "state", "reason", "says"),
    [
        (Decision("approve"), "Executing", "UserAction", None),
        (Decision("deny", reason="no thanks"), "Completed", "Denied", "no thanks"),
        (Decision("skip"), "Completed", "Skipped", "go on without it"),
        (Decision("answer", result="42"), "Completed", "UserAction", "42"),
    ],
)
def test_each_verb_settles_a_waiting_call(decision: Decision, state: str, reason: str, says: str | None) -> None:
    async def scenario() -> None:
        watched = Watched()
        judged, taken = await judged_while(watched, watched.open(), decision)
        assert taken == [True]
        assert (judged.state, judged.reason, judged.decided_by) == (state, reason, "person")
        assert (judged.result is None) if says is None else (judged.result and says in judged.result.text)

    run(scenario())


def test_the_first_decision_wins_and_later_ones_are_stale() -> None:
    async def scenario() -> None:
        watched = Watched()
        judged, taken = await judged_while(watched, watched.open(), Decision("deny"), Decision("approve"))
        assert taken == [True, False]
        assert judged.reason == "Denied"

    run(scenario())


def test_a_decision_on_another_text_than_was_shown_is_refused() -> None:
    async def scenario() -> None:
        watched = Watched()
        decisions = [Decision("approve", shown=shown(arguments)) for arguments in ('{"a":2}', '{"a":1}')]
        _, taken = await judged_while(watched, watched.open(), *decisions)
        assert taken == [False, True]

    run(scenario())


def test_edited_arguments_are_checked_and_judged_again() -> None:
    async def scenario() -> None:
        watched = Watched(Rule("deny", when="args.a=3"))
        judging = asyncio.ensure_future(watched.gate.judge(watched.open(), '{"a":1}'))
        while not watched.gate.waiting():
            await asyncio.sleep(0)
        with pytest.raises(UserFault, match="denied by a rule"):
            watched.gate.decide("inv_1", Decision("approve", arguments='{"a":3}'), "test")
        assert watched.gate.decide("inv_1", Decision("approve", arguments='{"a":2}'), "test")
        assert (await judging).effective_arguments == '{"a":2}'

    run(scenario())


def test_an_edit_that_the_wire_cannot_spell_is_refused_and_the_call_goes_on_waiting() -> None:
    async def scenario() -> None:
        watched = Watched()
        watched.gate.open(
            Invocation(
                "inv_1", "e", "c", 1, 0, "call_1", "local_shell", "client", "client", "script", "m",
                variant="built_in", phases=(Phase("Streaming", 0.0),),
            )
        )  # fmt: skip
        judging = asyncio.ensure_future(watched.gate.judge("inv_1", '{"command":["ls"]}'))
        while not watched.gate.waiting():
            await asyncio.sleep(0)
        with pytest.raises(UserFault, match="must stay a JSON object"):
            watched.gate.decide("inv_1", Decision("approve", arguments="ls"), "test")
        assert watched.gate.decide("inv_1", Decision("approve", arguments='{"command":["pwd"]}'), "test")
        assert (await judging).state == "Released"

    run(scenario())


def test_arguments_that_do_not_fit_are_told_to_the_model_and_never_asked_about() -> None:
    async def scenario() -> None:
        watched = Watched(problem="path is missing")
        judged = await watched.gate.judge(watched.open(), "{}")
        assert (judged.state, judged.result and judged.result.text) == ("Completed", "path is missing")
        assert "WaitingForConfirmation" not in watched.states()

    run(scenario())


def test_nobody_deciding_counts_as_denied_at_the_deadline() -> None:
    async def scenario() -> None:
        watched = Watched(conduct=GateConduct(deadline_seconds=0.01))
        judged = await watched.gate.judge(watched.open(), "{}")
        assert (judged.state, judged.reason, judged.decided_by) == ("Cancelled", "Timeout", "deadline")
        assert judged.result is not None and "nobody approved it" in judged.result.text

    run(scenario())


def test_calls_that_clients_run_are_let_through_when_only_observed_unless_a_rule_asks() -> None:
    async def scenario() -> None:
        conduct = GateConduct(observe_client_tools=True, deadline_seconds=0.01)
        watched = Watched(conduct=conduct)
        assert (await watched.gate.judge(watched.open(1, "client"), "{}")).state == "Released"
        assert (await watched.gate.judge(watched.open(2, "gate"), "{}")).reason == "Timeout"
        asking = Watched(Rule("ask", "rm"), conduct=conduct)
        assert (await asking.gate.judge(asking.open(1, "client", "rm"), "{}")).reason == "Timeout"

    run(scenario())


@pytest.mark.parametrize(("on_ask", "state"), [("allow", "Executing"), ("deny", "Completed")])
def test_without_a_person_the_fixed_answer_holds(on_ask: Any, state: str) -> None:
    async def scenario() -> None:
        watched = Watched(conduct=GateConduct(on_ask=on_ask))
        judged = await watched.gate.judge(watched.open(), "{}")
        assert (judged.state, judged.decided_by) == (state, "setting")

    run(scenario())


def test_a_lasting_approval_becomes_a_rule_and_settles_the_others_that_wait() -> None:
    async def scenario() -> None:
        watched = Watched()
        judging = [asyncio.ensure_future(watched.gate.judge(watched.open(n), "{}")) for n in (1, 2)]
        other = asyncio.ensure_future(watched.gate.judge(watched.open(3, tool="write"), "{}"))
        while len(watched.gate.waiting()) < 3:
            await asyncio.sleep(0)
        watched.gate.decide("inv_1", Decision("approve", scope="session"), "test")
        first, second = await asyncio.gather(*judging)
        assert (first.decided_by, second.decided_by, second.reason) == ("person", "rule", "LmServicePerTool")
        assert [invocation.id for invocation in watched.gate.waiting()] == ["inv_3"]
        watched.gate.cancel("inv_3", "client", "gone")
        assert (await other).state == "Cancelled"

    run(scenario())


def test_a_rule_with_uses_is_used_up() -> None:
    async def scenario() -> None:
        watched = Watched(Rule("allow", uses=1), conduct=GateConduct(on_ask="deny"))
        assert (await watched.gate.judge(watched.open(1), "{}")).state == "Executing"
        assert (await watched.gate.judge(watched.open(2), "{}")).reason == "Denied"

    run(scenario())


def test_a_hundred_waiting_calls_decided_in_any_order_each_come_out_once() -> None:
    async def scenario() -> None:
        dice = random.Random(7)
        watched = Watched(conduct=GateConduct(deadline_seconds=0.3))
        judging = {f"inv_{n}": asyncio.ensure_future(watched.gate.judge(watched.open(n), "{}")) for n in range(100)}
        while len(watched.gate.waiting()) < 100:
            await asyncio.sleep(0)
        wanted = {}
        for name in dice.sample(list(judging), 90):
            verb = dice.choice(["approve", "deny", "answer", "skip", "hang up"])
            wanted[name] = verb
            if verb == "hang up":
                watched.gate.cancel(name, "client", "gone")
            else:
                assert watched.gate.decide(name, Decision(verb, result="r"), "test")
            assert not watched.gate.decide(name, Decision("approve"), "test")
        judged = dict(zip(judging, await asyncio.gather(*judging.values()), strict=True))
        for name, invocation in judged.items():
            match wanted.get(name):
                case "approve":
                    assert invocation.state == "Executing" and invocation.result is None
                case "hang up":
                    assert invocation.state == "Cancelled" and invocation.result is None
                case None:
                    assert invocation.reason == "Timeout" and invocation.result is not None
                case _:
                    assert invocation.state == "Completed" and invocation.result is not None

    run(scenario())


def test_a_call_that_nothing_could_refuse_need_not_be_held() -> None:
    observing = Watched(conduct=GateConduct(observe_client_tools=True)).gate
    assert not observing.could_refuse("f", "client", "script", owner_is_client=True)
    assert not observing.could_refuse("Bash", "client", "script", owner_is_client=True)
    assert observing.could_refuse("f", "built-in", "script", owner_is_client=False)
    ruled = Watched(Rule("deny", "f", when="args.x=1"), conduct=GateConduct(observe_client_tools=True)).gate
    assert ruled.could_refuse("f", "client", "script", owner_is_client=True)
    allowed = Watched(Rule("allow", "*")).gate
    assert not allowed.could_refuse("Read", "client", "script", owner_is_client=True)
    assert allowed.could_refuse("f", "client", "script", owner_is_client=True), "an argument may be a guarded file"


def test_the_mode_makes_the_gate_stricter_or_more_open_and_a_deny_rule_always_holds() -> None:
    async def scenario() -> None:
        watched = Watched(Rule("allow", "read_file"), Rule("deny", "rm"), conduct=GateConduct(on_ask="deny"))
        watched.gate.set_mode(GateMode("ask"))
        assert (await watched.gate.judge(watched.open(1), "{}")).decided_by == "setting"
        watched.gate.set_mode(GateMode("observe"))
        assert (await watched.gate.judge(watched.open(2, tool="other"), "{}")).state == "Executing"
        assert (await watched.gate.judge(watched.open(3, tool="rm"), "{}")).reason == "Denied"

    run(scenario())


def test_opening_the_gate_lets_through_what_waits() -> None:
    async def scenario() -> None:
        watched = Watched()
        judging = asyncio.ensure_future(watched.gate.judge(watched.open(), "{}"))
        while not watched.gate.waiting():
            await asyncio.sleep(0)
        watched.gate.set_mode(GateMode("observe"))
        assert (await judging).state == "Executing"

    run(scenario())


def test_a_tool_that_only_looks_like_another_is_asked_about_although_a_rule_allows_it() -> None:
    async def scenario() -> None:
        watched = Watched(Rule("allow", "read_*"), conduct=GateConduct(on_ask="deny"))
        gate = Gate(Bus(), watched.rules, GateConduct(on_ask="deny"), lambda i, a: "", twin_of=lambda name: "read_file")
        watched.gate = gate
        judged = await gate.judge(watched.open(tool="read_fi1e"), "{}")
        assert (
            judged.reason == "Denied" and judged.verdict is not None and "looks like read_file" in judged.verdict.reason
        )

    run(scenario())


def test_a_lasting_decision_saves_exactly_the_rule_that_it_asks_for() -> None:
    async def scenario() -> None:
        watched = Watched()
        decision = Decision("approve", scope="always", when="args.a=1", uses=2, expires=9e9)
        await judged_while(watched, watched.open(), decision)
        [rule] = watched.rules.rules()
        assert (rule.when, rule.uses, rule.expires, rule.origin) == ("args.a=1", 2, 9e9, "always")
        assert (await watched.gate.judge(watched.open(2), '{"a":1}')).state == "Executing"
        assert watched.rules.rules()[0].uses == 1

    run(scenario())


def test_a_decision_whose_rule_cannot_be_read_decides_nothing() -> None:
    async def scenario() -> None:
        watched = Watched()
        judging = asyncio.ensure_future(watched.gate.judge(watched.open(), "{}"))
        while not watched.gate.waiting():
            await asyncio.sleep(0)
        with pytest.raises(UserFault, match="never closed"):
            watched.gate.decide("inv_1", Decision("approve", scope="session", when="(args.a=1"), "test")
        assert watched.gate.waiting() and watched.rules.rules() == ()
        assert watched.gate.decide("inv_1", Decision("skip"), "test")
        await judging

    run(scenario())


@pytest.mark.parametrize("mode", [GateMode(), GateMode("observe")])
def test_what_only_a_person_can_answer_is_asked_about_whatever_the_rules_say(mode: GateMode) -> None:
    async def scenario() -> None:
        watched = Watched(Rule("allow"))
        watched.gate.set_mode(mode)
        judging = asyncio.ensure_future(watched.gate.judge(watched.open(source=PERSON_SOURCE), "{}"))
        while not watched.gate.waiting():
            await asyncio.sleep(0)
        with pytest.raises(UserFault, match="Only you can answer"):
            watched.gate.decide("inv_1", Decision("approve"), "test")
        assert watched.gate.waiting(), "it goes on waiting"
        assert watched.gate.decide("inv_1", Decision("answer", result="42"), "test")
        judged = await judging
        assert judged.result is not None and (judged.state, judged.result.text) == ("Completed", "42")

    run(scenario())


@pytest.mark.parametrize("on_ask", ["wait", "deny", "allow"])
def test_opening_a_group_of_tools_asks_nobody(on_ask: OnAsk) -> None:
    async def scenario() -> None:
        watched = Watched(conduct=GateConduct(on_ask=on_ask))
        judged = await watched.gate.judge(watched.open(source=GROUP_SOURCE), "{}")
        assert (judged.state, judged.reason, judged.decided_by) == ("Executing", "ConfirmationNotNeeded", "setting")

    run(scenario())


def test_a_rule_against_groups_of_tools_still_holds() -> None:
    async def scenario() -> None:
        watched = Watched(Rule("deny", source=GROUP_SOURCE))
        judged = await watched.gate.judge(watched.open(source=GROUP_SOURCE), "{}")
        assert (judged.state, judged.reason) == ("Completed", "Denied")

    run(scenario())


@pytest.mark.parametrize(
    ("rules", "state"),
    [
        ((Rule("ask", at_deadline="allow"),), "Executing"),
        ((Rule("ask", at_deadline="allow"), Rule("ask")), "Cancelled"),
        ((Rule("ask", at_deadline="allow"), Rule("ask", when="args.a~(")), "Cancelled"),
    ],
    ids=["the rule allows", "another rule does not", "another can't be read"],
)
def test_at_the_deadline_the_choice_of_the_rules_that_ask_counts(rules: tuple[Rule, ...], state: str) -> None:
    async def scenario() -> None:
        watched = Watched(*rules, conduct=GateConduct(deadline_seconds=0.01))
        settled = await watched.gate.judge(watched.open(), "{}")
        assert settled.state == state and settled.decided_by == "deadline"
        assert settled.refused == (state == "Cancelled")

    run(scenario())


def test_a_deny_rule_that_came_meanwhile_beats_the_choice_at_the_deadline() -> None:
    async def scenario() -> None:
        watched = Watched(Rule("ask", at_deadline="allow"), conduct=GateConduct(deadline_seconds=0.05))
        judging = asyncio.ensure_future(watched.gate.judge(watched.open(), "{}"))
        while not watched.gate.waiting():
            await asyncio.sleep(0)
        watched.rules.add(Rule("deny"), "session")
        assert (await judging).reason == "Denied"

    run(scenario())
