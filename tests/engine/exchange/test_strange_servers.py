"""A server with strange tools, from its process to the model: clear errors, nothing lost, nothing left behind."""

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.fakes.mcp_sources import opened, rude, settings

from callgate.core.calls.invocation import Invocation
from callgate.core.messages import ToolResult
from callgate.engine.bus import Bus
from callgate.engine.gate.invoker import Invoker
from callgate.engine.gate.result_limit import ResultLimit
from callgate.tools.catalog import Catalog

CALL = Invocation("inv_1", "e", "c", 1, 0, "call_1", "f", "gate", "srv", "a", "m", "Executing", arguments="{}")


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 30))


def test_names_with_spaces_or_of_two_hundred_letters_are_called_under_fit_ones(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("strange"), era="legacy"), tmp_path) as server:
            await server.ready()
            catalog = Catalog([server.source])
            invoker = Invoker(catalog, Bus(), 10)
            said: list[str] = []
            for tool in catalog.offered()[:3]:
                assert len(tool.name) <= 64
                assert tool.name.replace("_", "").isalnum()
                said.append((await invoker.run(replace(CALL, tool=tool.name))).text)
            assert said == ["get the weather", "x" * 200, "x" * 201]

    run(work())


def test_a_schema_with_a_cycle_is_checked_to_any_depth(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("strange"), era="legacy"), tmp_path) as server:
            await server.ready()
            invoker = Invoker(Catalog([server.source]), Bus(), 10)

            async def tree(arguments: str) -> ToolResult:
                return await invoker.run(replace(CALL, tool="tree", arguments=arguments))

            assert not (await tree('{"name":"a","child":{"name":"b","child":{"name":"c"}}}')).is_error
            wrong = await tree('{"name":"a","child":{"name":"b","child":{"nam":"c"}}}')
            assert wrong.is_error
            assert "child" in wrong.text
            deep = '{"name":"a","child":' * 5000 + '{"name":"z"}' + "}" * 5000
            assert (await tree(deep)).call_id == "call_1", "nothing breaks, whatever the verdict"
            assert not (await tree('{"name":"a"}')).is_error

    run(work())


def test_fifty_megabytes_of_a_server_become_a_few_thousand_letters_and_a_file(tmp_path: Path) -> None:
    async def work() -> ToolResult:
        async with opened(settings(rude("polite"), era="legacy"), tmp_path) as server:
            await server.ready()
            limit = ResultLimit(tmp_path / "results", 1000)
            invoker = Invoker(Catalog([server.source]), Bus(), 20, result_limit=limit)
            return await invoker.run(replace(CALL, tool="big", arguments='{"size": 50000000}'))

    result = asyncio.run(asyncio.wait_for(work(), 30))
    assert not result.is_error
    assert len(result.text) < 6000
    assert "tokens left out" in result.text
    (kept,) = (tmp_path / "results").iterdir()
    assert kept.stat().st_size == 50_000_000
