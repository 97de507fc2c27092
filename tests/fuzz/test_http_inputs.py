"""Random requests and replies against the real server: no error of ours, no hang, no traceback.

`CALLGATE_FUZZ` is the number of inputs, `CALLGATE_FUZZ_SEED` repeats a run.
"""

import json
import logging
import os
import random
import socket
import string
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.raw_http import SECONDS, connection, rest_of, status_of
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, ScriptedProvider, provider

from callgate.core.events import FaultRaised
from callgate.runtime.runtime import Launch

COUNT = int(os.environ.get("CALLGATE_FUZZ", "500"))
SEED = int(os.environ.get("CALLGATE_FUZZ_SEED") or random.SystemRandom().randrange(2**32))
KEPT_EVENTS = 2000
USUAL = "content-type: application/json\r\naccept: application/json, text/event-stream\r\n"
HUNG_UP = "ASGI callable returned without completing response."
"""Uvicorn, where a relayed reply breaks off: its client learns of it by the hang-up."""

WIRES = {"c": "openai-chat", "r": "openai-responses", "a": "anthropic", "g": "gemini", "o": "ollama"}
"""The first letter of a model's name → its provider's wire."""
TOOL = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
FUNCTION = {"name": "look_up", "description": "d", "parameters": TOOL}
BODIES: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": {
        "model": "c", "stream": True, "temperature": 1, "n": 1, "tool_choice": "auto",
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": [{"type": "text", "text": "hi"}]},
            {"role": "assistant", "content": None, "tool_calls": [
                {"id": "call_1", "type": "function", "function": {"name": "look_up", "arguments": "{\"city\":\"x\"}"}}
            ]},
            {"role": "tool", "tool_call_id": "call_1", "content": "sunny"},
        ],
        "tools": [{"type": "function", "function": FUNCTION}],
    },
    "/v1/responses": {
        "model": "r", "stream": True, "instructions": "s",
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "hi"}]},
            {"type": "function_call", "call_id": "call_1", "name": "look_up", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "call_1", "output": "sunny"},
        ],
        "tools": [{"type": "function", **FUNCTION}],
    },
    "/v1/messages": {
        "model": "a", "max_tokens": 9, "stream": True, "system": "s",
        "messages": [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "look_up", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "sunny"}]},
        ],
        "tools": [{"name": "look_up", "input_schema": TOOL}],
    },
    "/v1beta/models/g:streamGenerateContent?alt=sse": {
        "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
        "tools": [{"functionDeclarations": [FUNCTION]}],
        "generationConfig": {"temperature": 1},
    },
    "/api/chat": {
        "model": "o", "think": True, "options": {"temperature": 1, "stop": ["x"]}, "format": "json",
        "messages": [
            {"role": "user", "content": "hi", "images": ["aGk="]},
            {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "look_up", "arguments": {}}}]},
            {"role": "tool", "tool_name": "look_up", "content": "sunny"},
        ],
        "tools": [{"type": "function", "function": FUNCTION}],
    },
    "/api/show": {"model": "o"},
    "/v1/messages/count_tokens": {"model": "a", "messages": [{"role": "user", "content": "hi"}]},
    "/v1/tools": {"name": "t", "description": "d", "inputSchema": TOOL, "callback": "http://127.0.0.1:1/x"},
    "/mcp": {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}},
}  # fmt: skip
STREAMS: dict[str, list[tuple[str, Any]]] = {
    "c": [
        ("", {"id": "c", "model": "c", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "a"}}]}),
        ("", {"choices": [{"index": 0, "delta": {"tool_calls": [
            {"index": 0, "id": "call_1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
        ]}}]}),
        ("", {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 1}}),
    ],
    "r": [
        ("response.created", {"type": "response.created", "response": {"id": "r", "output": []}}),
        ("response.output_item.added", {"type": "response.output_item.added", "output_index": 0, "item": {
            "type": "function_call", "id": "i", "call_id": "call_1", "name": "look_up", "arguments": ""}}),
        ("response.function_call_arguments.delta", {
            "type": "response.function_call_arguments.delta", "item_id": "i", "output_index": 0, "delta": "{}"}),
        ("response.completed", {"type": "response.completed", "response": {"id": "r", "status": "completed",
            "output": [
                {"type": "function_call", "id": "i", "call_id": "call_1", "name": "look_up", "arguments": "{}"}]}}),
    ],
    "a": [
        ("message_start", {"type": "message_start", "message": {
            "id": "m", "role": "assistant", "content": [], "usage": {"input_tokens": 1}}}),
        ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": {
            "type": "tool_use", "id": "t", "name": "look_up", "input": {}}}),
        ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": {
            "type": "input_json_delta", "partial_json": "{}"}}),
        ("content_block_stop", {"type": "content_block_stop", "index": 0}),
        ("message_delta", {
            "type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}}),
        ("message_stop", {"type": "message_stop"}),
    ],
    "g": [
        ("", {"candidates": [{"content": {"role": "model", "parts": [{"text": "a"}]}, "index": 0}]}),
        ("", {"candidates": [{"content": {"parts": [{"functionCall": {"name": "look_up", "args": {}}}]},
              "finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 1}}),
    ],
    "o": [
        ("", {"model": "o", "created_at": "2026-11-19T08:00:00Z",
              "message": {"role": "assistant", "content": "a", "thinking": "b"}, "done": False}),
        ("", {"message": {"role": "assistant", "content": "", "tool_calls": [
            {"function": {"name": "look_up", "arguments": {}}}]}, "done": False}),
        ("", {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop", "eval_count": 1}),
    ],
}  # fmt: skip
NASTY: list[Any] = [
    None, True, False, 0, -1, 2**63, 2**64, -(2**63), 1.5, 1e308, "", "x", "\x00", "\ud7ff\ue000", "a" * 5000,
    "💥" * 50, "\u202eevil", "../../etc/passwd", "{", "null", [], {}, [[]],
    [None], {"": {}}, {"type": "x"}, [{}], {"$ref": "#"},
]  # fmt: skip
TARGET_BITS = [
    "/", "//", "/v1", "/v1beta", "/chat", "/completions", "/messages", "/responses", "/models", "/tools", "/mcp", "/..",
    "/api",
    "/.", "%2f", "%00", "%", "%zz", "%25", "%2e%2e", ";", "?", "#", "\\", "@", ":", ":generateContent", "/healthz", " ",
    "http://", "localhost", "*", "é", "\t", "%c0%af", "%e2%80%8b", "/resp_1", "/input_items", "/cancel", "?key=k",
]  # fmt: skip
HEADER_NAMES = [
    "content-type", "content-encoding", "accept", "accept-encoding", "origin", "sec-fetch-site", "authorization",
    "x-api-key", "x-goog-api-key", "anthropic-version", "anthropic-beta", "user-agent", "x-callgate-agent", "cookie",
    "x-callgate-tools", "x-callgate-execution", "x-callgate-max-rounds", "x-callgate-conversation", "expect", "te",
    "upgrade", "connection", "mcp-session-id", "mcp-protocol-version", "last-event-id", "range", "trailer", "x-a",
]  # fmt: skip


class Fuzz:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def changed(self, value: Any) -> Any:
        """A copy with a few places broken."""
        copy = json.loads(json.dumps(value))
        for _ in range(self.random.choice((0, 1, 1, 2, 5))):
            copy = self._broken(copy)
        return copy

    def _broken(self, value: Any) -> Any:
        holders = list(_holders(value))
        if not holders or self.random.random() < 0.02:
            return deepcopy(self.random.choice(NASTY))
        holder, key = self.random.choice(holders)
        match self.random.randrange(5):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.extend([holder[key]] * self.random.choice((1, 2, 300)))
            case 2 if isinstance(holder, dict):
                holder[self.random.choice(("x", "", "type", "\x00", "a" * 500))] = holder.pop(key)
            case _:
                holder[key] = deepcopy(self.random.choice(NASTY))
        return value

    def mangled(self, raw: bytes) -> bytes:
        """A few bytes cut, doubled or replaced."""
        kept = bytearray(raw)
        for _ in range(self.random.choice((1, 1, 2, 8))):
            at = self.random.randrange(len(kept) + 1)
            match self.random.randrange(4):
                case 0:
                    del kept[at : at + self.random.choice((1, 10, 1000))]
                case 1:
                    kept[at:at] = kept[at : at + self.random.choice((1, 10, 100))]
                case 2:
                    kept[at : at + 1] = self.random.randbytes(1)
                case _:
                    kept[at:at] = self.random.choice((b"\r\n", b"\n\n", b"\x00", b"\xff\xfe", b"data: ", b'"', b"}"))
        return bytes(kept)

    def text(self) -> str:
        signs = string.printable.replace("\r", "").replace("\n", "") + "éß\x7f\x01"
        return "".join(self.random.choices(signs, k=self.random.choice((0, 1, 8, 40, 3000))))

    def target(self) -> str:
        return "".join(self.random.choices(TARGET_BITS, k=self.random.randrange(1, 9)))

    def headers(self) -> str:
        lines = []
        for _ in range(self.random.choice((0, 1, 3, 20, 250))):
            name = self.random.choice(HEADER_NAMES) if self.random.random() < 0.9 else self.text()[:50]
            value = self.random.choice(
                (self.text(), "gzip", "zstd", "all", "auto", "close", "null", "-1", "http://localhost")
            )
            lines.append(f"{name}: {value}\r\n")
        return "".join(lines)

    def stream(self, model: str) -> bytes:
        """What a provider might send instead of a stream of events."""
        frames = [(name, self.changed(data)) for name, data in STREAMS[model] if self.random.random() < 0.95]
        if self.random.random() < 0.2:
            self.random.shuffle(frames)
        if model == "o":
            raw = b"".join(
                json.dumps(data).encode() + self.random.choice((b"\n", b"\n", b"\r\n")) for _, data in frames
            )
            return self.mangled(raw) if self.random.random() < 0.4 else raw
        ends = self.random.choice(("\n\n", "\n\n", "\r\n\r\n", "\n", "\n\n: c\n\n"))
        raw = "".join(f"event: {name}\ndata: {json.dumps(data)}{ends}" if name else f"data: {json.dumps(data)}{ends}"
                      for name, data in frames).encode()  # fmt: skip
        if model == "c" and self.random.random() < 0.8:
            raw += b"data: [DONE]\n\n"
        return self.mangled(raw) if self.random.random() < 0.4 else raw


def _holders(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value that can be replaced."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in tuple(items):
        yield value, key
        yield from _holders(inner)


def framed(target: str, body: bytes, more: str = USUAL, method: str = "POST") -> bytes:
    head = f"{method} {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {len(body)}\r\n"
    return f"{head}{more}\r\n".encode("utf-8", "surrogatepass") + body


def request(fuzz: Fuzz, up: ScriptedProvider) -> tuple[str, bytes, bool]:
    """Its kind, its bytes, and whether they are sure to be one whole request."""
    path = fuzz.random.choice(list(BODIES))
    body = json.dumps(BODIES[path]).encode()
    match fuzz.random.choice(("body", "body", "bytes", "headers", "target", "raw", "reply", "reply")):
        case "body":
            return "body", framed(path, json.dumps(fuzz.changed(BODIES[path])).encode()), True
        case "bytes":
            return "bytes", framed(path, fuzz.mangled(body)), True
        case "headers":
            method = fuzz.random.choice(("POST", "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"))
            return "headers", framed(path, body, fuzz.headers(), method), False
        case "target":
            method = fuzz.random.choice(("POST", "GET", "DELETE", "OPTIONS", "CONNECT", "BREW"))
            return "target", framed(fuzz.target(), body, method=method), False
        case "raw":
            return "raw", fuzz.mangled(framed(path, body)), False
        case _:
            model = fuzz.random.choice(list(STREAMS))
            usual = "application/x-ndjson" if model == "o" else "text/event-stream"
            kind = fuzz.random.choice((usual, usual, "application/json", "text/html", ""))
            status = fuzz.random.choice((200, 200, 200, 200, 400, 429, 500, 503, 204, 302))
            up.replies[:] = [Reply(fuzz.stream(model), status, kind, cut=fuzz.random.random() < 0.1)]
            path = fuzz.random.choice([place for place in BODIES if "model" in place or "model" in BODIES[place]])
            sent = {**BODIES[path], "model": model, "stream": fuzz.random.random() < 0.7}
            return "reply", framed(path.replace("models/g", f"models/{model}"), json.dumps(sent).encode()), True


def answer_to(address: str, data: bytes, *, whole: bool) -> bytes:
    """Raises `TimeoutError` where none comes."""
    with connection(address) as opened:
        try:
            opened.sendall(data)
            if not whole:
                opened.shutdown(socket.SHUT_WR)
        except OSError:  # refused in the middle
            pass
        return rest_of(opened)


@pytest.fixture
def before(tmp_path: Path) -> Iterator[tuple[RunningStation, ScriptedProvider]]:
    config = tmp_path / "callgate.toml"
    with provider(Reply(b'{"data":[]}', content_type="application/json")) as up:
        text = '[server]\nrate_limit = ""\nheader_timeout_seconds = 1\nbody_timeout_seconds = 1\n'
        for model, wire in WIRES.items():
            base = up.address if wire in ("anthropic", "gemini", "ollama") else f"{up.address}/v1"
            text += f'[[upstreams]]\nname = "up-{model}"\nwire = "{wire}"\nbase_url = "{base}"\nmodels = ["{model}*"]\n'
        config.write_text(text, "utf-8")
        launch = Launch(config, 0, tmp_path, tmp_path / "data", on_ask="deny", windowed=False, demo_pace_ms=0)
        with running(launch) as runtime:
            yield runtime, up


@pytest.mark.timeout(max(60, COUNT))
def test_no_input_makes_an_error_of_ours_a_hang_or_a_traceback(
    before: tuple[RunningStation, ScriptedProvider], caplog: pytest.LogCaptureFixture
) -> None:
    runtime, up = before
    print(f"CALLGATE_FUZZ_SEED={SEED}, {COUNT} inputs")
    seen: Counter[tuple[str, int]] = Counter()
    for number in range(COUNT):
        fuzz = Fuzz(SEED + number)
        kind, data, whole = request(fuzz, up)
        what = f"input {number} of seed {SEED} ({kind}): {data[:3000]!r}, reply {up.replies[0].body[:3000]!r}"
        try:
            answer = answer_to(runtime.address, data, whole=whole)
        except TimeoutError:
            pytest.fail(f"no answer in {SECONDS} s: {what}")
        status = status_of(answer)
        seen[kind, status] += 1
        assert b"Callgate itself failed" not in answer, what
        assert not whole or status, f"no status: {what}"
        broken = [
            record
            for record in caplog.records
            if (record.exc_info or record.levelno >= logging.ERROR) and record.getMessage() != HUNG_UP
        ]
        assert not broken, f"{[record.getMessage() for record in broken]}: {what}"
        caplog.clear()
        faults = [event for event in runtime.events if isinstance(event, FaultRaised)]
        assert not faults, f"{faults}: {what}"
        if len(runtime.events) > KEPT_EVENTS:
            runtime.events.clear()
    print(", ".join(f"{kind} {status}: {count}" for (kind, status), count in sorted(seen.items())))
    assert COUNT < 100 or sum(count for (_, status), count in seen.items() if status == 200) > COUNT / 20
