"""The source of built-in tools: runs the plain ones in a thread, so that a slow disk never holds up the loop.

It does not know what any of them does; `kit` puts them together.
"""

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeGuard

from callgate.core.calls.binding import Executor, Outdated, executor
from callgate.core.calls.preview import Preview
from callgate.core.messages import Json, Text
from callgate.core.tool import Outcome, Tool
from callgate.tools.confinement import OutsideWorkspace
from callgate.tools.source import CallContext

SOURCE_NAME = "built-in"


class ToolProblem(Exception):
    """A built-in cannot do what was asked; the model is told why."""


class ChangedMeanwhile(ToolProblem):
    """Another program was faster; nothing was changed."""

    def __init__(self, message: str, shown: str) -> None:
        """`shown`: the file, relative to the workspace."""
        super().__init__(message)
        self.shown = shown


class Stopped(Exception):
    """The call was cancelled while the tool was at work."""


Run = Callable[[Mapping[str, Json], threading.Event], str]
"""Arguments (already valid) and a flag that asks it to stop → text for the model. Runs in a thread."""
StateRun = Callable[[Mapping[str, Json], threading.Event, str], str]
"""The same for what is previewed; the third is the state that was previewed, and for another it raises `Outdated`."""
AsyncRun = Callable[[Mapping[str, Json], CallContext], Awaitable[str]]
"""The same for what waits more than it works, or reports while it runs; cancellation stops it. Runs on the loop."""
Prepare = Callable[[Mapping[str, Json]], Preview | None]
"""What a call with these arguments would do; None = there is nothing to show beyond the arguments."""


@dataclass(frozen=True, slots=True)
class BuiltinTool:
    tool: Tool
    run: Run | AsyncRun
    """An `async def` is awaited on the loop, anything else runs in a thread."""
    prepare: Prepare | None = None
    run_previewed: StateRun | None = None
    """How it is run where a person has approved a preview: only if what was previewed is still so."""


class Closable(Protocol):
    """A part behind some tools that holds something open."""

    async def close(self) -> None: ...


class BuiltinSource:
    name = SOURCE_NAME

    def __init__(self, tools: Iterable[BuiltinTool], parts: Iterable[Closable] = ()) -> None:
        self._tools = {entry.tool.name: entry for entry in tools}
        self._parts = tuple(parts)

    def tools(self) -> tuple[Tool, ...]:
        return tuple(entry.tool for entry in self._tools.values())

    def on_change(self, listener: Callable[[], None]) -> None:
        """Built-ins never change while the program runs."""

    async def open(self) -> None:
        """Nothing to connect to."""

    async def close(self) -> None:
        """Ends what tools have left running."""
        for part in self._parts:
            await part.close()

    def preview(self, tool: Tool, arguments: Mapping[str, Json]) -> Preview | None:
        """What a call would do, for the person who decides it; None where it can't be told or would be refused anyway.

        `tool` is the tool as this source knows it, `arguments` fit its schema. Reads at most a file or two.
        """
        entry = self._tools.get(tool.name)
        if entry is None or entry.prepare is None:
            return None
        try:
            return entry.prepare(arguments)
        except (ToolProblem, OutsideWorkspace, OSError):
            return None  # the call itself says why, in words for the model

    def executor(self, tool: Tool) -> Executor:
        return executor("built-in", ("Built into Callgate",), tool=tool.name)

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        try:
            text = await self._run(self._tools[tool.name], arguments, context)
        except ChangedMeanwhile as problem:
            if context.previewed:
                raise Outdated(problem.shown) from problem
            return Outcome((Text(str(problem)),), is_error=True)
        except (ToolProblem, OutsideWorkspace) as problem:
            return Outcome((Text(str(problem)),), is_error=True)
        except OSError as problem:
            return Outcome((Text(f"{problem.strerror or problem}: {problem.filename or ''}".rstrip(": ")),), True)
        return Outcome((Text(text),))

    async def _run(self, entry: BuiltinTool, arguments: Mapping[str, Json], context: CallContext) -> str:
        run = entry.run
        if _waits(run):
            return await run(arguments, context)
        assert _works(run)
        stop = threading.Event()
        try:
            if entry.run_previewed is not None and context.previewed:
                return await asyncio.to_thread(entry.run_previewed, arguments, stop, context.previewed)
            return await asyncio.to_thread(run, arguments, stop)
        finally:
            stop.set()  # of use only if the wait was cancelled: the thread is still at work then


def _waits(run: Run | AsyncRun) -> TypeGuard[AsyncRun]:
    return inspect.iscoroutinefunction(run)


def _works(run: Run | AsyncRun) -> TypeGuard[Run]:
    return not inspect.iscoroutinefunction(run)
