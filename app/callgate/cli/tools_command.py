"""`callgate tools`: what there is, also at MCP servers. They are started, listed and left again, within bounds."""

import asyncio
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from callgate.core.tool import Tool
from callgate.runtime.runtime import Launch, Runtime
from callgate.tools.mcp_source.server import McpServer

SETTLE_SECONDS = 20.0
"""`npx` may have to fetch a server first; one that takes longer is said not to have answered."""
_NAME_WIDTH = 28
_SOURCE_WIDTH = 14
_MOST_WORDS = 100


@dataclass(frozen=True, slots=True)
class Listed:
    tools: str
    """A line each."""
    notes: str
    """What is wrong with sources and their tools; empty = nothing."""
    failed: bool
    """Whether a source is missing altogether."""


def list_tools(launch: Launch, name: str = "") -> Listed:
    return asyncio.run(_list(launch, name))


async def _list(launch: Launch, name: str) -> Listed:
    with tempfile.TemporaryDirectory(prefix="callgate-") as folder:
        return await _list_with(replace(launch, journal=Path(folder) / "callgate.db"), name)


async def _list_with(launch: Launch, name: str) -> Listed:
    runtime = Runtime(launch)
    try:
        await runtime.catalog.open()
        await _settled(runtime.mcp_sources)
        tools = "\n".join(_line(tool) for tool in runtime.catalog.find(name=name))
        servers = runtime.mcp_sources
        notes = [words for source in servers if (words := _notes(source))]
        return Listed(tools, "\n".join(notes), any(source.state != "ready" for source in servers))
    finally:
        runtime.questions.close()
        await runtime.tasks.close()
        await runtime.catalog.close()
        await runtime.upstream.close()
        await asyncio.to_thread(runtime.database.close)


async def _settled(servers: tuple[McpServer, ...]) -> None:
    """All at the same time: the slowest one counts, not their sum."""
    if servers:
        await asyncio.gather(*(source.settled(SETTLE_SECONDS) for source in servers))


def _line(tool: Tool) -> str:
    words = " ".join(tool.description.split())
    short = words if len(words) <= _MOST_WORDS else f"{words[: _MOST_WORDS - 1]}…"
    return f"{tool.name:{_NAME_WIDTH}} {tool.source:{_SOURCE_WIDTH}} {short}".rstrip()


def _notes(source: McpServer) -> str:
    if source.state == "ready":
        return "\n".join(f"{source.name}: {problem}" for problem in source.problems)
    why = source.status.reason or f"it did not answer within {SETTLE_SECONDS:g} s"
    return f"{source.name}: its tools are not here: {why}"
