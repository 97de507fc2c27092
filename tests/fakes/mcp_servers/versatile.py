"""An MCP server that does everything a client must bear, in both eras: `versatile.py [http|sse]`.

Over HTTP it prints the port that it listens on. Run as a program, never imported.
"""

import asyncio
import os
import socket
import sys
import warnings
from contextlib import asynccontextmanager

import mcp_types as mcp
import uvicorn
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.sse import SseServerTransport
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Mount, Route

warnings.simplefilter("ignore")
PAGE = 4
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
ANYTHING = {"type": "object"}
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}

bus = InMemorySubscriptionBus()
extra: list[str] = []


def tool(name: str, **more: object) -> mcp.Tool:
    return mcp.Tool(name=name, description=f"does {name}", input_schema=ANYTHING, **more)


def tools() -> list[mcp.Tool]:
    hints = mcp.ToolAnnotations(title="Hinted", read_only_hint=True, destructive_hint=False, open_world_hint=False)
    icon = mcp.Icon(src="data:image/png;base64," + PICTURE)
    return [
        tool("echo", title="Echo", annotations=hints, icons=[icon]),
        *map(tool, ("progress", "hang", "ask", "ask_link", "sample", "roots", "grow", "contents", "fail", "refuse")),
        tool("true_number", output_schema=NUMBER),
        tool("liar", output_schema=NUMBER),
        tool("silent_liar", output_schema=NUMBER),
        tool("die"),
        tool("cancelled_count"),
        *map(tool, extra),
    ]


async def list_tools(ctx: object, params: mcp.PaginatedRequestParams | None) -> mcp.ListToolsResult:
    start = int(params.cursor) if params and params.cursor else 0
    listed = tools()
    more = start + PAGE < len(listed)
    return mcp.ListToolsResult(tools=listed[start : start + PAGE], next_cursor=str(start + PAGE) if more else None)


def text(words: str, **more: object) -> mcp.CallToolResult:
    return mcp.CallToolResult(content=[mcp.TextContent(text=words)], **more)


cancelled = 0


async def hang(ctx: object) -> mcp.CallToolResult:
    global cancelled
    print("hanging", file=sys.stderr, flush=True)
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        cancelled += 1
        raise
    return text("impossible")


async def progress(ctx: object) -> mcp.CallToolResult:
    for step in range(1, 4):
        await ctx.session.report_progress(step, 3, f"step {step}")
    return text("done")


def contents() -> mcp.CallToolResult:
    return mcp.CallToolResult(
        content=[
            mcp.TextContent(text="hello"),
            mcp.ImageContent(data=PICTURE, mime_type="image/png"),
            mcp.AudioContent(data="UklGRg==", mime_type="audio/wav"),
            mcp.ResourceLink(uri="file:///x/a.txt", name="a.txt", description="a file"),
            mcp.EmbeddedResource(resource=mcp.TextResourceContents(uri="file:///x/b.txt", text="inside")),
            mcp.EmbeddedResource(
                resource=mcp.BlobResourceContents(uri="file:///x/c.pdf", blob="JVBERg==", mime_type="application/pdf")
            ),
            mcp.EmbeddedResource(
                resource=mcp.BlobResourceContents(uri="file:///x/d.png", blob=PICTURE, mime_type="image/png")
            ),
        ]
    )


async def ask(ctx: object, params: mcp.CallToolRequestParams, request: mcp.InputRequest) -> object:
    """One question to the client, the way its era does it; None = ask first."""
    if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return (params.input_responses or {}).get("q")
    match request:
        case mcp.ElicitRequest(params=mcp.ElicitRequestURLParams() as link):
            return await ctx.session.elicit_url(link.message, link.url, "e1", ctx.request_id)
        case mcp.ElicitRequest(params=form):
            return await ctx.session.elicit_form(form.message, form.requested_schema, ctx.request_id)
        case mcp.CreateMessageRequest(params=wanted):
            return await ctx.session.create_message(
                wanted.messages, max_tokens=wanted.max_tokens, system_prompt=wanted.system_prompt
            )
        case _:
            return await ctx.session.list_roots()


QUESTIONS = {
    "ask": mcp.ElicitRequest(params=mcp.ElicitRequestFormParams(message="Who are you?", requested_schema=FORM)),
    "ask_link": mcp.ElicitRequest(params=mcp.ElicitRequestURLParams(message="Log in", url="https://login.test/x")),
    "sample": mcp.CreateMessageRequest(
        params=mcp.CreateMessageRequestParams(
            messages=[mcp.SamplingMessage(role="user", content=mcp.TextContent(text="Say something"))],
            system_prompt="Be brief",
            max_tokens=50,
        )
    ),
    "roots": mcp.ListRootsRequest(),
}


async def question(ctx: object, params: mcp.CallToolRequestParams) -> mcp.CallToolResult | mcp.InputRequiredResult:
    request = QUESTIONS[params.name]
    answer = await ask(ctx, params, request)
    if answer is None:
        return mcp.InputRequiredResult(input_requests={"q": request}, request_state="s1")
    return text(answer.model_dump_json(by_alias=True, exclude_none=True))


async def grow(ctx: object) -> mcp.CallToolResult:
    extra.append(f"extra_{len(extra)}")
    await bus.publish(ToolsListChanged())
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        await ctx.session.send_tool_list_changed()
    return text("grown")


async def call_tool(ctx: object, params: mcp.CallToolRequestParams) -> mcp.CallToolResult | mcp.InputRequiredResult:
    match params.name:
        case "echo":
            return text(str((params.arguments or {}).get("text", "")))
        case "progress":
            return await progress(ctx)
        case "hang":
            return await hang(ctx)
        case "grow":
            return await grow(ctx)
        case "contents":
            return contents()
        case "fail":
            return text("it went wrong", is_error=True)
        case "refuse":
            raise MCPError(code=-32602, message="those arguments make no sense")
        case "true_number":
            return text("1", structured_content={"n": 1})
        case "liar":
            return text("one", structured_content={"n": "one"})
        case "silent_liar":
            return text("nothing structured")
        case "cancelled_count":
            return text(str(cancelled))
        case "die":
            print("goodbye, cruel world", file=sys.stderr, flush=True)
            os._exit(7)
        case _ if params.name in QUESTIONS:
            return await question(ctx, params)
        case _:
            return text("extra")


class Versatile(Server):
    def get_capabilities(self, notification_options: NotificationOptions | None = None, *rest: object, **more: object):
        return super().get_capabilities(NotificationOptions(tools_changed=True), *rest, **more)


server = Versatile(
    "versatile",
    version="1.2.3",
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_subscriptions_listen=ListenHandler(bus),
)


async def over_stdio() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def sse_app() -> Starlette:
    transport = SseServerTransport("/messages/")

    async def handle(request: object) -> Response:
        async with transport.connect_sse(request.scope, request.receive, request._send) as (read, write):
            await server.run(read, write, server.create_initialization_options())
        return Response()

    @asynccontextmanager
    async def lifespan(app: Starlette):
        yield

    routes = [Route("/mcp", handle, methods=["GET"]), Mount("/messages/", app=transport.handle_post_message)]
    return Starlette(routes=routes, lifespan=lifespan)


def over_http(app: Starlette) -> None:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", int(os.environ.get("PORT", "0"))))
    print(listening.getsockname()[1], flush=True)
    config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listening])


match sys.argv[1:]:
    case ["http"]:
        over_http(server.streamable_http_app())
    case ["sse"]:
        over_http(sse_app())
    case _:
        asyncio.run(over_stdio())
