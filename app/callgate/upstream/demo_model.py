"""The embedded default model: a transport that speaks OpenAI's Chat wire; Callgate works with no key and no network.

It is reached only through `UpstreamClient`, like any provider. It is no transcript: it reads the conversation and the
offered tools (`demo_task`), decides (`demo_plan`), and spells the answer here, plain or streamed at a pace for the eye.
"""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

import httpx

from callgate.core.errors import BadRequest, Fault
from callgate.core.ids import new_id
from callgate.core.messages import Json
from callgate.upstream.demo_plan import PlannedCall, Said, plan
from callgate.upstream.demo_task import Task, read_task
from callgate.upstream.endpoint import Endpoint
from callgate.wire.json_text import dump_bytes, parse_object
from callgate.wire.sse import sse

DEMO_HOST = "http://demo.callgate.internal"
"""Never resolved: the transport is mounted under it."""
DEMO_URL = f"{DEMO_HOST}/v1"
DEMO_MODEL = "callgate-demo"
PACE_MS = 28
"""Between two deltas: fast enough not to bore, slow enough to watch a call form."""

_FRAGMENT = 5
"""Characters of arguments in one delta."""
_WORD = re.compile(r"```.*?\n|\S+\s*|\s+")


def demo_endpoint(models: tuple[str, ...] = (DEMO_MODEL, "*")) -> Endpoint:
    """The endpoint under which it is configured; by default it answers for every model."""
    return Endpoint("demo", ("openai-chat",), DEMO_URL, models)


class DemoTransport(httpx.AsyncBaseTransport):
    def __init__(self, pace_ms: int = PACE_MS) -> None:
        self._pause = pace_ms / 1000
        self._born = int(time.time())

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/v1")
        if path == "/chat/completions":
            if request.method != "POST":
                return _error(Fault("invalid_request", f"Not allowed to {request.method} on {path}", status=405))
            return self._complete(await request.aread())
        if request.method == "GET" and path == "/models":
            return _json(200, {"object": "list", "data": [self._model(DEMO_MODEL)]})
        if request.method == "GET" and path.startswith("/models/"):
            return _json(200, self._model(path.removeprefix("/models/")))
        message = f"Unknown request URL: {request.method} {path}."
        return _error(Fault("not_found", message, code="unknown_url"))

    def _complete(self, body: bytes) -> httpx.Response:
        fields = parse_object(body)
        if fields is None:
            return _error(Fault("invalid_request", "The body of your request is not a JSON object."))
        try:
            task = read_task(fields)
        except BadRequest as bad:
            return _error(bad.fault)
        spelling = _Spelling(task, plan(task))
        if not task.stream:
            return _json(200, spelling.whole())
        return httpx.Response(
            200, headers={"content-type": "text/event-stream"}, stream=_Paced(spelling.events(), self._pause)
        )

    def _model(self, name: str) -> dict[str, Json]:
        return {"id": name, "object": "model", "created": self._born, "owned_by": "callgate"}


class _Paced(httpx.AsyncByteStream):
    """Events one at a time, with a pause between them in which the loop is free."""

    def __init__(self, events: Iterator[bytes], pause: float) -> None:
        self._events = events
        self._pause = pause

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        async with aclosing(self._paced()) as events:
            async for event in events:
                yield event

    async def _paced(self) -> AsyncGenerator[bytes, None]:
        for event in self._events:
            yield event
            await asyncio.sleep(self._pause)


class _Spelling:
    """One answer in OpenAI's words."""

    def __init__(self, task: Task, said: Said) -> None:
        self._task = task
        self._said = said
        self._id = new_id("chatcmpl").replace("_", "-", 1)
        self._created = int(time.time())

    def whole(self) -> dict[str, Json]:
        message: dict[str, Json] = {"role": "assistant", "content": self._said.text or None, "refusal": None}
        if self._said.calls and self._task.legacy:
            call = self._said.calls[0]
            message["function_call"] = {"name": call.name, "arguments": call.arguments}
        elif self._said.calls:
            message["tool_calls"] = [_spelled(call, call.arguments) for call in self._said.calls]
        choice: Json = {"index": 0, "message": message, "logprobs": None, "finish_reason": self._said.finish}
        return {**self._head("chat.completion"), "choices": [choice], "usage": self._usage()}

    def events(self) -> Iterator[bytes]:
        """The stream; what a client gets joined is `whole`."""
        yield self._chunk({"role": "assistant", "content": ""})
        for piece in pieces(self._said.text):
            yield self._chunk({"content": piece})
        for index, call in enumerate(self._said.calls):
            yield from self._call(index, call)
        yield self._chunk({}, self._said.finish)
        if self._task.include_usage:
            yield sse({**self._head("chat.completion.chunk"), "choices": [], "usage": self._usage()})
        yield sse("[DONE]")

    def _call(self, index: int, call: PlannedCall) -> Iterator[bytes]:
        fragments = [call.arguments[at : at + _FRAGMENT] for at in range(0, len(call.arguments), _FRAGMENT)]
        if self._task.legacy:
            yield self._chunk({"function_call": {"name": call.name, "arguments": ""}})
            for fragment in fragments:
                yield self._chunk({"function_call": {"arguments": fragment}})
            return
        yield self._chunk({"tool_calls": [{"index": index, **_spelled(call, "")}]})
        key = "input" if call.variant == "custom" else "arguments"
        for fragment in fragments:
            yield self._chunk({"tool_calls": [{"index": index, call.variant: {key: fragment}}]})

    def _chunk(self, delta: dict[str, Json], finish: str | None = None) -> bytes:
        choice: Json = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        chunk: dict[str, Json] = {**self._head("chat.completion.chunk"), "choices": [choice]}
        if self._task.include_usage:
            chunk["usage"] = None
        return sse(chunk)

    def _head(self, kind: str) -> dict[str, Json]:
        return {"id": self._id, "object": kind, "created": self._created, "model": self._task.model}

    def _usage(self) -> dict[str, Json]:
        prompt, completion = self._task.prompt_tokens, self._said.tokens
        return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def pieces(text: str) -> list[str]:
    """A text word by word; quoted blocks line by line, as nobody reads those word by word."""
    found: list[str] = []
    fenced = False
    for line in text.splitlines(keepends=True):
        fence = line.lstrip().startswith("```")
        found.extend([line] if fenced or fence else _WORD.findall(line))
        fenced ^= fence
    return found


def _spelled(call: PlannedCall, arguments: str) -> dict[str, Json]:
    key = "input" if call.variant == "custom" else "arguments"
    return {"id": call.id, "type": call.variant, call.variant: {"name": call.name, key: arguments}}


def _json(status: int, body: dict[str, Json]) -> httpx.Response:
    # as a stream: a relayed answer is read chunk by chunk, and `content` counts as read already
    whole = httpx.ByteStream(dump_bytes(body))
    return httpx.Response(status, headers={"content-type": "application/json"}, stream=whole)


def _error(fault: Fault) -> httpx.Response:
    body: dict[str, Json] = {
        "message": fault.message,
        "type": "invalid_request_error",
        "param": fault.param,
        "code": fault.code,
    }
    return _json(fault.http_status, {"error": body})
