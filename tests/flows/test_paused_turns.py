"""Anthropic pauses long turns of its own tools: clients of other wires, who know no such thing, get the whole turn."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from tests.fakes.providers.recorder import Recorder
from tests.fakes.providers.service import Reply, serving
from tests.fakes.translating import MODELS, WIRES, Stage

SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "weather"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}


def turn(stop: str, *blocks: dict[str, Any]) -> dict[str, Any]:
    usage = {"input_tokens": 3, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 4}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m"}
    return head | {"content": list(blocks), "stop_reason": stop, "stop_sequence": None, "usage": usage}


def streamed(message: dict[str, Any]) -> bytes:
    start = message | {"content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(message["content"]):
        begun = block | {"text": ""} if block["type"] == "text" else block
        events.append({"type": "content_block_start", "index": index, "content_block": begun})
        if block["type"] == "text":
            delta = {"type": "text_delta", "text": block["text"]}
            events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events += [{"type": "message_delta", "delta": end, "usage": message["usage"]}, {"type": "message_stop"}]
    return b"".join(b"event: %s\ndata: %s\n\n" % (event["type"].encode(), orjson.dumps(event)) for event in events)


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[Stage]:
    recorders = {wire: Recorder(wire) for wire in MODELS}
    with serving(*recorders.values()), Stage(tmp_path, recorders, "").open() as stage:
        yield stage
        stage.close()


PAUSED = turn("pause_turn", {"type": "text", "text": "It is "}, SEARCH, FOUND)
DONE = turn("end_turn", {"type": "text", "text": "3 °C."})


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("wire", [wire for wire in WIRES if wire != "anthropic"])
def test_a_paused_turn_is_gone_on_with_and_told_as_one(recorded: Stage, wire: str, stream: bool) -> None:
    service = recorded.services["anthropic"]
    for message in (PAUSED, DONE):
        body = streamed(message) if stream else orjson.dumps(message)
        service.next.append(Reply(body, content_type="text/event-stream" if stream else "application/json"))
    heard = recorded.agent(wire, "anthropic", stream=stream).say("How cold is it?")
    assert heard.text == "It is 3 °C.", "nothing stands between words that belong together"
    assert heard.finish == recorded.agent(wire, "anthropic").finishes[1]
    assert (heard.tokens.input, heard.tokens.output) == (6, 8), "both requests were paid"
    first, second = service.asked
    assert second.body["messages"][:-1] == first.body["messages"]
    assert second.body["messages"][-1] == {"role": "assistant", "content": PAUSED["content"]}


def test_a_client_of_its_own_wire_is_told_of_the_pause_and_goes_on_itself(recorded: Stage) -> None:
    service = recorded.services["anthropic"]
    service.next.append(Reply(streamed(PAUSED)))
    said = [{"role": "user", "content": "How cold is it?"}]
    asked = {"model": MODELS["anthropic"], "max_tokens": 99, "stream": True, "messages": said}
    answer = httpx.post(f"{recorded.address}/v1/messages", json=asked, headers={"x-api-key": "sk-1"}, timeout=10)
    assert answer.content == streamed(PAUSED)
    assert len(service.asked) == 1
