"""An MCP server that says much while it serves a call: `talkative.py [http]`. Over HTTP it prints its port.

Each call of `work` waits for as many others as it is told to, then logs, reports progress, asks the person (older era)
and answers, all with the JSON-RPC id of its own request in it, the last to arrive first. Run as a program.
"""

import asyncio
import os
import socket
import sys
import warnings

import mcp_types as mcp
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

warnings.simplefilter("ignore")
FORM = {"type": "object", "properties": {"name": {"type": "string"}}}
arrived: list[str] = []
answered: list[str] = []
moved = asyncio.Condition()


async def list_tools(ctx: object, params: object) -> mcp.ListToolsResult:
    return mcp.ListToolsResult(
        tools=[mcp.Tool(name="work", description="talks while it works", input_schema={"type": "object"})]
    )


async def call_tool(ctx: object, params: mcp.CallToolRequestParams) -> mcp.CallToolResult:
    own, wanted = str(ctx.request_id), params.arguments or {}
    together = int(wanted.get("together", 1))
    async with moved:
        arrived.append(own)
        moved.notify_all()
        await moved.wait_for(lambda: len(arrived) >= together)
    batch = arrived[:together]
    for step in range(1, int(wanted.get("steps", 2)) + 1):
        await ctx.session.send_log_message("info", f"log of {own}", related_request_id=ctx.request_id)
        await ctx.session.report_progress(step, None, f"progress of {own}")
        await asyncio.sleep(float(wanted.get("pause", 0)))
    said = ""
    if wanted.get("ask") and ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        answer = await ctx.session.elicit_form(f"question of {own}", FORM, ctx.request_id)
        said = str((answer.content or {}).get("name", answer.action))
    async with moved:
        later = batch[batch.index(own) + 1 :]
        await moved.wait_for(lambda: set(later) <= set(answered))
        answered.append(own)
        moved.notify_all()
        if set(batch) <= set(answered):
            arrived.clear()
            answered.clear()
    return mcp.CallToolResult(
        content=[mcp.TextContent(text=f"{own} {said}".strip() + "x" * int(wanted.get("long", 0)))]
    )


server = Server("talkative", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


async def over_stdio() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if sys.argv[1:] == ["http"]:
    listening = socket.socket()
    listening.bind(("127.0.0.1", int(os.environ.get("PORT", "0"))))
    print(listening.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(server.streamable_http_app(), log_level="error")).run(sockets=[listening])
else:
    asyncio.run(over_stdio())
