"""Every tool of the catalog over MCP, for clients of both eras; each call goes through the gate.

Lists and calls, nothing else: there is no way to decide a call here. Knows the MCP SDK, which `mcp_endpoint` loads it
for.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, assert_never

import mcp_types as mcp
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import MCPError
from starlette.requests import Request
from starlette.types import ASGIApp

from callgate import __version__
from callgate.core.agent import Agent
from callgate.core.messages import File, Image, ResultPart, Text
from callgate.core.tool import Outcome, Tool
from callgate.engine.exchange.direct_call import Caller, ToolCaller
from callgate.engine.tasks import Tasks
from callgate.proxy.agents import AGENT_HEADER, agent_of, caller_of
from callgate.proxy.inbound import MOST_BYTES, headers_of
from callgate.tools.catalog import Catalog, UnknownTool


# Callgate's tools and outcomes in MCP's words: the other direction of `tools/mcp_source/content`.
def write_tool(tool: Tool) -> mcp.Tool:
    """Without its output schema: a person may change or write a result, and then nothing structured goes with it."""
    hints = tool.annotations
    return mcp.Tool(
        name=tool.name,
        title=tool.title or None,
        description=tool.description or None,
        input_schema={"type": "object", **tool.schema},
        annotations=mcp.ToolAnnotations(
            title=tool.title or None,
            read_only_hint=hints.read_only,
            destructive_hint=hints.destructive,
            idempotent_hint=hints.idempotent,
            open_world_hint=hints.open_world,
        ),
        icons=[mcp.Icon(src=icon) for icon in tool.icons] or None,
    )


def write_outcome(outcome: Outcome) -> mcp.CallToolResult:
    structured = outcome.structured if isinstance(outcome.structured, dict) else None
    return mcp.CallToolResult(
        content=[write_part(part) for part in outcome.parts], structured_content=structured, is_error=outcome.is_error
    )


def write_part(part: ResultPart) -> mcp.ContentBlock:
    match part:
        case Text():
            return mcp.TextContent(text=part.text)
        case Image() if part.data:
            return mcp.ImageContent(data=part.data, mime_type=part.media_type)
        case File() if part.data and part.media_type.startswith("audio/"):
            return mcp.AudioContent(data=part.data, mime_type=part.media_type)
        case File() if part.data:
            name = part.name or "file"
            return mcp.EmbeddedResource(
                resource=mcp.BlobResourceContents(uri=f"attachment:{name}", blob=part.data, mime_type=part.media_type)
            )
        case Image() | File():
            name = part.name if isinstance(part, File) and part.name else part.kind
            return mcp.ResourceLink(uri=part.url or part.file_id, name=name, mime_type=part.media_type or None)
        case _:
            assert_never(part)


SECONDS = 5.0
"""Clients give up after 60 s of silence and more; five seconds outlive any proxy in between."""
_STEP = 1e-6
"""Progress must grow; steps this small leave room for what the tool itself will report."""

Send = Callable[[float, float | None, str | None], Awaitable[None]]
"""Done, total, message."""


class Heartbeat:
    """Progress for a client whose call takes its time: the tool's own words, and a sign of life while there are
    none.
    """

    def __init__(self, send: Send, seconds: float = SECONDS) -> None:
        self._send = send
        self._seconds = seconds
        self._reports: asyncio.Queue[tuple[str, float | None, float | None] | None] = asyncio.Queue()
        self._done = 0.0
        self._total: float | None = None
        self._text = ""

    def report(self, text: str, done: float | None, total: float | None) -> None:
        self._reports.put_nowait((text, done, total))

    def end(self) -> None:
        """No more reports: `beat` returns once those before have been sent."""
        self._reports.put_nowait(None)

    async def beat(self) -> None:
        while True:
            try:
                async with asyncio.timeout(self._seconds):
                    report = await self._reports.get()
            except TimeoutError:
                await self._tell(None)
                continue
            if report is None:
                return
            text, done, self._total = report
            self._text = text or self._text
            await self._tell(done)

    async def _tell(self, done: float | None) -> None:
        self._done = done if done is not None and done > self._done else self._done + _STEP
        await self._send(self._done, self._total, self._text or None)


SESSION_SECONDS = 30 * 60.0
"""A client of the older era that is silent for that long has gone without saying so."""
_SESSION_HEADER = "mcp-session-id"
_CONVERSATION_HEADER = "x-callgate-conversation"
"""Clients of the newer era have no sessions; with this they can keep conversations apart."""
FLUSH_SECONDS = 1.0
"""What the last progress gets to go out before the result."""
_INSTRUCTIONS = (
    "Every call goes through Callgate, where a person may approve, change, answer or deny it. A call may therefore "
    "take minutes; progress notifications tell that it still waits. A denied call must not be retried or worked around."
)


@dataclass(slots=True)
class _Known:
    """A session of the older era, which is told of changes by a message of its own."""

    session: ServerSession
    seen: float


class _GateServer(Server[Any]):
    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *more: Any, **others: Any
    ) -> InitializationOptions:
        # the session manager passes none, and clients of the older era would then not be told to expect changes
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, *more, **others)


class McpGateServer:
    """Entered and left by one task, as the SDK's session manager wants it: `run`."""

    def __init__(self, catalog: Catalog, caller: ToolCaller, tasks: Tasks) -> None:
        self._catalog = catalog
        self._caller = caller
        self._tasks = tasks
        self._bus = InMemorySubscriptionBus()
        self._listening = ListenHandler(self._bus)
        self._sessions: dict[str, _Known] = {}
        self._manager = StreamableHTTPSessionManager(
            self._server(), session_idle_timeout=SESSION_SECONDS, max_request_body_size=MOST_BYTES
        )

    # ---- its life ---------------------------------------------------------------------------------------------------

    async def run(self, ready: Callable[[], None]) -> None:
        """Until it is cancelled; then all sessions and streams end, and calls that still run are withdrawn."""
        async with self._manager.run():
            ready()
            await asyncio.Event().wait()

    def leave(self) -> None:
        """Ends what clients listen to; comes before the cancellation."""
        self._sessions.clear()
        self._listening.close()

    def app_for(self, request: Request) -> ASGIApp:
        """What answers the request; the answer is streamed by the SDK."""
        session = request.headers.get(_SESSION_HEADER, "")
        if request.method == "DELETE":
            self._sessions.pop(session, None)
        elif session in self._sessions:
            self._sessions[session].seen = time.monotonic()
        return self._manager.asgi_app

    # ---- what it serves ---------------------------------------------------------------------------------------------

    def _server(self) -> Server[Any]:
        server = _GateServer(
            "callgate",
            version=__version__,
            title="Callgate",
            instructions=_INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
            on_subscriptions_listen=self._listening,
        )
        server.middleware.append(self._watch_sessions)
        return server

    async def _list(
        self, context: ServerRequestContext[Any], params: mcp.PaginatedRequestParams | None
    ) -> mcp.ListToolsResult:
        offered = self._catalog.offered(_caller(context).agent)
        return mcp.ListToolsResult(tools=[write_tool(tool) for tool in offered])

    async def _call(self, context: ServerRequestContext[Any], params: mcp.CallToolRequestParams) -> mcp.CallToolResult:
        heart = Heartbeat(context.session.report_progress)
        beating = self._tasks.start(heart.beat(), "MCP progress")
        try:
            outcome = await self._caller.call(params.name, params.arguments or {}, _caller(context), heart.report)
            heart.end()
            await asyncio.wait({beating}, timeout=FLUSH_SECONDS)
        except UnknownTool as unknown:
            raise MCPError(mcp.INVALID_PARAMS, f"Unknown tool: {params.name}") from unknown
        finally:
            beating.cancel()
        return write_outcome(outcome)

    # ---- changes ----------------------------------------------------------------------------------------------------

    async def _watch_sessions(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method == "notifications/initialized" and isinstance(ctx.request, Request):
            session = ctx.request.headers.get(_SESSION_HEADER, "")
            if session:
                self._sessions[session] = _Known(ctx.session, time.monotonic())
        return await call_next(ctx)

    async def tell_of_change(self) -> None:
        """The catalog has changed; clients of both eras hear of it."""
        await self._bus.publish(ToolsListChanged())
        now = time.monotonic()
        self._sessions = {key: known for key, known in self._sessions.items() if now - known.seen < SESSION_SECONDS}
        for known in tuple(self._sessions.values()):
            await known.session.send_tool_list_changed()


def _caller(context: ServerRequestContext[Any]) -> Caller:
    """Who calls: by its token, else by the header for it, by what the client says of itself, by its user agent."""
    headers, agent = {}, Agent("")
    if isinstance(context.request, Request):
        headers, agent = headers_of(context.request), caller_of(context.request)
    client = context.session.client_params
    name = agent.name
    if not agent.proven:
        name = agent_of({AGENT_HEADER: client.client_info.name, **headers} if client is not None else headers)
    session = headers.get(_CONVERSATION_HEADER) or headers.get(_SESSION_HEADER) or f"agent {name}"
    return Caller(name, session, agent.proven, agent.token_id, agent.process)
