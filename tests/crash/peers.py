"""The peers of a Callgate that is killed: a provider, a callback that tools are answered by, and clients.

A task is known everywhere by its name: the client asks for it, the provider calls a tool with it, the tool leaves it in
a file or at the callback, and the journal must have it.
"""

import json
import random
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Kind = Literal["text", "file", "callback", "denied", "client"]
KINDS: tuple[Kind, ...] = ("text", "file", "callback", "denied", "client")
TOOLS: dict[Kind, str] = {
    "file": "write_file", "callback": "notify", "denied": "run_command", "client": "own_tool",
}  # fmt: skip
SECONDS = 20.0
_TASK = re.compile(r"task-(\w+)-[0-9a-f]+")
_WORDS = 12
"""Pieces of an answer in words: enough for a kill to fall between two of them."""

OWN_TOOL = {"type": "object", "properties": {"task": {"type": "string"}}}


def arguments_of(kind: Kind, task: str) -> str:
    match kind:
        case "file":
            return json.dumps({"path": f"{task}.txt", "content": task})
        case "denied":
            return json.dumps({"command": f"touch {task}"})
        case _:
            return json.dumps({"task": task})


# ---- servers -------------------------------------------------------------------------------------------------------


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Callgate is killed in the middle of its requests: that is the point."""


class _Provider(BaseHTTPRequestHandler):
    """OpenAI's chat wire. Answers a task with its tool's call, and a tool's result with words."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        said = json.dumps(body["messages"])
        task = next(_TASK.finditer(said))
        kind: Kind = task[1]  # type: ignore[assignment]
        answered = body["messages"][-1]["role"] == "tool" or kind == "text"
        words = [f"{task[0]} "] + ["and more "] * _WORDS
        call = {"id": f"call_{task[0]}", "type": "function", "index": 0}
        function = {"name": TOOLS.get(kind, ""), "arguments": arguments_of(kind, task[0])}
        finish = "stop" if answered else "tool_calls"
        if not body.get("stream"):
            message: dict[str, Any] = {"role": "assistant", "content": "".join(words)}
            if not answered:
                del call["index"]
                message = {"role": "assistant", "content": None, "tool_calls": [{**call, "function": function}]}
            self._send({"object": "chat.completion", "choices": [_choice(finish, message=message)]}, whole=True)
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        deltas = (
            [{"content": word} for word in words] if answered else [{"tool_calls": [{**call, "function": function}]}]
        )
        for delta in deltas:
            self._send({"object": "chat.completion.chunk", "choices": [_choice(None, delta=delta)]})
        self._send({"object": "chat.completion.chunk", "choices": [_choice(finish, delta={})]})
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def _send(self, value: dict[str, Any], *, whole: bool = False) -> None:
        data = json.dumps({"id": "chatcmpl-1", "created": 1, "model": "m", **value}).encode()
        if whole:
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
            return
        self.wfile.write(b"data: " + data + b"\n\n")
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None: ...


def _choice(finish: str | None, **said: Any) -> dict[str, Any]:
    return {"index": 0, "finish_reason": finish, **said}


@dataclass
class Peers:
    provider: str
    callback: str
    called: set[str] = field(default_factory=set)
    """Tasks that have reached the callback."""


