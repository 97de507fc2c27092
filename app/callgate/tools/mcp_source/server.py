"""An MCP server as everybody else sees it: a source with a life of its own.

Whoever only looks at servers, or has none, need not wait for the MCP SDK, which takes the better part of a second to
load. `source` has the thing itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from callgate.core.config.settings import Era, SourceSettings
from callgate.tools.mcp_source.listing import ToolProblem
from callgate.tools.mcp_source.status import State, Status
from callgate.tools.source import Source


@dataclass(frozen=True, slots=True)
class ServerName:
    """What a server says of itself."""

    title: str
    version: str


@runtime_checkable
class McpServer(Source, Protocol):
    settings: SourceSettings

    @property
    def problems(self) -> tuple[ToolProblem, ...]:
        """What is wrong with tools that the server lists."""
        ...

    @property
    def status(self) -> Status: ...

    @property
    def state(self) -> State: ...

    @property
    def era(self) -> Era:
        """Which MCP era the server speaks."""
        ...

    @property
    def transport(self) -> Literal["", "stdio", "http", "sse"]:
        """Empty = it was not tried yet which one the server speaks."""
        ...

    @property
    def protocol(self) -> str:
        """The revision that is spoken, while the server is there."""
        ...

    @property
    def server(self) -> ServerName | None:
        """None while it is not there."""
        ...

    @property
    def pid(self) -> int | None: ...

    def on_status(self, listener: Callable[[Status], None]) -> None: ...

    async def settled(self, seconds: float) -> None:
        """Waits, within bounds, until the server is ready or has been given up for now."""
        ...

    def restart(self) -> None:
        """The person wants it started again, now and whatever happened before."""
        ...
