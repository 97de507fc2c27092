"""The embedded default model, behind httpx: it speaks OpenAI's Chat wire, plain or streamed at a pace for the eye.

It reads the conversation and the offered tools with Callgate's own codec, makes no call of a turn twice, and never
comes back to a tool that was refused.
"""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Sequence

import httpx

from callgate.core import deltas as spoken
from callgate.core.assembly import assemble
from callgate.core.errors import BadRequest, Fault
from callgate.core.ids import new_id
from callgate.core.json.text import dump_bytes, dump_text, parse_object
from callgate.core.messages import Json, Message, Text, ToolCall, Usage
from callgate.core.request import ChatRequest
from callgate.core.schema.json_schema import schema_problem
from callgate.core.tool import ToolSpec
from callgate.upstream.demo.answers import Made, after_calls, before_calls, is_refusal, without_calls
from callgate.upstream.demo.arguments import Words
from callgate.upstream.demo.intents import Ask, choose, demand
from callgate.upstream.endpoint import Endpoint
from callgate.wire.codec import StreamWriter
from callgate.wire.openai_chat import OpenAIChat

DEMO_HOST = "http://demo.callgate.internal"
"""Never resolved: the transport is mounted under it."""
DEMO_URL = f"{DEMO_HOST}/v1"
DEMO_MODEL = "callgate-demo"
PACE_MS = 28
"""Between two deltas: fast enough not to bore, slow enough to watch a call form."""
MOST_CALLS = 8
"""In one answer; nobody can follow more at once."""
MOST_CHARACTERS = 2000
"""A request stands at the head of a text; a pasted book below it must not hold up the loop."""
_FRAGMENT, _CHARACTERS_PER_TOKEN, _MOST_BLOCKS = 5, 4, 50
_PIECE = re.compile(r"^```.*?^```\n?|\S+\s*|\s+", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^[ \t]*<([A-Za-z][\w-]*)(?:\s[^<>\n]*)?>", re.MULTILINE)
_REQUEST_TAGS = frozenset({"userrequest", "user_query", "user_request", "request", "prompt", "task"})
"""Agents wrap what the person said in tags, next to blocks of context of their own."""


def demo_endpoint(models: tuple[str, ...] = (DEMO_MODEL, "*")) -> Endpoint:
    """The endpoint under which it is configured; by default it answers for every model."""
    return Endpoint("demo", ("openai-chat",), DEMO_URL, models)


class DemoTransport(httpx.AsyncBaseTransport):
    def __init__(self, pace_ms: int = PACE_MS) -> None:
        self._pause = pace_ms / 1000
        self._codec = OpenAIChat()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/v1")
        if (request.method, path) == ("POST", "/chat/completions"):
            return self._complete(await request.aread())
        if (request.method, path) == ("GET", "/models"):
            return _json({"object": "list", "data": [{"id": DEMO_MODEL, "object": "model", "owned_by": "callgate"}]})
        return self._refuse(Fault("not_found", f"Unknown request URL: {request.method} {path}.", code="unknown_url"))

    def _complete(self, body: bytes) -> httpx.Response:
        try:
            request = self._codec.read_request(parse_object(body) or {})
        except BadRequest as bad:
            return self._refuse(bad.fault)
        if (request.sampling.n or 1) > 1:
            return self._refuse(Fault("invalid_request", "Invalid 'n': this model answers once.", "n"))
        deltas = _deltas(request, *plan(request), len(body) // _CHARACTERS_PER_TOKEN)
        if not request.stream:
            return _json(self._codec.write_response(assemble(deltas), request))
        events = self._paced(deltas, self._codec.stream_writer(request))
        return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=events)

    async def _paced(self, deltas: Sequence[spoken.Delta], writer: StreamWriter) -> AsyncGenerator[bytes, None]:
        for delta in deltas:
            if event := writer.write(delta):
                yield event
                await asyncio.sleep(self._pause)
        yield writer.close()

    def _refuse(self, fault: Fault) -> httpx.Response:
        error = self._codec.write_error(fault)
        return _json(error.body, error.status)


def plan(request: ChatRequest) -> tuple[str, tuple[ToolCall, ...]]:
    """What it says next, and what it calls."""
    asked = [at for at, message in enumerate(request.messages) if message.role == "user" and _words(message)]
    words, turn = (_words(request.messages[asked[-1]]), request.messages[asked[-1] :]) if asked else ("", ())
    results = {result.call_id: result.text for message in turn for result in message.results}
    made = [Made(call.name, call.arguments, results.get(call.id, "")) for message in turn for call in message.calls]
    first = not any(message.role == "assistant" for message in request.messages)
    shape = request.reply_format if request.reply_format and request.reply_format.kind != "text" else None
    tools = _permitted(request)
    asks = choose(words, tools)
    calls = _calls(request, words, asks, made)
    if calls:
        text = "" if shape else before_calls([call.name for call in calls], first, bool(made))
    elif made:
        text = after_calls(made, [ask for ask in asks if ask.missing])
    else:
        text = without_calls(words, tools, [ask for ask in asks if ask.missing], first, bool(request.tools))
    if shape and not calls:
        text = _shaped(shape.schema, words, text, [call.name for call in made])
    ends = [text.index(word) for word in request.sampling.stop if word and word in text]
    return (text[: min(ends)], ()) if ends else (text, calls)


def persons_words(text: str) -> str:
    """What the person said, without the blocks of context that agents put around it."""
    at = 0
    for _ in range(_MOST_BLOCKS):
        if (block := _BLOCK.search(text, at)) is None:
            break
        end = text.find(close := f"</{block[1]}>", block.end())
        if end >= 0 and block[1].lower() in _REQUEST_TAGS:
            return text[block.end() : end].strip()[:MOST_CHARACTERS]
        at = block.end() if end < 0 else block.start()
        text = text if end < 0 else text[:at] + text[end + len(close) :]
    return text.strip()[:MOST_CHARACTERS]


def _words(message: Message) -> str:
    return persons_words("\n".join(part.text for part in message.parts if isinstance(part, Text)))


def _permitted(request: ChatRequest) -> list[ToolSpec]:
    mode, names = (request.tool_choice.mode, request.tool_choice.names) if request.tool_choice else ("auto", ())
    tools = [tool for tool in request.tools if isinstance(tool, ToolSpec) and (not names or tool.name in names)]
    return [] if mode == "none" else tools


def _calls(request: ChatRequest, words: str, asks: Sequence[Ask], made: Sequence[Made]) -> tuple[ToolCall, ...]:
    refused = {call.name for call in made if is_refusal(call.result)}
    batch = [ask for ask in _not_yet_made(asks, made) if not ask.missing and ask.tool.name not in refused]
    batch = [ask for ask in batch if ask.step == batch[0].step]
    if not batch and not made and request.tool_choice and request.tool_choice.mode == "required":
        # met once a turn: a client that repeats its demand with every round would otherwise never get an answer
        batch = [due] if (due := demand(words, _permitted(request))) else []
    most = 1 if request.parallel_calls is False or request.legacy_functions else MOST_CALLS
    return tuple(ToolCall(new_id("call"), ask.tool.name, ask.text, ask.tool.variant) for ask in batch[:most])


def _not_yet_made(asks: Sequence[Ask], made: Sequence[Made]) -> list[Ask]:
    """A person may have edited a call before it ran: one of the same tool counts even if its arguments differ."""
    left, fresh = list(made), list(asks)
    for exactly in (True, False):
        for ask in tuple(fresh):
            alike = (
                call for call in left if call.name == ask.tool.name and (call.arguments == ask.text or not exactly)
            )
            if call := next(alike, None):
                left.remove(call)
                fresh.remove(ask)
    return fresh


def _shaped(schema: Json, words: str, text: str, used: Sequence[str]) -> str:
    """The answer as the JSON that was demanded."""
    if isinstance(schema, dict) and not schema_problem(schema, of_arguments=False):
        return dump_text(Words(words, filler=text).fill(schema).values)
    return dump_text({"answer": text, "tools_used": [*dict.fromkeys(used)]})


def _deltas(request: ChatRequest, text: str, calls: Sequence[ToolCall], read: int) -> list[spoken.Delta]:
    """The answer word by word, arguments in fragments, quoted blocks at once; each piece counts as a token."""
    deltas: list[spoken.Delta] = [spoken.TextDelta(0, piece) for piece in _PIECE.findall(text)]
    for part, call in enumerate(calls, 1 if text else 0):
        fragments = (call.arguments[at : at + _FRAGMENT] for at in range(0, len(call.arguments), _FRAGMENT))
        deltas.append(spoken.CallStarted(part, call.id, call.name, call.variant))
        deltas += [*(spoken.ArgumentsDelta(part, one) for one in fragments), spoken.CallEnded(part, call.arguments)]
    limit = request.sampling.max_tokens
    cut = limit is not None and limit < len(deltas)
    kept = deltas[: max(limit or 0, 1)] if cut else deltas
    started = spoken.Started(new_id("chatcmpl").replace("_", "-", 1), request.model, int(time.time()))
    ending = spoken.Finished("length" if cut else "tool_calls" if calls else "stop")
    return [started, *kept, spoken.UsageReported(Usage(read, len(kept))), ending]


def _json(body: dict[str, Json], status: int = 200) -> httpx.Response:
    # as a stream: a relayed answer is read chunk by chunk, and `content` counts as read already
    whole = httpx.ByteStream(dump_bytes(body))
    return httpx.Response(status, headers={"content-type": "application/json"}, stream=whole)
