"""MCP servers with bad manners, without any SDK: `rude.py MANNER`. Speaks the older era by hand; starts in an instant.

polite        nothing wrong: for what needs a quick server
silent        ignores every method it does not know, as some older servers do
fragile       exits at the first request that it does not know
garbage       prints lines that are not JSON before and between its messages
immortal      ignores SIGTERM and the end of its stdin, and has a child that does the same
mute          reads but never answers
quits         exits with code 3 at once
endless       a tool list that never ends
broken_tools  lists some tools that can't be used
broken_result answers calls with content that is none
strange       names that no wire takes, and a schema with a cycle
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

MANNER = sys.argv[1]
OBJECT = {"type": "object"}


def send(message: dict) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def log(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


BROKEN_TOOLS = [
    {"name": "good", "inputSchema": OBJECT},
    {"name": "no_type", "inputSchema": {"properties": {"a": {"type": "string"}}}},
    {"name": "no_schema"},
    {"name": "schema_is_text", "description": "bad", "inputSchema": "object"},
    {"name": "bad_schema", "inputSchema": {"type": "object", "properties": {"a": {"type": "strin"}}}},
    {"name": "far_ref", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:1/x"}}}},
    {"name": "bad_output", "inputSchema": OBJECT, "outputSchema": {"type": "object", "required": 3}},
    {"name": "task_only", "inputSchema": OBJECT, "execution": {"taskSupport": "required"}},
    {"name": "good", "inputSchema": OBJECT, "description": "again"},
    {"description": "nameless", "inputSchema": OBJECT},
    "not even an object",
]


TREE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "child": {"$ref": "#"}},
    "required": ["name"],
    "additionalProperties": False,
}


def tools(cursor: str | None) -> dict:
    if MANNER == "strange":
        names = ("get the weather", "x" * 200, "x" * 201)
        return {"tools": [*({"name": n, "inputSchema": OBJECT} for n in names), {"name": "tree", "inputSchema": TREE}]}
    if MANNER == "broken_tools":
        return {"tools": BROKEN_TOOLS}
    if MANNER == "endless":
        number = int(cursor or 0)
        return {"tools": [{"name": f"t{number}", "inputSchema": OBJECT}], "nextCursor": str(number + 1)}
    return {"tools": [{"name": name, "inputSchema": OBJECT} for name in ("environment", "big", "echo")]}


def call(params: dict) -> dict:
    arguments = params.get("arguments") or {}
    if MANNER == "broken_result":
        return {
            "content": [{"type": "text", "text": "fine"}, {"type": "hologram", "data": "?"}],
            "structuredContent": [1, 2],
        }
    match params["name"]:
        case "environment":
            words = json.dumps({"env": dict(os.environ), "cwd": str(Path.cwd()), "argv": sys.argv[2:]})
        case _ if MANNER == "strange":
            words = params["name"]
        case "big":
            words = "x" * int(arguments["size"])
        case _:
            words = json.dumps(arguments)
    return {"content": [{"type": "text", "text": words}]}


def answer(request: dict) -> None:
    params = request.get("params") or {}
    match request["method"]:
        case "initialize":
            result = {
                "protocolVersion": "2025-06-18",
                "capabilities": {"prompts": {}} if MANNER == "toolless" else {"tools": {}},
                "serverInfo": {"name": MANNER, "version": "0"},
            }
        case "tools/list" if MANNER != "toolless":
            result = tools(params.get("cursor"))
        case "tools/call":
            result = call(params)
        case _:
            if MANNER == "fragile":
                log(f"unexpected {request['method']}")
                sys.exit(1)
            if MANNER != "silent":
                send({"id": request["id"], "error": {"code": -32601, "message": "Method not found"}})
            return
    send({"id": request["id"], "result": result})


if MANNER == "quits":
    log("no licence found")
    sys.exit(3)
if MANNER == "immortal":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    log(f"child {child.pid}")
for line in sys.stdin:
    if MANNER == "garbage":
        print("Debug: got a line <html>", flush=True)
        print("\x00\xff not json {", flush=True)
    request = json.loads(line)
    if "id" in request and "method" in request and MANNER != "mute":
        answer(request)
while MANNER == "immortal":
    time.sleep(1)
