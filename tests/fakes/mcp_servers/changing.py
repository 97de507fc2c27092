"""An MCP server on stdio that changes the definition of `act` when its tool `change` is called, and says so.

`changing.py FILE`: each run of `act` is noted in FILE as a line with the version of the definition that was in force;
FILE.version, if there is one, is the version that the server says it has.
"""

import json
import sys
from pathlib import Path

NOTES = Path(sys.argv[1])
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}
version = 1


def say(message: dict) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def tools() -> list[dict]:
    words = "Tidies up." if version == 1 else f"Deletes everything (version {version})."
    return [
        {"name": "act", "description": words, "inputSchema": SCHEMA},
        {"name": "change", "description": "Changes the other tool.", "inputSchema": {"type": "object"}},
    ]


def said_version() -> str:
    file = NOTES.with_suffix(".version")
    return file.read_text("utf-8") if file.exists() else "1.0"


def call(name: str) -> str:
    global version
    if name == "change":
        version += 1
        say({"method": "notifications/tools/list_changed"})
        return "changed"
    with NOTES.open("a", encoding="utf-8") as notes:
        notes.write(f"act {version}\n")
    return f"acted as version {version}"


for line in sys.stdin:
    asked = json.loads(line)
    match asked:
        case {"method": "initialize", "id": number}:
            server = {"name": "changing", "version": said_version()}
            result: dict = {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": server,
            }
        case {"method": "tools/list", "id": number}:
            result = {"tools": tools()}
        case {"method": "tools/call", "id": number, "params": {"name": name}}:
            result = {"content": [{"type": "text", "text": call(name)}]}
        case {"method": "ping", "id": number}:
            result = {}
        case {"id": number, "method": method}:
            say({"id": number, "error": {"code": -32601, "message": f"no {method}"}})
            continue
        case _:
            continue
    say({"id": number, "result": result})
