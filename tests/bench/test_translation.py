"""What translating costs on top of relaying, chunk by chunk, and how fast a long history goes through each codec.

Processor time: what else the machine does at the moment is not what is measured.
"""

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
from callgate.core.json.text import dump_bytes, parse_object
from callgate.core.messages import Message, Text, ToolCall, ToolResult, Usage, say
from callgate.core.request import ChatRequest, WireName
from callgate.core.tool import ToolSpec
from callgate.wire.dialects import PLAIN
from callgate.wire.registry import CODECS
from callgate.wire.signature_envelope import seal_delta
from callgate.wire.translate import translate
from callgate.wire.translate.reply_losses import ReplyLosses

pytestmark = [pytest.mark.bench, pytest.mark.timeout(180)]

CHUNKS = 1_000
ARGUMENT = 20_000
MOST_MICROSECONDS = 60
MOST_HISTORY_MS = 60
HISTORY_BYTES = 5_000_000
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
    started = time.process_time()
    for chunk in chunks:
        for frame in reader.decode(chunk):
            writer.follow(frame)
    return time.process_time() - started


def translated(client: WireName, provider: WireName, chunks: list[bytes]) -> float:
    lowered = translate(request(client), provider, "m")
    reader, restorer = CODECS[provider].stream_reader(), lowered.restorer()
    writer = CODECS[client].stream_writer(request(client))
    unheard = ReplyLosses(client, provider, streamed=True)
    started = time.process_time()
    for chunk in chunks:
        for frame in reader.decode(chunk):
            restored = [one for delta in frame.deltas for one in restorer.restore(delta)]
            unheard.hear(restored, frame.beside)
            for delta in restored:
                writer.write(seal_delta(delta, client, "m"))
    return time.process_time() - started


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


@pytest.mark.parametrize(("messages", "most_ms"), [(300, MOST_HISTORY_MS), (3_000, MOST_HISTORY_MS), (10_000, None)])
def test_a_history_of_five_megabytes_is_read_and_written_quickly(messages: int, most_ms: float | None) -> None:
    """Long messages cost by their bytes, many of them each by itself; beyond some thousand it is only reported.

    The last column is machine-independent: so many times what it costs to parse the bytes and write them again.
    """
    said = history(messages)
    print(f"\n{'client':18}{'provider':18}{'messages':>9}{'MB':>6}{'read + write ms':>17}{'µs each':>9}{'× JSON':>8}")
    worst = 0.0
    for client in WIRES:
        body = orjson.dumps(CODECS[client].write_request(replace(request(client), messages=said), PLAIN).body)
        alone = min(_json_alone(body) for _ in range(2 * REPEATS)) * 1000
        for provider in WIRES:
            best = min(_round_trip(client, provider, body) for _ in range(2 * REPEATS)) * 1000
            worst = max(worst, best)
            costs = f"{best:17.1f}{best / len(said) * 1000:9.1f}{best / alone:8.1f}"
            print(f"{client:18}{provider:18}{len(said):9,}{len(body) / 1e6:6.1f}{costs}")
    assert most_ms is None or worst < most_ms


def history(messages: int) -> tuple[Message, ...]:
    """Rounds of a question, a call with words before it, and its result: five megabytes in all."""
    rounds = messages // 3
    size = HISTORY_BYTES // rounds // 5
    return tuple(
        message
        for number in range(rounds)
        for message in (
            say("user", "x" * size * 2),
            Message("assistant", (Text("y" * size), ToolCall(f"call_{number}", "write_file", '{"text":"z"}'))),
            Message("tool", (ToolResult(f"call_{number}", (Text("w" * size * 2),)),)),
        )
    )


def _json_alone(body: bytes) -> float:
    started = time.process_time()
    dump_bytes(parse_object(body) or {})
    return time.process_time() - started


def _round_trip(client: WireName, provider: WireName, body: bytes) -> float:
    more = {"model": "m", "stream": True} if client == "gemini" else {}
    started = time.process_time()
    read = CODECS[client].read_request(parse_object(body) or {}, **more)
    lowered = translate(read, provider, "m")
    dump_bytes(CODECS[provider].write_request(lowered.request, PLAIN).body)
    return time.process_time() - started
