import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.engine.exchange.test_direct_call import Bench

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.catalog.tool_example import ToolExample
from callgate.core.errors import UserFault
from callgate.core.events import InvocationChanged
from callgate.core.gate_mode import GateMode, GateModeKind
from callgate.core.rules.audit import entry_of
from callgate.core.rules.policy import Rule
from callgate.core.tool import Annotations, Tool
from callgate.engine.exchange.direct_call import Caller
from callgate.engine.offer.trial_service import LiveTryService
from callgate.store.database import Database
from callgate.store.files.json_file import JsonFile
from callgate.store.files.tool_examples import ToolExamples
from callgate.store.tables.trial_calls import TrialCalls

GREET = Tool("greet", "src", schema={"type": "object", "required": ["who"]})


DESTROYS = Annotations(destructive=True)


def play(path: Path, scenario: Any, *rules: Rule, annotations: Annotations = Annotations()) -> None:  # noqa: B008
    async def bounded() -> None:
        bench = Bench(*rules, annotations=annotations)
        database = Database(path / "callgate.db", lambda _: None)
        examples = ToolExamples(JsonFile(path / "examples.json"))
        service = LiveTryService(
            bench.catalog, bench.calls, TrialCalls(database), examples, lambda: "http://here", False
        )
        work: Coroutine[Any, Any, None] = scenario(bench, service)
        try:
            await asyncio.wait_for(work, 5)
        finally:
            assert database.close()

    asyncio.run(bounded())


def last(bench: Bench) -> Invocation:
    return [event.invocation for event in bench.events if isinstance(event, InvocationChanged)][-1]


def test_a_try_is_a_call_of_the_person_with_the_arguments_as_they_are_written(tmp_path: Path) -> None:
    async def scenario(bench: Bench, service: LiveTryService) -> None:
        begun: list[str] = []
        text = '{"who": "Ada", "n": 123456789012345678901234567890, "f": 1.0}'
        await service.run(GREET, text, begun.append)
        done = last(bench)
        assert (done.agent, done.state, done.arguments, [done.id]) == ("callgate", "Completed", text, begun)

    play(tmp_path, scenario, Rule("allow"))


def test_the_id_is_told_before_anything_of_the_call_is_published(tmp_path: Path) -> None:
    async def scenario(bench: Bench, service: LiveTryService) -> None:
        known: list[int] = []
        await service.run(GREET, '{"who": "x"}', lambda _: known.append(len(bench.states())))
        assert known == [0]

    play(tmp_path, scenario, Rule("allow"))


def test_a_try_that_waits_or_runs_is_stopped_by_the_person(tmp_path: Path) -> None:
    async def scenario(bench: Bench, service: LiveTryService) -> None:
        begun: list[str] = []
        trying = asyncio.ensure_future(service.run(replace(GREET, annotations=DESTROYS), '{"who": "x"}', begun.append))
        await bench.waiting()
        service.cancel("somebody else's")
        service.cancel(begun[0])
        await trying
        assert (last(bench).state, last(bench).decided_by) == ("Cancelled", "person")
        assert not bench.source.ran

    play(tmp_path, scenario, annotations=DESTROYS)


@pytest.mark.parametrize(
    "rules",
    [(), (Rule("ask", tool="greet"),), (Rule("allow", uses=1),)],
    ids=["no rule", "a rule that asks", "a rule that allows"],
)
def test_the_click_is_the_decision_and_is_recorded_as_the_persons(tmp_path: Path, rules: tuple[Rule, ...]) -> None:
    async def scenario(bench: Bench, service: LiveTryService) -> None:
        await service.run(GREET, '{"who": "Ada"}', lambda _: None)
        done = last(bench)
        assert list(dict.fromkeys(bench.states())) == ["Streaming", "Executing", "Completed"], "it is not asked about"
        assert (done.decided_by, done.reason, done.scope) == ("person", "UserAction", None)
        assert bench.source.ran == [{"who": "Ada"}]
        assert all(rule.uses in (None, 1) for rule in bench.rules.rules()), "no use of a rule is spent"
        changes = [event for event in bench.events if isinstance(event, InvocationChanged)]
        entry = next(found for event in changes if (found := entry_of(event)) is not None)
        assert (entry.decided_by, entry.reason, entry.agent) == ("person", "UserAction", "callgate")

    play(tmp_path, scenario, *rules)


