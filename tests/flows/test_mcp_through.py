"""An MCP client at `/mcp`, and behind Callgate an MCP server: what comes of the server reaches the client as it is."""

import asyncio
import sys
from pathlib import Path

import mcp_types as mcp
import pytest
from mcp import Client
from tests.fakes.mcp_sources import SERVERS
from tests.fakes.running import RunningStation, running

from callgate.core.events import ToolsChanged
from callgate.core.question import Answer, FormQuestion
from callgate.runtime.runtime import Launch

CONFIG = f"""
[[sources]]
name = "srv"
kind = "mcp"
command = ["{sys.executable}", "{SERVERS / "versatile.py"}"]

[[rules]]
verdict = "allow"
"""


def launched(tmp_path: Path) -> Launch:
    config = tmp_path / "callgate.toml"
    config.write_text(CONFIG, "utf-8")
    return Launch(config, 0, tmp_path, tmp_path / "data")


def until_listed(runtime: RunningStation) -> None:
    runtime.wait_for(
        lambda events: next(
            (e for e in events if isinstance(e, ToolsChanged) and any(tool.name == "progress" for tool in e.tools)),
            None,
        )
    )


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory):
    with running(launched(tmp_path_factory.mktemp("through"))) as running_runtime:
        until_listed(running_runtime)
        yield running_runtime


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_progress_values_and_every_kind_of_content_come_through(runtime: RunningStation, mode: str) -> None:
    steps: list[tuple[float, float | None, str | None]] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        steps.append((progress, total, message))

    async def play() -> tuple[mcp.CallToolResult, mcp.CallToolResult]:
        async with Client(f"{runtime.address}/mcp", mode=mode) as client:
            await client.call_tool("progress", {}, progress_callback=heard)
            return await client.call_tool("contents", {}), await client.call_tool("true_number", {})

    contents, number = asyncio.run(asyncio.wait_for(play(), 15))
    assert "step 3" in " ".join(message or "" for _, _, message in steps)
    kinds = [type(block) for block in contents.content]
    assert mcp.ImageContent in kinds
    assert mcp.AudioContent in kinds
    blob = next(b.resource for b in contents.content if isinstance(b, mcp.EmbeddedResource))
    assert isinstance(blob, mcp.BlobResourceContents)
    assert (blob.mime_type, blob.blob) == ("application/pdf", "JVBERg==")
    assert number.structured_content == {"n": 1}


def test_what_the_server_asks_is_put_to_the_person_and_not_to_the_client(runtime: RunningStation) -> None:
    async def play() -> mcp.CallToolResult:
        async with Client(f"{runtime.address}/mcp") as client:
            return await client.call_tool("ask", {})

    async def answer() -> None:
        service = runtime.runtime.console.questions
        async with asyncio.timeout(10):
            while not (waiting := service.waiting()):
                await asyncio.sleep(0.01)
        assert isinstance(waiting[0].question, FormQuestion)
        assert service.answer(waiting[0].id, Answer("accept", {"name": "Ada"}), "test")

    runtime.do(lambda: runtime.runtime.tasks.start(answer(), "person"))
    result = asyncio.run(asyncio.wait_for(play(), 15))
    assert '"Ada"' in result.content[0].text
