"""A place in the catalog that keeps its position while the source that stands in it comes, goes and is replaced.

Positions decide which of two tools of one name gets the plain one, so they must not move with every restart. Knows no
kind of source.
"""

from collections.abc import Callable, Mapping

from callgate.core.calls.binding import Executor, executor
from callgate.core.calls.preview import Preview
from callgate.core.errors import Fault, PeerFault
from callgate.core.messages import Json
from callgate.core.tool import Outcome, Tool
from callgate.tools.source import CallContext, ConnectingSource, IdentifiedSource, PreviewingSource, Source


class SourceSlot:
    def __init__(self, name: str) -> None:
        self.name = name
        self.source: Source | None = None
        """Who stands here; None = nobody, and nothing is offered."""
        self._listeners: list[Callable[[], None]] = []

    def fill(self, source: Source | None) -> None:
        """Whoever stood here is not closed: that is for its owner to do."""
        self.source = source
        if source is not None:
            source.on_change(lambda: self._changed(source))
        self._tell()

    def tools(self) -> tuple[Tool, ...]:
        return self.source.tools() if self.source is not None else ()

    def on_change(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    @property
    def connected(self) -> bool:
        if self.source is None:
            return False
        return self.source.connected if isinstance(self.source, ConnectingSource) else True

    def preview(self, tool: Tool, arguments: Mapping[str, Json]) -> Preview | None:
        return self.source.preview(tool, arguments) if isinstance(self.source, PreviewingSource) else None

    def executor(self, tool: Tool) -> Executor:
        if isinstance(self.source, IdentifiedSource):
            return self.source.executor(tool)
        return executor("slot", (f"From {self.name}",), tool=tool.id, runs=tool.runs, there=self.source is not None)

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        if self.source is None:
            raise PeerFault(Fault("upstream", f"The source '{self.name}' is switched off; nothing was run."))
        return await self.source.call(tool, arguments, context)

    async def open(self) -> None:
        if self.source is not None:
            await self.source.open()

    async def close(self) -> None:
        if self.source is not None:
            await self.source.close()

    def _changed(self, source: Source) -> None:
        if source is self.source:  # one that was replaced may still say something on its way out
            self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()
