"""The source of built-in tools: runs each in a thread, so that a slow disk never holds up the loop."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from callgate.core.messages import Json, Text
from callgate.core.tool import Outcome, Tool
from callgate.tools.confinement import OutsideWorkspace
from callgate.tools.source import CallContext


class ToolProblem(Exception):
    """A built-in cannot do what was asked; the model is told why."""


class Stopped(Exception):
    """The call was cancelled while the tool was at work."""


@dataclass(frozen=True, slots=True)
class BuiltinTool:
    tool: Tool
    run: Callable[[Mapping[str, Json], threading.Event], str]
    """Arguments (already valid) and a flag that asks it to stop → text for the model."""


class BuiltinSource:
    name = "built-in"

    def __init__(self, tools: Iterable[BuiltinTool]) -> None:
        self._tools = {entry.tool.name: entry for entry in tools}

    def tools(self) -> tuple[Tool, ...]:
        return tuple(entry.tool for entry in self._tools.values())

    def on_change(self, listener: Callable[[], None]) -> None:
        """Built-ins never change while the program runs."""

    async def open(self) -> None:
        """Nothing to connect to."""

    async def close(self) -> None:
        """Nothing to disconnect from."""

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        stop = threading.Event()
        try:
            text = await asyncio.to_thread(self._tools[tool.name].run, arguments, stop)
        except (ToolProblem, OutsideWorkspace) as problem:
            return Outcome((Text(str(problem)),), is_error=True)
        except OSError as problem:
            return Outcome((Text(f"{problem.strerror or problem}: {problem.filename or ''}".rstrip(": ")),), True)
        except asyncio.CancelledError:
            stop.set()
            raise
        return Outcome((Text(text),))
