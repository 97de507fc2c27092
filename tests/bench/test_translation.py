"""What translating costs on top of relaying, chunk by chunk, and how fast a long history goes through each codec."""

import time
from dataclasses import replace

import orjson
import pytest

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    Finished,
    Started,
    TextDelta,
    UsageReported,
)
from callgate.core.messages import Message, Text, ToolCall, ToolResult, Usage, say
from callgate.core.request import ChatRequest, WireName
from callgate.core.tool import ToolSpec
from callgate.wire.dialects import PLAIN
from callgate.wire.envelope import seal_delta
from callgate.wire.lowering import lower
from callgate.wire.registry import CODECS

pytestmark = [pytest.mark.bench, pytest.mark.timeout(180)]

CHUNKS = 1_000
ARGUMENT = 20_000
MOST_MICROSECONDS = 60
MOST_HISTORY_MS = 60
TOOLS = (ToolSpec("write_file", "Writes a file", {"type": "object", "properties": {"text": {"type": "string"}}}),)
WIRES: tuple[WireName, ...] = ("openai-chat", "openai-responses", "anthropic", "gemini")
REPEATS = 5


def request(wire: WireName) -> ChatRequest:
    return ChatRequest(wire, "m", (say("user", "go"),), TOOLS, stream=True, include_usage=True)


def stream(wire: WireName) -> list[bytes]:
    """A reply of a thousand chunks, half text and half one long argument, as its wire spells it."""
    argument = orjson.dumps({"text": "x" * ARGUMENT}).decode()
    size = len(argument) // (CHUNKS // 2) + 1
    deltas: list[Delta] = [Started("id_1", "m", 1)]
    deltas += [TextDelta(0, f"word {number} ") for number in range(CHUNKS // 2)]
    deltas.append(CallStarted(1, "call_1", "write_file"))
    deltas += [ArgumentsDelta(1, argument[at : at + size]) for at in range(0, len(argument), size)]
    deltas += [CallEnded(1, argument), Finished("tool_calls"), UsageReported(Usage(10, 20))]
    writer = CODECS[wire].stream_writer(request(wire))
    chunks = [data for delta in deltas if (data := writer.write(delta))]
    return [*chunks, writer.close()]


def relayed(wire: WireName, chunks: list[bytes]) -> float:
    reader = CODECS[wire].stream_reader()
    writer = CODECS[wire].stream_writer(request(wire))
    started = time.perf_counter()
    for chunk in chunks:
        for frame in reader.decode(chunk):
            writer.follow(frame)
    return time.perf_counter() - started


def translated(client: WireName, provider: WireName, chunks: list[bytes]) -> float:
    lowered = lower(request(client), provider, "m")
    reader, restorer = CODECS[provider].stream_reader(), lowered.restorer()
    writer = CODECS[client].stream_writer(request(client))
    started = time.perf_counter()
    for chunk in chunks:
        for frame in reader.decode(chunk):
            for delta in frame.deltas:
                for restored in restorer.restore(delta):
                    writer.write(seal_delta(restored, client, "m"))
    return time.perf_counter() - started


def test_translating_a_stream_costs_little_on_top_of_relaying_it() -> None:
    worst = 0.0
    print(f"\n{'client':18}{'provider':18}{'relay µs':>10}{'translate µs':>14}{'added µs':>10}{'ratio':>7}")
    for provider in WIRES:
        chunks = stream(provider)
        relay = min(relayed(provider, chunks) for _ in range(REPEATS)) / CHUNKS * 1e6
        for client in WIRES:
            if client == provider:
                continue
            cost = min(translated(client, provider, chunks) for _ in range(REPEATS)) / CHUNKS * 1e6
            worst = max(worst, cost - relay)
            print(f"{client:18}{provider:18}{relay:10.1f}{cost:14.1f}{cost - relay:10.1f}{cost / relay:7.2f}")
    assert worst < MOST_MICROSECONDS


def test_a_history_of_five_megabytes_is_read_and_written_quickly() -> None:
    turn = (
        say("user", "x" * 20_000),
        Message("assistant", (Text("y" * 10_000), ToolCall("call_{}", "write_file", '{"text":"z"}'))),
        Message("tool", (ToolResult("call_{}", (Text("w" * 20_000),)),)),
    )
    messages = tuple(_numbered(message, number) for number in range(100) for message in turn)
    print(f"\n{'wire':18}{'MB':>6}{'read + write ms':>17}")
    for wire in WIRES:
        codec = CODECS[wire]
        whole = replace(request(wire), messages=messages)
        body = orjson.dumps(codec.write_request(whole, PLAIN).body)
        best = min(_round_trip(wire, body) for _ in range(REPEATS)) * 1000
        print(f"{wire:18}{len(body) / 1e6:6.1f}{best:17.1f}")
        assert best < MOST_HISTORY_MS


def _numbered(message: Message, number: int) -> Message:
    parts = tuple(
        replace(part, id=f"call_{number}")
        if isinstance(part, ToolCall)
        else replace(part, call_id=f"call_{number}")
        if isinstance(part, ToolResult)
        else part
        for part in message.parts
    )
    return replace(message, parts=parts)


def _round_trip(wire: WireName, body: bytes) -> float:
    codec = CODECS[wire]
    more = {"model": "m", "stream": True} if wire == "gemini" else {}
    started = time.perf_counter()
    read = codec.read_request(orjson.loads(body), **more)
    orjson.dumps(codec.write_request(read, PLAIN).body)
    return time.perf_counter() - started
