"""A call of a tool in the words of other programs: JSON, curl, Python. Pure; each runs as it is against the proxy.

A token never stands in the text: it is taken from the environment.
"""

import base64
import json
import shlex
from dataclasses import dataclass
from typing import Final

from callgate.core.messages import Json
from callgate.core.schema.form_value import read_json, spelled

TOKEN_VARIABLE: Final = "CALLGATE_TOKEN"
PROTOCOL: Final = "2026-07-28"
"""The version of MCP that needs no handshake: one request, one answer."""
_META: Final = "io.modelcontextprotocol"


@dataclass(frozen=True, slots=True)
class Call:
    address: str
    """Of the proxy, without a slash at its end."""
    tool: str
    arguments: str
    """JSON."""
    model: str
    needs_token: bool = False


def as_json(call: Call) -> str:
    return spelled({"name": call.tool, "arguments": read_json(call.arguments)}, 2)


def as_curl(call: Call) -> str:
    """One request to `/mcp`."""
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": call.tool,
            "arguments": read_json(call.arguments),
            "_meta": {f"{_META}/protocolVersion": PROTOCOL, f"{_META}/clientCapabilities": {}},
        },
    }
    headers = [
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        f"MCP-Protocol-Version: {PROTOCOL}",
        "Mcp-Method: tools/call",
        f"Mcp-Name: {_header(call.tool)}",
    ]
    lines = [f"curl -sS {shlex.quote(call.address + '/mcp')}"]
    lines += [f"  -H {shlex.quote(header)}" for header in headers]
    if call.needs_token:
        lines.append(f'  -H "Authorization: Bearer ${TOKEN_VARIABLE}"')
    lines.append(f"  --data-binary {shlex.quote(json.dumps(body))}")
    return " \\\n".join(lines) + "\n"


def as_openai(call: Call) -> str:
    """A model is asked to make the call: over these wires only models call tools."""
    wish = f"Call the tool {call.tool} with exactly these arguments: {spelled(read_json(call.arguments))}"
    key = f'os.environ["{TOKEN_VARIABLE}"]' if call.needs_token else '"callgate"'
    imports = ["import os", ""] if call.needs_token else []
    lines = [
        *imports,
        "from openai import OpenAI",
        "",
        f"client = OpenAI(base_url={call.address + '/v1'!r}, api_key={key})",
        "reply = client.chat.completions.create(",
        f"    model={call.model!r},",
        f'    messages=[{{"role": "user", "content": {wish!r}}}],',
        f'    tool_choice={{"type": "function", "function": {{"name": {call.tool!r}}}}},',
        '    extra_body={"use_tools": True, "tool_execution": "auto", "max_tool_rounds": 1},',
        ")",
        "print(reply.choices[0].message.content)",
    ]
    return "\n".join(lines) + "\n"


def as_mcp(call: Call) -> str:
    lines = ["import asyncio", *(["import os"] if call.needs_token else []), ""]
    target = repr(call.address + "/mcp")
    if call.needs_token:
        lines += [
            "import httpx2",
            "from mcp import Client",
            "from mcp.client.streamable_http import streamable_http_client",
            "",
            f'headers = {{"Authorization": f"Bearer {{os.environ[{TOKEN_VARIABLE!r}]}}"}}',
        ]
        opened = f"httpx2.AsyncClient(headers=headers, timeout=None) as http, Client({_transport(target)}) as client"
    else:
        lines += ["from mcp import Client", ""]
        opened = f"Client({target}) as client"
    lines += [
        f"arguments = {_literal(read_json(call.arguments), 0)}",
        "",
        "",
        "async def main() -> None:",
        f"    async with {opened}:",
        f"        result = await client.call_tool({call.tool!r}, arguments)",
        "        for part in result.content:",
        '            print(getattr(part, "text", part))',
        "",
        "",
        "asyncio.run(main())",
    ]
    return "\n".join(lines) + "\n"


def _transport(url: str) -> str:
    return f"streamable_http_client({url}, http_client=http)"


def _header(name: str) -> str:
    """Names that are no plain ASCII travel as MCP wraps them."""
    if name.isascii() and name.isprintable() and name == name.strip() and not name.startswith("=?"):
        return name
    return f"=?base64?{base64.b64encode(name.encode()).decode('ascii')}?="


def _literal(value: Json, depth: int) -> str:
    """A value as Python writes it, indented."""
    pad, end = "    " * (depth + 1), "    " * depth
    match value:
        case dict() if value:
            inner = "".join(f"{pad}{key!r}: {_literal(item, depth + 1)},\n" for key, item in value.items())
            return f"{{\n{inner}{end}}}"
        case list() if value:
            return "[\n" + "".join(f"{pad}{_literal(item, depth + 1)},\n" for item in value) + f"{end}]"
        case _:
            return repr(value)
