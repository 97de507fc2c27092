"""Captured bytes are read into the neutral form, for every wire, streamed and whole, broken and sound."""

import asyncio
from pathlib import Path
from typing import Any

import orjson
import pytest
from tests.fakes.list_source import ListSource
from tests.fakes.traffic import translated_wire
from tests.store.samples import frame
from tests.wire import samples_ollama_chat

from callgate.core.catalog.left_out import LeftOut
from callgate.core.events import ExchangeStarted, RoundStarted
from callgate.core.messages import say
from callgate.core.request import WireName
from callgate.core.tool import ToolSpec
from callgate.engine.console.wire_service import LegBytes, LiveWireService, read_neutral, tools_of_round
from callgate.store.database import Database
from callgate.store.journal import Journal
from callgate.tools.catalog import Catalog
from callgate.tools.source_slot import SourceSlot
from callgate.wire.registry import CODECS

TOOL: dict[str, Any] = {"type": "object", "properties": {"city": {"type": "string"}}}
REQUESTS: dict[WireName, dict[str, Any]] = {
    "openai-chat": {
        "model": "m",
        "messages": [{"role": "user", "content": "Hi"}],
        "tools": [{"type": "function", "function": {"name": "weather", "parameters": TOOL}}],
    },
    "openai-responses": {
        "model": "m",
        "input": "Hi",
        "tools": [{"type": "function", "name": "weather", "parameters": TOOL}],
    },
    "anthropic": {
        "model": "m",
        "max_tokens": 5,
        "messages": [{"role": "user", "content": "Hi"}],
        "tools": [{"name": "weather", "input_schema": TOOL}],
    },
    "gemini": {
        "contents": [{"role": "user", "parts": [{"text": "Hi"}]}],
        "tools": [{"functionDeclarations": [{"name": "weather", "parameters": TOOL}]}],
    },
    "ollama": {
        "model": "m",
        "messages": [{"role": "user", "content": "Hi"}],
        "tools": [{"type": "function", "function": {"name": "weather", "parameters": TOOL}}],
    },
}


@pytest.mark.parametrize("wire", REQUESTS)
def test_a_request_of_every_wire_says_the_same(wire: WireName) -> None:
    read = read_neutral(CODECS, LegBytes("client_request", wire, orjson.dumps(REQUESTS[wire]), "m", True))
    value: Any = read.value
    assert read.problem == ""
    assert value["model"] == "m" and "wire" not in value
    assert value["messages"] == [{"role": "user", "parts": [{"text": "Hi", "kind": "text"}]}]
    assert value["tools"][0]["name"] == "weather" and value["tools"][0]["schema"]["properties"].keys() == {"city"}


def test_a_stream_is_put_together() -> None:
    data = b"".join(piece.data for piece in translated_wire() if piece.leg == "upstream_response")
    value: Any = read_neutral(CODECS, LegBytes("upstream_response", "anthropic", data)).value
    assert value["choices"][0]["message"]["parts"][0]["text"].startswith("The test reads the clock")
    assert value["usage"] == {"input": 812, "output": 42} and value["choices"][0]["finish"] == "stop"


def test_a_stream_of_lines_is_put_together_too() -> None:
    for stream, plain in zip(samples_ollama_chat.STREAMS, samples_ollama_chat.RESPONSES, strict=True):
        told: list[Any] = [
            read_neutral(CODECS, LegBytes("client_response", "ollama", data)).value
            for data in (stream, orjson.dumps(plain))
        ]
        assert told[0]["usage"] == told[1]["usage"] == {"input": 26, "output": 298}
        texts = [part.get("text") for one in told for part in one["choices"][0]["message"]["parts"]]
        assert texts[: len(texts) // 2] == texts[len(texts) // 2 :]


def test_a_stream_that_broke_off_says_so_beside_what_there_is() -> None:
    data = b"".join(piece.data for piece in translated_wire() if piece.leg == "upstream_response")
    value: Any = read_neutral(CODECS, LegBytes("upstream_response", "anthropic", data[:700])).value
    assert value["extras"]["fault"]["kind"] == "upstream"


@pytest.mark.parametrize(
    ("leg", "wire", "data", "words"),
    [
        ("client_request", "openai-chat", b"", "nothing"),
        ("client_request", "openai-chat", b"[1, 2", "no JSON"),
        ("client_request", "openai-chat", b'{"model": "m"}', "messages"),
        ("client_request", "mcp", b'{"name": "t"}', "called the tool itself"),
        ("upstream_response", "openai-chat", b"<html>", "openai-chat"),
        ("upstream_response", "openai-chat", b'"words"', "no JSON object"),
    ],
)
def test_what_cannot_be_read_says_why(leg: Any, wire: Any, data: bytes, words: str) -> None:
    read = read_neutral(CODECS, LegBytes(leg, wire, data))
    assert words in read.problem and read.value is None


def test_the_tools_of_a_round_are_followed_to_the_provider() -> None:
    weather, added = ToolSpec("weather", "W", TOOL), ToolSpec("clock", "C", {"type": "object"})
    started = ExchangeStarted("e", "c", "a", "anthropic", "m", False, 0, (say("user", "Hi"),), (weather,), 1.0)
    left = (LeftOut("switched off", "git", ("push",), 1),)
    begun = RoundStarted("e", "c", 1, "x", "openai-chat", "m", (weather, added), False, 2.0, 2, left, ("top_k",))
    sent = {**REQUESTS["openai-chat"]}
    told = tools_of_round(CODECS, [started, begun], 1, orjson.dumps(sent))
    assert told is not None
    assert [(tool.name, tool.origin, tool.fate) for tool in told.tools] == [
        ("weather", "client", "changed"),
        ("clock", "callgate", "dropped"),
    ]
    assert told.tools[0].changes == ("changed description",)
    assert told.left_out == left and told.warnings == ("top_k",)
    assert tools_of_round(CODECS, [started, begun], 2, b"") is None
    unread = tools_of_round(CODECS, [started, begun], 1, b"")
    assert unread is not None and not unread.is_known


def test_a_source_is_an_mcp_server_if_it_is_one_or_was_heard_as_one(tmp_path: Path) -> None:
    commands = SourceSlot("commands")
    commands.fill(ListSource("commands"))
    database = Database(tmp_path / "callgate.db")

    async def use() -> None:
        journal = Journal(database)
        service = LiveWireService(CODECS, journal, Catalog([commands, ListSource("plain")]))
        assert not service.is_mcp("commands") and not service.is_mcp("plain") and not service.is_mcp("gone")
        journal.record(frame(1, source="gone"))
        assert service.is_mcp("gone")
        held = await service.frames("inv_1")
        assert held.frames == (frame(1, source="gone"),) and held.left_out == 0

    try:
        asyncio.run(asyncio.wait_for(use(), 5))
    finally:
        database.close()
