"""`callgate serve --on-ask prompt` at a terminal of its own, while the tool of a waiting `tools/call` changes."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
SECONDS = 30.0
DEPLOY = {"name": "deploy", "description": "Deploys.", "inputSchema": {"type": "object"}}


class Callbacks:
    def __init__(self) -> None:
        self.called: list[str] = []
        noted = self.called

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                noted.append(self.path)
                body = b'{"content": "done"}'
                self.send_response(200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"


class Terminal:
    """The program and the person's end of its terminal."""

    def __init__(self, process: "subprocess.Popen[bytes]", person: int) -> None:
        self._process, self._person = process, person
        self.said = ""
        self._read_to = 0
        self.address = self.sees(r"Callgate listening on (\S+)")[1]

    def sees(self, pattern: str) -> "re.Match[str]":
        """The next place where it says that, after what was seen last."""
        ends = time.monotonic() + SECONDS
        while (found := re.compile(pattern, re.DOTALL).search(self.said, self._read_to)) is None:
            assert time.monotonic() < ends, f"{pattern!r} never came after:\n{self.said[self._read_to :]}"
            if select.select([self._person], [], [], 0.1)[0]:
                self.said += os.read(self._person, 4096).decode("utf-8", "replace").replace("\r\n", "\n")
        self._read_to = found.end()
        return found

    def types(self, text: str) -> None:
        os.write(self._person, text.encode())

    def answers(self, text: str, expected: str) -> None:
        """Types a line, and again where it came before the question could be read."""
        self.types(f"{text}\n")
        while self.sees(f"{expected}|type it again")[0] == "type it again":
            self.types(f"{text}\n")

    def register(self, url: str) -> None:
        answer = httpx.post(f"{self.address}/v1/tools", json={**DEPLOY, "callback_url": url}, trust_env=False)
        assert answer.status_code in (200, 201), answer.text

    def replace(self, url: str) -> None:
        assert httpx.delete(f"{self.address}/v1/tools/deploy", trust_env=False).status_code in (200, 204)
        self.register(url)

    def call(self) -> "Future[dict[str, Any]]":
        """A `tools/call` of an MCP client; the result as it gets it."""
        result: Future[dict[str, Any]] = Future()
        threading.Thread(target=self._call, args=(result,), daemon=True).start()
        return result

    def _call(self, result: "Future[dict[str, Any]]") -> None:
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "agent", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        call = {"name": "deploy", "arguments": {}, "_meta": meta}
        headers = {
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": "tools/call",
            "mcp-name": "deploy",
        }
        try:
            answer = httpx.post(
                f"{self.address}/mcp",
                json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call},
                headers=headers,
                timeout=SECONDS,
                trust_env=False,
            )
            lines = [line.removeprefix("data:") for line in answer.text.splitlines() if line.startswith("data:")]
            result.set_result(json.loads(lines[-1] if lines else answer.text))
        except (httpx.HTTPError, ValueError) as failure:
            result.set_exception(failure)


@pytest.fixture
def callbacks() -> Iterator[Callbacks]:
    noted = Callbacks()
    thread = threading.Thread(target=noted.server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield noted
    noted.server.shutdown()
    thread.join(10)
    noted.server.server_close()


@contextmanager
def prompting(folder: Path) -> Iterator[Terminal]:
    person, program = pty.openpty()
    (folder / "work").mkdir()
    options = ["--port", "0", "--data", str(folder / "data"), "--workspace", str(folder / "work")]
    process = subprocess.Popen(
        [sys.executable, "-m", "callgate", "serve", "--on-ask", "prompt", *options],
        stdin=program,
        stdout=program,
        stderr=program,
        start_new_session=True,
    )
    os.close(program)
    try:
        yield Terminal(process, person)
    finally:
        process.terminate()
        process.wait(20)
        os.close(person)


def test_a_call_whose_tool_was_replaced_is_asked_about_anew_with_the_difference(
    tmp_path: Path, callbacks: Callbacks
) -> None:
    with prompting(tmp_path) as terminal:
        terminal.register(f"{callbacks.address}/safe")
        result = terminal.call()
        terminal.sees(r"wants to run deploy .*?/safe.*?\[a\]pprove")
        terminal.replace(f"{callbacks.address}/evil")
        terminal.sees(r"deploy was decided elsewhere, was withdrawn or has changed")
        asked = terminal.sees(r"wants to run deploy .*?/safe.*?/evil.*?\[a\]pprove[^\n]*")
        assert "│" in asked[0], "the difference is marked"
        assert callbacks.called == []
        terminal.answers("a", "deploy: approve")
        assert result.result(SECONDS)["result"]["content"][0]["text"] == "done"
    assert callbacks.called == ["/evil"]


def test_what_was_typed_for_the_old_definition_does_not_answer_for_the_new_one(
    tmp_path: Path, callbacks: Callbacks
) -> None:
    with prompting(tmp_path) as terminal:
        terminal.register(f"{callbacks.address}/safe")
        result = terminal.call()
        terminal.sees(r"wants to run deploy .*?\[a\]pprove")
        terminal.types("a")  # and Enter is about to follow when the tool changes
        terminal.replace(f"{callbacks.address}/evil")
        terminal.sees(r"wants to run deploy .*?/evil.*?\[a\]pprove")
        terminal.answers("", "Please answer with one of")
        terminal.answers("d too late", "deploy: deny")
        assert "too late" in json.dumps(result.result(SECONDS))
    assert callbacks.called == []
