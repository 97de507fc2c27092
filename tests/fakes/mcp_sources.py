"""Real MCP servers as sources for one test: started, watched, and proved to be gone afterwards."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from callgate.core.config.settings import SourceSettings
from callgate.core.events import FrameCaptured
from callgate.core.messages import Json, Text
from callgate.core.tool import Outcome, Tool
from callgate.engine.bus import Bus
from callgate.engine.tasks import Tasks
from callgate.tools.mcp_source.source import McpSource
from callgate.tools.mcp_source.status import Status
from callgate.tools.source import CallContext

SERVERS = Path(__file__).parent / "mcp_servers"
BIN = Path(sys.executable).parent
START_SECONDS = 25.0
"""A server on the SDK imports for one to two seconds, several times that on a busy machine."""
SECONDS = 5.0
_STEP = 0.005


def rude(manner: str, *more: str) -> tuple[str, ...]:
    return (sys.executable, str(SERVERS / "rude.py"), manner, *more)


def versatile(*more: str) -> tuple[str, ...]:
    return (sys.executable, str(SERVERS / "versatile.py"), *more)


def settings(command: tuple[str, ...] = (), **more: Any) -> SourceSettings:
    return SourceSettings(name="srv", kind="mcp", command=command, **more)


async def until(condition: Callable[[], bool], seconds: float = SECONDS) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(_STEP)


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and only waits to be collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        if sys.platform == "linux":
            return False
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return True
    return state != "Z"


@dataclass
class Watched:
    """A source, and all that it said."""

    source: McpSource
    tasks: Tasks
    statuses: list[Status] = field(default_factory=list)
    frames: list[FrameCaptured] = field(default_factory=list)
    changes: list[int] = field(default_factory=list)
    reports: list[tuple[str, float | None, float | None]] = field(default_factory=list)

    def tool(self, name: str) -> Tool:
        return next(tool for tool in self.source.tools() if tool.name == name)

    async def ready(self) -> None:
        await until(lambda: self.source.state == "ready", START_SECONDS)

    async def call(self, name: str, call_id: str = "call_1", **arguments: Json) -> Outcome:
        context = CallContext(call_id, "conv_1", lambda *report: self.reports.append(report))
        async with asyncio.timeout(START_SECONDS):
            return await self.source.call(self.tool(name), arguments, context)

    async def text(self, name: str, **arguments: Json) -> str:
        outcome = await self.call(name, **arguments)
        return "\n".join(part.text for part in outcome.parts if isinstance(part, Text))


def watch(configured: SourceSettings, workspace: Path, **more: Any) -> Watched:
    tasks = Tasks(Bus())
    frames: list[FrameCaptured] = []
    source = McpSource(configured, workspace, tasks.start, on_frame=frames.append, **more)
    watched = Watched(source, tasks, frames=frames)
    source.on_status(watched.statuses.append)
    source.on_change(lambda: watched.changes.append(len(source.tools())))
    return watched


@asynccontextmanager
async def opened(configured: SourceSettings, workspace: Path, **more: Any) -> AsyncIterator[Watched]:
    """The source from `open` to `close`; whatever it started must be gone then."""
    watched = watch(configured, workspace, **more)
    await watched.source.open()
    try:
        yield watched
    finally:
        pid = watched.source.pid
        await watched.source.close()
        await until(lambda: len(watched.tasks) == 0)
        assert pid is None or not alive(pid), "the server was left behind"
