"""What real clients send and compatible servers answer, and the proxy has to bear: seen through official packages."""

import gzip
import socket
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from tests.fakes.providers import scene
from tests.fakes.providers.recorder import Recorder
from tests.fakes.providers.service import Reply, serving, whole
from tests.fakes.translating import MODELS, WIRES, Stage

from callgate.wire.translate.names import ToolNames

SAID = "Grüße 🌍 aus Zürich"
SESSION = {
    "x-session-id": "ses_1",
    "x-session-affinity": "ses_1",
    "x-initiator": "agent",
    "x-interaction-type": "conversation-agent",
    "x-client-request-id": "r-1",
    "user-agent": "opencode/1.18",
}
OWN_HEADERS: dict[str, dict[str, str]] = {
    "openai-chat": {"openai-organization": "org-1"},
    "openai-responses": {
        "originator": "codex_exec",
        "session-id": "s-1",
        "thread-id": "t-1",
        "version": "0.166.0",
        "x-codex-window-id": "w-1",
        "x-openai-internal-codex-responses-lite": "true",
    },
    "anthropic": {"anthropic-version": "2023-06-01", "anthropic-dangerous-direct-browser-access": "true"},
    "gemini": {"x-server-timeout": "600", "x-goog-api-client": "genai-js/2.32"},
}


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[Stage]:
    recorders = {wire: Recorder(wire) for wire in MODELS}
    with serving(*recorders.values()), Stage(tmp_path, recorders, "").open() as stage:
        yield stage
        stage.close()


def named(*events: dict[str, Any]) -> bytes:
    return b"".join(b"event: %s\ndata: %s\n\n" % (event["type"].encode(), orjson.dumps(event)) for event in events)


def messages(first: int = 0, **usage: Any) -> bytes:
    start = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], **usage}
    return named(
        {"type": "message_start", "message": start | {"stop_reason": None, "stop_sequence": None}},
        {"type": "content_block_start", "index": first, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": first, "delta": {"type": "text_delta", "text": SAID}},
        {"type": "content_block_stop", "index": first},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {
                "input_tokens": 3,
                "cache_read_input_tokens": 0,
                "cache_creation_input_tokens": 0,
                "output_tokens": 4,
            },
        },
        {"type": "message_stop"},
    )


def responses(*, sloppy: bool) -> bytes:
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    part = {"type": "output_text", "text": SAID, "annotations": []}
    item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    response = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "in_progress"}
    response |= {"output": [], "tools": [], "tool_choice": "auto", "parallel_tool_calls": True}
    usage = {
        "input_tokens": 3,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 4,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 7,
    }
    announced = {"type": "response.content_part.added", **place, "part": part | {"text": ""}}
    finished = {"type": "response.output_item.done", "output_index": 0, "item": item}
    final = response | {"status": "completed", "output": [] if sloppy else [item], "usage": usage}
    return named(
        {"type": "response.created", "response": response},
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": item | {"content": [], "status": "in_progress"},
        },
        *([] if sloppy else [announced]),
        {"type": "response.output_text.delta", **place, "delta": SAID, "logprobs": []},
        *([] if sloppy else [finished]),
        {"type": "response.completed", "response": final},
    )


