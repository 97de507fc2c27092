"""One life of a connection to a server: from its first byte to its end, entered and left by one task.

The SDK's scopes must be left by the task that entered them; calls may come from any other.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AbstractContextManager, AsyncExitStack
from dataclasses import dataclass
from typing import Any, Literal

from mcp.client import Client, ClientSession, IncomingMessage
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp_types import METHOD_NOT_FOUND, Implementation, ServerCapabilities, Tool, ToolListChangedNotification
from mcp_types.version import LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS

import callgate
from callgate.core.config.settings import Era
from callgate.tools.mcp_source.definitions import read_listing
from callgate.tools.mcp_source.listing import Listing
from callgate.tools.mcp_source.questions import Questions
from callgate.tools.mcp_source.recorder import OnFrame, Recorder, Streams, Transport, tapped
from callgate.tools.mcp_source.sanitise import Sanitiser
from callgate.tools.time_limit import TimeLimit

CONNECT_SECONDS = 60.0
"""`npx` and `uvx` may have to fetch the server first; the probe of a silent older server alone takes ten."""
LIST_SECONDS = 20.0
"""A server that is up answers at once; one that does not is not worth more of a wait."""
MOST_PAGES = 100
"""A listing that goes on for ever must end somewhere."""
RELISTEN_SECONDS = 5.0
"""Between the loss of a change stream and the next attempt to open one."""

Mode = Literal["auto", "legacy"]
Start = Callable[[Coroutine[Any, Any, None], str], asyncio.Task[None]]
"""Starts a task that is kept and heard."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Who hears what happens on a connection."""

    on_ready: Callable[[], None]
    on_listing: Callable[[Listing], None]
    on_frame: OnFrame | None = None
    on_greeted: Callable[[], None] | None = None
    """The handshake is over; nothing was listed yet."""


class Connection:
    def __init__(self, name: str, questions: Questions, start: Start, watch: Watch) -> None:
        self.name = name
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Why it ended, in words; set by the owner once it is known."""
        self._questions = questions
        self._start = start
        self._watch = watch
        self._client: Client | None = None
        self._attention = asyncio.Event()
        self._leaving = False
        self._stale = False
        self._listed = asyncio.Event()
        """Set while nothing is known to have changed since the tools were listed."""
        self._sieve = Sanitiser(self._version)
        self._connecting = TimeLimit(CONNECT_SECONDS)

    @property
    def session(self) -> ClientSession:
        assert self._client is not None, "the connection is not open"
        return self._client.session

    @property
    def era(self) -> Era:
        return "modern" if self._version() in MODERN_PROTOCOL_VERSIONS else "legacy"

    @property
    def server(self) -> Implementation | None:
        return self._client.server_info if self._client is not None else None

    @property
    def protocol(self) -> str:
        """The revision that both sides agreed on."""
        return self._version()

    @property
    def capabilities(self) -> tuple[str, ...]:
        """What the server says it has, by MCP's names."""
        if self._client is None:
            return ()
        said = self._client.server_capabilities.model_dump(by_alias=True, exclude_none=True)
        return tuple(sorted(said))

    async def run(self, transport: AbstractAsyncContextManager[Streams], mode: Mode, over: Transport = "") -> None:
        """Returns when the server has gone or `leave` was called; raises what went wrong. `over`: what carries it."""
        listening: asyncio.Task[None] | None = None
        try:
            async with AsyncExitStack() as stack:
                async with self._connecting:
                    client = await stack.enter_async_context(self._make_client(transport, mode, over))
                    self._client = client
                    if self._watch.on_greeted is not None:
                        self._watch.on_greeted()
                    await self.relist()
                self._listed.set()
                if self.era == "modern" and _tells_changes(client.server_capabilities):
                    listening = self._start(self._listen(client), f"changes of MCP server {self.name}")
                self._watch.on_ready()
                await self._attend()
        finally:
            self._client = None
            self._listed.set()
            if listening is not None:
                listening.cancel()

    def hold(self) -> AbstractContextManager[None]:
        """While in it a person is asked, and the server's time to connect stands still."""
        return self._connecting.hold()

    def end(self, reason: str) -> None:
        """The owner knows now why it is over."""
        if not self.ended.done():
            self.ended.set_result(reason)

    def leave(self) -> None:
        """Ends the connection; its owner goes on from there."""
        self._leaving = True
        self._attention.set()

    async def listed(self) -> None:
        """Returns once the tools are listed as the server last said that they changed, or the connection is over."""
        async with asyncio.timeout(LIST_SECONDS):
            await self._listed.wait()

    async def relist(self) -> None:
        """Fetches all pages of the tool list."""
        assert self._client is not None
        self._sieve.take_findings()
        async with asyncio.timeout(LIST_SECONDS):
            try:
                tools, cut = await self._pages(self._client)
            except MCPError as refused:
                if refused.code != METHOD_NOT_FOUND or self._client.server_capabilities.tools is not None:
                    raise
                tools, cut = [], False  # it has only prompts or resources, and has said so
        unusable, mended = self._sieve.take_findings()
        if cut:
            mended = (*mended, ("", f"the list goes on after {MOST_PAGES} pages; the rest is left out"))
        self._watch.on_listing(read_listing(self.name, tools, unusable, mended))

    async def _pages(self, client: Client) -> tuple[list[Tool], bool]:
        """The tools of all pages, and whether there would be more."""
        tools: list[Tool] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            page = await client.list_tools(cursor=cursor)
            tools += page.tools
            cursor = page.next_cursor
            if cursor is None:
                return tools, False
        return tools, True

    # ---- the owner's part -------------------------------------------------------------------------------------------

    def _make_client(self, transport: AbstractAsyncContextManager[Streams], mode: Mode, over: Transport) -> Client:
        tap = Recorder(self.name, self._watch.on_frame, self.leave, self._sieve, over)
        return Client(
            tapped(transport, tap),
            mode=mode,
            cache=None,
            client_info=Implementation(name="callgate", version=callgate.__version__, title="Callgate"),
            elicitation_callback=self._questions.on_elicit,
            sampling_callback=self._questions.on_sample,
            list_roots_callback=self._questions.on_roots,
            message_handler=self._heard,
        )

    def _version(self) -> str:
        if self._client is None:
            return LATEST_HANDSHAKE_VERSION
        return self._client.session.protocol_version or LATEST_HANDSHAKE_VERSION

    async def _attend(self) -> None:
        while not self._leaving:
            await self._attention.wait()
            self._attention.clear()
            if self._stale and not self._leaving:
                self._stale = False
                await self.relist()
                if not self._stale:
                    self._listed.set()

    # ---- changes of the list ----------------------------------------------------------------------------------------

    def _changed(self) -> None:
        self._stale = True
        self._listed.clear()
        self._attention.set()

    async def _heard(self, message: IncomingMessage) -> None:
        if isinstance(message, ToolListChangedNotification):
            self._changed()

    async def _listen(self, client: Client) -> None:
        """Modern servers tell of changes only to those who ask; what was missed meanwhile is fetched."""
        while not self._leaving:
            try:
                async with client.listen(tools_list_changed=True) as subscription:
                    async for _ in subscription:
                        self._changed()
            except ListenNotSupportedError:
                return
            except (MCPError, SubscriptionLost):
                if self._leaving:
                    return
            await asyncio.sleep(RELISTEN_SECONDS)
            self._changed()


def _tells_changes(capabilities: ServerCapabilities) -> bool:
    return capabilities.tools is not None and capabilities.tools.list_changed is True