def test_what_a_rule_denies_is_denied_all_the_same(tmp_path: Path) -> None:
    async def scenario(bench: Bench, service: LiveTryService) -> None:
        await service.run(GREET, '{"who": "Ada"}', lambda _: None)
        assert (last(bench).reason, last(bench).decided_by) == ("Denied", "rule")
        assert not bench.source.ran

    play(tmp_path, scenario, Rule("deny", tool="greet"))


@pytest.mark.parametrize(
    ("annotations", "rules", "mode"),
    [
        (DESTROYS, (), "rules"),
        (Annotations(), (Rule("deny", tool="greet", when="args.who~'['"),), "rules"),
        (Annotations(), (Rule("ask", tool="greet", note="high-risk: greets"),), "rules"),
        (Annotations(), (Rule("allow", tool="greet"),), "ask"),
    ],
    ids=["destructive", "a rule that can't be read", "a rule that says high risk", "the gate asks about everything"],
)
def test_what_may_do_harm_is_asked_about_as_before(
    tmp_path: Path, annotations: Annotations, rules: tuple[Rule, ...], mode: GateModeKind
) -> None:
    async def scenario(bench: Bench, service: LiveTryService) -> None:
        bench.gate.set_mode(GateMode(mode))
        tool = replace(GREET, annotations=annotations)
        trying = asyncio.ensure_future(service.run(tool, '{"who": "x"}', lambda _: None))
        bench.gate.decide(await bench.waiting(), Decision("deny"), "test")
        await trying
        assert not bench.source.ran

    play(tmp_path, scenario, *rules, annotations=annotations)


def test_a_tool_that_is_not_as_the_person_saw_it_is_asked_about(tmp_path: Path) -> None:
    async def scenario(bench: Bench, service: LiveTryService) -> None:
        trying = asyncio.ensure_future(service.run(replace(GREET, description="other"), '{"who": "x"}', lambda _: None))
        bench.gate.decide(await bench.waiting(), Decision("deny"), "test")
        await trying
        assert not bench.source.ran

    play(tmp_path, scenario)


def test_a_call_of_a_program_is_never_the_persons_own_whatever_it_calls_itself(tmp_path: Path) -> None:
    async def scenario(bench: Bench, _: LiveTryService) -> None:
        for caller in (Caller("callgate", "try greet"), Caller("callgate", "s", proven=True)):
            call = asyncio.ensure_future(bench.call(who="x", caller=caller))
            bench.gate.decide(await bench.waiting(), Decision("deny"), "test")
            assert (await call).is_error
        assert not bench.source.ran

    play(tmp_path, scenario)


def test_a_tool_that_is_off_or_gone_is_not_called(tmp_path: Path) -> None:
    async def scenario(bench: Bench, service: LiveTryService) -> None:
        assert service.why_not(GREET) == ""
        bench.catalog.enable("greet", False)
        assert "switched off" in service.why_not(GREET)
        with pytest.raises(UserFault, match="switched off"):
            await service.run(GREET, '{"who": "x"}', lambda _: None)
        assert "gone" in service.why_not(Tool("other", "src"))
        assert "gone" in service.why_not(Tool("greet", "another source"))
        assert not bench.source.ran

    play(tmp_path, scenario, Rule("allow"))


def test_an_example_needs_a_name(tmp_path: Path) -> None:
    async def scenario(bench: Bench, service: LiveTryService) -> None:
        with pytest.raises(UserFault, match="name"):
            service.save_example(GREET, ToolExample("  ", "{}"))
        service.save_example(GREET, ToolExample("a", "{}"))
        assert service.examples(GREET) == (ToolExample("a", "{}"),)
        service.delete_example(GREET, "a")
        assert service.examples(GREET) == ()
        assert service.address == "http://here"

    play(tmp_path, scenario)
