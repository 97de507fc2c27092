"""The invoker: runs an approved call and turns whatever happens into exactly one result."""

import asyncio
import logging
import time
from collections.abc import Callable

from callgate.core.errors import PeerFault
from callgate.core.events import ToolOutput
from callgate.core.invocation import Invocation
from callgate.core.messages import Text, ToolResult
from callgate.core.preview import Preview
from callgate.engine.bus import Bus
from callgate.tools.arguments import ArgumentChecker, BadArguments
from callgate.tools.catalog import Catalog, UnknownTool
from callgate.tools.source import CallContext

log = logging.getLogger(__name__)


class Invoker:
    def __init__(
        self, catalog: Catalog, bus: Bus, timeout_seconds: float, clock: Callable[[], float] = time.time
    ) -> None:
        self._catalog = catalog
        self._bus = bus
        self._timeout = timeout_seconds
        self._clock = clock
        self._checker = ArgumentChecker()

    def problem_with(self, invocation: Invocation, arguments: str) -> str:
        """Why the tool must not be given these arguments; empty = they are fine."""
        tool = self._catalog.get(invocation.tool)
        if tool is None:
            return f"There is no tool named '{invocation.tool}' any more."
        try:
            self._checker.read(tool, arguments)
        except BadArguments as bad:
            return f"The arguments for '{tool.name}' do not fit its schema: {bad}. Nothing was run; correct them."
        return ""

    async def run(self, invocation: Invocation) -> ToolResult:
        """Runs the call. Only a cancellation comes out as an exception."""
        try:
            tool = self._catalog.get(invocation.tool)
            if tool is None:
                raise UnknownTool(invocation.tool)
            arguments = self._checker.read(tool, invocation.effective_arguments)
            async with asyncio.timeout(self._timeout):
                outcome = await self._catalog.call(tool.name, arguments, self._context(invocation))
        except UnknownTool:
            return _failed(invocation, f"The tool '{invocation.tool}' has gone; nothing was run.")
        except BadArguments as bad:
            return _failed(invocation, f"The arguments do not fit the tool's schema: {bad}. Nothing was run.")
        except TimeoutError:
            return _failed(
                invocation, f"'{invocation.tool}' did not finish within {self._timeout:g} seconds and was stopped."
            )
        except PeerFault as fault:
            return _failed(invocation, f"'{invocation.tool}' failed: {fault}")
        except Exception as error:  # a tool's bug is the tool's failure, told to the model and logged in full
            log.exception("tool %s failed", invocation.tool)
            return _failed(invocation, f"'{invocation.tool}' failed: {type(error).__name__}: {error}")
        return ToolResult(
            invocation.call_id, outcome.parts, outcome.is_error, name=invocation.tool, variant=invocation.variant
        )

    async def preview(self, invocation: Invocation) -> Preview | None:
        """What the call would do, where Callgate runs it and its source can tell; looking changes nothing."""
        tool = self._catalog.get(invocation.tool)
        if tool is None or invocation.owner == "client":
            return None
        try:
            arguments = self._checker.read(tool, invocation.arguments)
        except BadArguments:
            return None
        return await asyncio.to_thread(self._catalog.preview, tool.name, arguments)

    def runs_beside_others(self, invocation: Invocation) -> bool:
        """Whether the tool says that it changes nothing, so that its calls need no order."""
        tool = self._catalog.get(invocation.tool)
        return tool is not None and tool.annotations.read_only is True

    def _context(self, invocation: Invocation) -> CallContext:
        def report(text: str, progress: float | None = None, total: float | None = None) -> None:
            self._bus.publish(
                ToolOutput(invocation.id, invocation.conversation_id, text, self._clock(), progress, total)
            )

        return CallContext(invocation.call_id, invocation.conversation_id, report)


def _failed(invocation: Invocation, text: str) -> ToolResult:
    return ToolResult(
        invocation.call_id, (Text(text),), is_error=True, name=invocation.tool, variant=invocation.variant
    )