def chat() -> bytes:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    choices = [
        {"index": 0, "delta": {"role": "assistant", "content": SAID}, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": "stop"},
    ]
    usage: dict[str, Any] = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
    usage["prompt_tokens_details"] = {"cached_tokens": 0}
    usage["completion_tokens_details"] = {"reasoning_tokens": 0}
    chunks = [*(head | {"choices": [choice]} for choice in choices), head | {"choices": [], "usage": usage}]
    return b"".join(b"data: %s\n\n" % orjson.dumps(chunk) for chunk in chunks) + b"data: [DONE]\n\n"


def gemini() -> bytes:
    candidate = {"index": 0, "content": {"role": "model", "parts": [{"text": SAID}]}, "finishReason": "STOP"}
    usage = {"promptTokenCount": 3, "candidatesTokenCount": 4, "totalTokenCount": 7}
    whole = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m", "responseId": "r"}
    return b"data: %s\r\n\r\n" % orjson.dumps(whole)


COUNTED = {
    "usage": {"input_tokens": 3, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 1}
}
STREAMS = dict(zip(WIRES, (chat(), responses(sloppy=False), messages(**COUNTED), gemini()), strict=True))
SLOPPY = {
    "blocks from 1": ("anthropic", messages(1, **COUNTED)),
    "no usage at the start": ("anthropic", messages()),
    "no blank line at the end of messages": ("anthropic", messages(**COUNTED).rstrip(b"\n")),
    "items neither announced, ended nor listed": ("openai-responses", responses(sloppy=True)),
    "no blank line at the end of a response": ("openai-responses", responses(sloppy=False).rstrip(b"\n")),
    "the end mark of another wire": ("openai-responses", responses(sloppy=False) + b"data: [DONE]\n\n"),
    "no blank line at the end of a chat": ("openai-chat", chat().removesuffix(b"\n\ndata: [DONE]\n\n")),
    "no blank line at the end of contents": ("gemini", gemini().rstrip(b"\r\n")),
}


@pytest.mark.parametrize("case", SLOPPY)
def test_a_package_bears_a_server_that_breaks_the_rules_of_its_own_wire(recorded: Stage, case: str) -> None:
    wire, stream = SLOPPY[case]
    recorded.services[wire].next.append(Reply(stream))
    heard = recorded.agent(wire, wire, stream=True).say("Hi")
    assert (heard.text, heard.finish) == (SAID, recorded.agent(wire, wire).finishes[1])
    assert (heard.tokens.input, heard.tokens.output) == (3, 4)


@pytest.mark.parametrize("packed", ["gzip", "deflate"])
@pytest.mark.parametrize("provider", WIRES)
def test_a_compressed_stream_is_heard_on_every_wire(recorded: Stage, provider: str, packed: str) -> None:
    pack = {"gzip": gzip.compress, "deflate": zlib.compress}[packed]
    for wire in WIRES:
        service = recorded.services[provider]
        service.next.append(Reply(pack(STREAMS[provider]), headers={"content-encoding": packed}))
        assert recorded.agent(wire, provider, stream=True).say("Hi").text == SAID, (wire, provider)
        assert service.asked[-1].headers["accept-encoding"] == "identity"


def question(wire: str, text: str = "Hi") -> tuple[str, dict[str, Any]]:
    """Path and body of a streamed request."""
    said = [{"role": "user", "content": text}]
    return {
        "openai-chat": ("/v1/chat/completions", {"model": MODELS[wire], "messages": said, "stream": True}),
        "openai-responses": ("/v1/responses", {"model": MODELS[wire], "input": said, "stream": True}),
        "anthropic": ("/v1/messages", {"model": MODELS[wire], "messages": said, "max_tokens": 9, "stream": True}),
        "gemini": (
            f"/v1beta/models/{MODELS[wire]}:streamGenerateContent?alt=sse",
            {"contents": [{"role": "user", "parts": [{"text": text}]}]},
        ),
    }[wire]


@pytest.mark.parametrize("wire", WIRES)
def test_what_clients_say_of_their_session_goes_on_and_what_is_ours_does_not(recorded: Stage, wire: str) -> None:
    path, body = question(wire)
    service = recorded.services[wire]
    service.next.append(Reply(STREAMS[wire]))
    sent = SESSION | OWN_HEADERS[wire]
    ours = {"x-callgate-execution": "none", "x-forwarded-for": "10.0.0.1", "accept-encoding": "gzip, deflate, br, zstd"}
    answer = httpx.post(f"{recorded.address}{path}", json=body, headers=sent | ours, timeout=10)
    assert answer.content == STREAMS[wire]
    asked = service.asked[-1].headers
    assert {name: asked.get(name) for name in sent} == sent
    assert not {"x-callgate-execution", "x-forwarded-for"} & set(asked)
    assert asked["accept-encoding"] == "identity"


def test_a_header_in_several_lines_goes_on_whole(recorded: Stage) -> None:
    service = recorded.services["anthropic"]
    service.next.append(Reply(STREAMS["anthropic"]))
    path, body = question("anthropic")
    raw = orjson.dumps(body)
    host, _, port = recorded.address.removeprefix("http://").partition(":")
    head = (
        f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {len(raw)}\r\n"
        "anthropic-beta: one-2026-01-01\r\nanthropic-beta: two-2026-01-01\r\nconnection: close\r\n\r\n"
    )
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(head.encode() + raw)
        while connection.recv(65536):
            pass
    assert service.asked[-1].headers["anthropic-beta"] == "one-2026-01-01, two-2026-01-01"


@pytest.mark.parametrize("wire", WIRES)
def test_large_bodies_of_one_client_are_answered_beside_each_other(recorded: Stage, wire: str) -> None:
    count, size = 6, 3_000_000
    service = recorded.services[wire]
    service.next[:] = [Reply(STREAMS[wire])] * count
    path, _ = question(wire)
    bodies = [orjson.dumps(question(wire, str(number) + "ü" * (size // 2))[1]) for number in range(count)]
    headers = {"content-type": "application/json", "user-agent": "one-client/1"}
    with httpx.Client(trust_env=False, timeout=30) as client, ThreadPoolExecutor(count) as pool:
        answers = pool.map(
            lambda body: client.post(f"{recorded.address}{path}", content=body, headers=headers).content, bodies
        )
        assert list(answers) == [STREAMS[wire]] * count
    assert sorted(asked.raw for asked in service.asked) == sorted(bodies)


@pytest.mark.parametrize("wire", WIRES)
def test_a_body_beyond_all_bounds_is_refused_in_the_words_of_the_wire(recorded: Stage, wire: str) -> None:
    path, _ = question(wire)
    body = (b" " * 1024 * 1024 for _ in range(66))
    answer = httpx.post(
        f"{recorded.address}{path}", content=body, headers={"content-type": "application/json"}, timeout=30
    )
    assert answer.status_code == 413
    assert "larger than 64 MB" in answer.json()["error"]["message"]


def in_pieces(name: str) -> Reply:
    """A call as some compatible servers stream it; each piece of its name for itself is no tool."""
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    begin, rest = name[:4], name[4:]
    pieces: list[dict[str, Any]] = [
        {"id": "call_1", "type": "function", "function": {"name": begin, "arguments": ""}},
        {"function": {"name": rest}},
        {"function": {"arguments": '{"city":"Zürich"}'}},
    ]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": None}]
    deltas += [{"tool_calls": [{"index": 0, **piece}]} for piece in pieces]
    usage: dict[str, Any] = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
    chunks = [head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks += [head | {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}], "usage": usage}]
    stream = b"".join(b"data: %s\n\n" % orjson.dumps(chunk) for chunk in chunks) + b"data: [DONE]\n\n"
    return Reply(stream)


@pytest.mark.parametrize("wire", WIRES)
def test_a_call_whose_name_comes_in_pieces_is_heard_as_one(recorded: Stage, wire: str) -> None:
    recorded.services["openai-chat"].next.append(in_pieces(scene.WEATHER))
    (call,) = recorded.agent(wire, "openai-chat", stream=True).say("Hi").calls
    assert (call.name, call.arguments) == (scene.WEATHER, {"city": "Zürich"})


def test_also_where_the_provider_was_told_another_name_than_the_clients(recorded: Stage) -> None:
    name = "weather.today:v2"  # which OpenAI's wires do not take
    _, told = ToolNames("openai-chat", [("", name)]).lower(("", name))
    recorded.services["openai-chat"].next.append(in_pieces(told))
    body = {
        "contents": [{"role": "user", "parts": [{"text": "Hi"}]}],
        "tools": [{"functionDeclarations": [{"name": name, "parametersJsonSchema": {"type": "object"}}]}],
    }
    path = f"/v1beta/models/{MODELS['openai-chat']}:streamGenerateContent"
    with httpx.Client(trust_env=False, timeout=10) as client:
        chunks = client.post(f"{recorded.address}{path}", json=body).raise_for_status().json()
    parts = [part for chunk in chunks for one in chunk["candidates"] for part in one["content"].get("parts", ())]
    (call,) = [part["functionCall"] for part in parts if "functionCall" in part]
    assert told != name and (call["name"], call["args"]) == (name, {"city": "Zürich"})


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "plain"])
@pytest.mark.parametrize("wire", WIRES)
def test_a_server_whose_calls_all_have_one_id_gives_each_client_two(recorded: Stage, wire: str, stream: bool) -> None:
    """Local servers do that; a client that files results by id would take an old one for the new call's."""
    service = recorded.services["openai-chat"]
    service.next[:] = [constant_call(stream), constant_call(stream), Reply(chat()) if stream else constant_words()]
    agent = recorded.agent(wire, "openai-chat", stream=stream)
    (first,) = agent.say("Hi").calls
    (second,) = agent.give({first.id: "3 °C"}).calls
    assert first.id != second.id
    agent.give({second.id: "4 °C"})
    told = orjson.loads(service.asked[-1].raw)["messages"]
    calls = [call["id"] for message in told for call in message.get("tool_calls") or ()]
    results = {message["tool_call_id"]: message["content"] for message in told if message["role"] == "tool"}
    assert len(set(calls)) == 2
    assert [str(results[call]).strip('"') for call in calls] == ["3 °C", "4 °C"]


COUNTS = {
    "prompt_tokens": 3,
    "completion_tokens": 4,
    "total_tokens": 7,
    "prompt_tokens_details": {"cached_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 0},
}


def constant_call(stream: bool) -> Reply:
    call = {"id": "call_0", "type": "function"}
    call |= {"function": {"name": scene.WEATHER, "arguments": '{"city":"Zürich"}'}}
    if not stream:
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        return constant_reply({"index": 0, "message": message, "finish_reason": "tool_calls"})
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    delta = {"role": "assistant", "content": None, "tool_calls": [{"index": 0, **call}]}
    chunks = [
        head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        head | {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}], "usage": COUNTS},
    ]
    return Reply(b"".join(b"data: %s\n\n" % orjson.dumps(chunk) for chunk in chunks) + b"data: [DONE]\n\n")


def constant_words() -> Reply:
    return constant_reply({"index": 0, "message": {"role": "assistant", "content": SAID}, "finish_reason": "stop"})


def constant_reply(choice: dict[str, Any]) -> Reply:
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m"}
    return whole(head | {"choices": [choice], "usage": COUNTS})
