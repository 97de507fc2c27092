"""A source whose tools are whatever the test puts in; a call says which tool of which source it reached."""

from collections.abc import Callable, Mapping

from callgate.core.messages import Json, Text
from callgate.core.tool import Outcome, Tool
from callgate.tools.source import CallContext


class ListSource:
    def __init__(self, name: str, *tools: Tool, connected: bool = True) -> None:
        self.name = name
        self.connected = connected
        self.called: list[tuple[str, Mapping[str, Json]]] = []
        self._tools = tools
        self._listeners: list[Callable[[], None]] = []

    def tools(self) -> tuple[Tool, ...]:
        return self._tools

    def replace(self, *tools: Tool) -> None:
        self._tools = tools
        for listener in self._listeners:
            listener()

    def on_change(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        self.called.append((tool.name, arguments))
        return Outcome((Text(f"{self.name}:{tool.name}"),))
