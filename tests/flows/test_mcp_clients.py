"""The official MCP client at `/mcp`: every catalog tool, each call through the gate."""

import asyncio
from pathlib import Path

import pytest
from mcp import Client
from tests.fakes.running import RunningStation, running

from callgate.core.calls.invocation import Decision
from callgate.runtime.runtime import Launch


def launch(tmp_path: Path) -> Launch:
    (tmp_path / "notes.txt").write_text("buy milk\n", "utf-8")
    return Launch(None, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_mcp_client_lists_tools_and_gets_a_result_after_the_approval(tmp_path: Path, mode: str) -> None:
    async def client(runtime: RunningStation) -> tuple[list[str], str]:
        async with Client(f"{runtime.address}/mcp", mode=mode) as session:
            tools = [tool.name for tool in (await session.list_tools()).tools]
            result = await session.call_tool("read_file", {"path": "notes.txt"})
            return tools, result.content[0].text

    with running(launch(tmp_path)) as runtime:

        def approve(event: object) -> None:
            if getattr(event, "kind", "") == "invocation" and event.invocation.is_waiting:  # type: ignore[attr-defined]
                runtime.runtime.tasks.start(decide(event.invocation.id), "approve")  # type: ignore[attr-defined]

        async def decide(invocation_id: str) -> None:
            runtime.runtime.console.decide(invocation_id, Decision("approve"), "test")

        runtime.do(lambda: runtime.runtime.bus.subscribe(approve))
        tools, text = asyncio.run(asyncio.wait_for(client(runtime), 15))
        assert "read_file" in tools and "buy milk" in text
        assert runtime.wait_for_state("Completed").decided_by == "person"