@contextmanager
def peers() -> Iterator[Peers]:
    called: set[str] = set()

    class Callback(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            said = self.rfile.read(int(self.headers["content-length"])).decode()
            called.update(match[0] for match in _TASK.finditer(said))
            data = b'{"result": "noted"}'
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None: ...

    servers = [_Server(("127.0.0.1", 0), handler) for handler in (_Provider, Callback)]
    threads = [threading.Thread(target=server.serve_forever, daemon=True) for server in servers]
    for thread in threads:
        thread.start()
    try:
        provider, callback = (f"http://127.0.0.1:{server.server_address[1]}" for server in servers)
        yield Peers(f"{provider}/v1", f"{callback}/notify", called)
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()


# ---- clients -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wire:
    path: str
    stream_path: str
    body: Callable[[str], dict[str, Any]]
    finish: re.Pattern[bytes]
    """The first sign in a stream that all is said."""
    own_tool: Any
    streams_by_body: bool = True


WIRES: dict[str, Wire] = {
    "chat": Wire(
        "/v1/chat/completions",
        "/v1/chat/completions",
        lambda said: {"model": "m", "messages": [{"role": "user", "content": said}]},
        re.compile(rb'"finish_reason": ?"'),
        {"type": "function", "function": {"name": "own_tool", "parameters": OWN_TOOL}},
    ),
    "responses": Wire(
        "/v1/responses",
        "/v1/responses",
        lambda said: {"model": "m", "input": said},
        re.compile(rb"response\.completed"),
        {"type": "function", "name": "own_tool", "parameters": OWN_TOOL, "strict": False},
    ),
    "anthropic": Wire(
        "/v1/messages",
        "/v1/messages",
        lambda said: {"model": "m", "max_tokens": 1000, "messages": [{"role": "user", "content": said}]},
        re.compile(rb'"stop_reason": ?"'),
        {"name": "own_tool", "input_schema": OWN_TOOL},
    ),
    "gemini": Wire(
        "/v1beta/models/m:generateContent",
        "/v1beta/models/m:streamGenerateContent?alt=sse",
        lambda said: {"contents": [{"role": "user", "parts": [{"text": said}]}]},
        re.compile(rb'"finishReason": ?"'),
        {"functionDeclarations": [{"name": "own_tool", "parameters": {"type": "OBJECT", "properties": {
            "task": {"type": "STRING"}}}}]},
        streams_by_body=False,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Finished:
    """An exchange that its client has seen the end of."""

    task: str
    kind: Kind
    exchange: str
    wire: str
    streamed: bool
    body: bytes
    """What it had read by then."""


class Client(threading.Thread):
    """Sends one task after the other until Callgate is gone. `seen` is called at once when an end is seen."""

    def __init__(self, port: int, seed: int, seen: Callable[[Finished], None]) -> None:
        super().__init__(daemon=True)
        self._port = port
        self._random = random.Random(seed)
        self._seen = seen
        self.stop = False

    def run(self) -> None:
        while not self.stop:
            try:
                self._ask()
            except (OSError, HTTPException):
                return

    def _ask(self) -> None:
        kind = self._random.choice(KINDS)
        task = f"task-{kind}-{self._random.getrandbits(64):016x}"
        name = self._random.choice(list(WIRES))
        wire, streamed = WIRES[name], self._random.random() < 0.6
        body = wire.body(f"Please do {task}")
        if streamed and wire.streams_by_body:
            body["stream"] = True
        headers = {"content-type": "application/json", "user-agent": "crash/1"}
        if kind == "client":
            body["tools"] = [wire.own_tool]
        elif kind != "text":
            headers |= {"x-callgate-tools": TOOLS[kind], "x-callgate-execution": "auto"}
        connection = HTTPConnection("127.0.0.1", self._port, timeout=SECONDS)
        try:
            connection.request("POST", wire.stream_path if streamed else wire.path, json.dumps(body), headers)
            response = connection.getresponse()
            read = b""
            seen = False
            while data := response.read1(65536):
                read += data
                if streamed and not seen and wire.finish.search(read):
                    seen = True
                    self._tell(task, kind, name, response.getheader("x-callgate-exchange"), True, read)
            if not streamed and not seen:
                json.loads(read)  # else it was cut off, and nothing was finished
                self._tell(task, kind, name, response.getheader("x-callgate-exchange"), False, read)
        except ValueError:
            return
        finally:
            connection.close()
        assert response.status == 200, read

    def _tell(self, task: str, kind: Kind, wire: str, exchange: str | None, streamed: bool, read: bytes) -> None:
        assert exchange is not None
        self._seen(Finished(task, kind, exchange, wire, streamed, read))
