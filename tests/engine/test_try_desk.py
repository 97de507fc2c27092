import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.engine.test_direct_call import Bench

from callgate.core.errors import UserFault
from callgate.core.events import InvocationChanged
from callgate.core.invocation import Invocation
from callgate.core.policy import Rule
from callgate.core.tool import Tool
from callgate.core.tool_example import ToolExample
from callgate.engine.try_desk import LiveTryDesk
from callgate.store.database import Database
from callgate.store.json_file import JsonFile
from callgate.store.tool_examples import ToolExamples
from callgate.store.tries import Tries

GREET = Tool("greet", "src", schema={"type": "object", "required": ["who"]})


def play(path: Path, scenario: Any, *rules: Rule) -> None:
    async def bounded() -> None:
        bench = Bench(*rules)
        database = Database(path / "callgate.db", lambda _: None)
        examples = ToolExamples(JsonFile(path / "examples.json"))
        desk = LiveTryDesk(bench.catalog, bench.calls, Tries(database), examples, lambda: "http://here", False)
        work: Coroutine[Any, Any, None] = scenario(bench, desk)
        try:
            await asyncio.wait_for(work, 5)
        finally:
            assert database.close()

    asyncio.run(bounded())


def last(bench: Bench) -> Invocation:
    return [event.invocation for event in bench.events if isinstance(event, InvocationChanged)][-1]


def test_a_try_is_a_call_of_the_person_with_the_arguments_as_they_are_written(tmp_path: Path) -> None:
    async def scenario(bench: Bench, desk: LiveTryDesk) -> None:
        begun: list[str] = []
        text = '{"who": "Ada", "n": 123456789012345678901234567890, "f": 1.0}'
        await desk.run(GREET, text, begun.append)
        done = last(bench)
        assert (done.agent, done.state, done.arguments, [done.id]) == ("callgate", "Completed", text, begun)

    play(tmp_path, scenario, Rule("allow"))


def test_the_id_is_told_before_anything_of_the_call_is_published(tmp_path: Path) -> None:
    async def scenario(bench: Bench, desk: LiveTryDesk) -> None:
        known: list[int] = []
        await desk.run(GREET, '{"who": "x"}', lambda _: known.append(len(bench.states())))
        assert known == [0]

    play(tmp_path, scenario, Rule("allow"))


def test_a_try_that_waits_or_runs_is_stopped_by_the_person(tmp_path: Path) -> None:
    async def scenario(bench: Bench, desk: LiveTryDesk) -> None:
        begun: list[str] = []
        trying = asyncio.ensure_future(desk.run(GREET, '{"who": "x"}', begun.append))
        await bench.waiting()
        desk.cancel("somebody else's")
        desk.cancel(begun[0])
        await trying
        assert (last(bench).state, last(bench).decided_by) == ("Cancelled", "person")
        assert not bench.source.ran

    play(tmp_path, scenario)


def test_a_tool_that_is_off_or_gone_is_not_called(tmp_path: Path) -> None:
    async def scenario(bench: Bench, desk: LiveTryDesk) -> None:
        assert desk.why_not(GREET) == ""
        bench.catalog.enable("greet", False)
        assert "switched off" in desk.why_not(GREET)
        with pytest.raises(UserFault, match="switched off"):
            await desk.run(GREET, '{"who": "x"}', lambda _: None)
        assert "gone" in desk.why_not(Tool("other", "src"))
        assert "gone" in desk.why_not(Tool("greet", "another source"))
        assert not bench.source.ran

    play(tmp_path, scenario, Rule("allow"))


def test_an_example_needs_a_name(tmp_path: Path) -> None:
    async def scenario(bench: Bench, desk: LiveTryDesk) -> None:
        with pytest.raises(UserFault, match="name"):
            desk.save_example(GREET, ToolExample("  ", "{}"))
        desk.save_example(GREET, ToolExample("a", "{}"))
        assert desk.examples(GREET) == (ToolExample("a", "{}"),)
        desk.delete_example(GREET, "a")
        assert desk.examples(GREET) == ()
        assert desk.address == "http://here"

    play(tmp_path, scenario)
