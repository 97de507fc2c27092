"""Client and provider on the same wire: every byte goes through as it is, whatever it means, and so do the headers."""

# ruff: noqa: E501 - bytes are shown as they travel
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from tests.fakes.providers.recorder import Recorder
from tests.fakes.providers.service import Reply, serving
from tests.fakes.translating import MODELS, WIRES, Stage

from callgate.core.events import ExchangeEnded, RoundStarted

OBSERVED = ""
HELD = '[gate]\nclient_tools = "ask"\n[[rules]]\nverdict = "allow"\nwhen = "args.city:Z*"\n'
"""Every call is held back until a rule has allowed it."""


@dataclass(frozen=True)
class Sample:
    """A request of one wire with things that nobody knows yet, and a stream that answers it."""

    path: str
    request: bytes
    stream: bytes
    headers: dict[str, str]


CHAT = Sample(
    "/v1/chat/completions",
    b'{ "model":"gpt-4.1",\n "stream" : true, "x_future":{"deep":[1.0,2e3,null]}, "messages":[{"role":"user","content":'
    b'"Gr\\u00fc\xc3\x9fe \\ud83c\\udf0d","x_mood":"good"}],"tools":[{"type":"function","function":{"name":"look",'
    b'"x_hint":1,"parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}],'
    b'"seed":9007199254740993,"temperature":1.0 }',
    b": OPENROUTER PROCESSING\n\n"
    b'data:{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-4.1","x_new":[1],"choices":[{"index":'
    b'0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\r\n\r\n'
    b'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-4.1","choices":[{"index":0,"delta":'
    b'{"content":"Gr\\u00fc\xc3\x9fe","x_mood":"good"},"finish_reason":null}]}\n\n'
    b'event: x_future\ndata: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-4.1","choices":'
    b'[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"look","arguments":'
    b'""}}]},"finish_reason":null}]}\n\n'
    b'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-4.1","choices":[{"index":0,"delta":'
    b'{"tool_calls":[{"index":0,"function":{"arguments":"{ \\"city\\":\\"Z\xc3\xbcrich\\" }"}}]},"finish_reason":null}]}\n\n'
    b'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-4.1","choices":[{"index":0,"delta":{},'
    b'"finish_reason":"tool_calls","native_finish_reason":"x"}]}\n\n'
    b'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-4.1","choices":[],"usage":'
    b'{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"cost":0.1}}\n\ndata: [DONE]\n\n',
    {"OpenAI-Organization": "org-1", "OpenAI-Project": "proj_1", "OpenAI-Beta": "x=v2", "x-stainless-lang": "python"},
)
RESPONSES = Sample(
    "/v1/responses",
    b'{"model":"gpt-5.5","stream":true, "x_future":true,"store":false,"input":[{"role":"user","content":[{"type":"input_text",'
    b'"text":"Gr\\u00fc\xc3\x9fe","x_mood":1.0}]}],"tools":[{"type":"x_future_tool","size":3},{"type":"function","name":"look",'
    b'"parameters":{"type":"object","properties":{"city":{"type":"string"}}},"strict":false}]}',
    b'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":'
    b'"response","created_at":1,"status":"in_progress","model":"gpt-5.5","output":[],"x_new":1.0}}\n\n'
    b'event: response.x_future.delta\ndata: {"type":"response.x_future.delta","sequence_number":1,"x":"\\u00fc"}\n\n'
    b'event: response.output_item.added\ndata: {"type":"response.output_item.added","sequence_number":2,"output_index":0,"item":'
    b'{"id":"xf_1","type":"x_future_call","status":"in_progress"}}\n\n'
    b'event: response.output_item.done\ndata: {"type":"response.output_item.done","sequence_number":3,"output_index":0,"item":'
    b'{"id":"xf_1","type":"x_future_call","status":"completed","output":[1.0]}}\n\n'
    b'event: response.output_item.added\ndata: {"type":"response.output_item.added","sequence_number":4,"output_index":1,"item":'
    b'{"id":"fc_1","type":"function_call","status":"in_progress","call_id":"call_1","name":"look","arguments":""}}\n\n'
    b'event: response.function_call_arguments.delta\ndata: {"type":"response.function_call_arguments.delta","sequence_number":5,'
    b'"item_id":"fc_1","output_index":1,"delta":"{ \\"city\\":\\"Z\xc3\xbcrich\\" }","obfuscation":"xx"}\n\n'
    b'event: response.function_call_arguments.done\ndata: {"type":"response.function_call_arguments.done","sequence_number":6,'
    b'"item_id":"fc_1","output_index":1,"arguments":"{ \\"city\\":\\"Z\xc3\xbcrich\\" }"}\n\n'
    b'event: response.output_item.done\ndata: {"type":"response.output_item.done","sequence_number":7,"output_index":1,"item":'
    b'{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1","name":"look","arguments":'
    b'"{ \\"city\\":\\"Z\xc3\xbcrich\\" }"}}\n\n'
    b'event: response.completed\ndata: {"type":"response.completed","sequence_number":8,"response":{"id":"resp_1","object":'
    b'"response","created_at":1,"status":"completed","model":"gpt-5.5","output":[{"id":"xf_1","type":"x_future_call","status":'
    b'"completed","output":[1.0]},{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1","name":"look","arguments":'
    b'"{ \\"city\\":\\"Z\xc3\xbcrich\\" }"}],"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3,"x_cost":0.1}}}\n\n',
    {"OpenAI-Organization": "org-1", "OpenAI-Beta": "responses=v1", "originator": "codex_exec", "session-id": "s1"},
)
MESSAGES = Sample(
    "/v1/messages?beta=true",
    b'{"model": "claude-sonnet-5-5","max_tokens":1024,"stream":true,"x_future":{"a":1.0},"context_management":{"edits":[]},'
    b'"messages":[{"role":"user","content":[{"type":"text","text":"Gr\\u00fc\xc3\x9fe","cache_control":{"type":"ephemeral"}},'
    b'{"type":"x_future_block","x":1}]}],"tools":[{"type":"x_tool_20270101","name":"x_tool"},{"name":"look","input_schema":'
    b'{"type":"object","properties":{"city":{"type":"string"}}},"eager_input_streaming":true}]}',
    b'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":'
    b'"claude-sonnet-5-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1},'
    b'"x_new":1.0}}\n\n'
    b'event: ping\ndata: {"type": "ping"}\n\n'
    b'event: x_future_event\ndata: {"type":"x_future_event","x":"\\u00fc"}\n\n'
    b'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"x_future_block","x":1}}'
    b'\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"x_future_delta","x":"1"}}\n\n'
    b'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n'
    b'event: content_block_start\ndata: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":'
    b'"toolu_1","name":"look","input":{},"x_caller":{"type":"direct"}}}\n\n'
    b'event: content_block_delta\ndata: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta",'
    b'"partial_json":"{ \\"city\\":\\"Z\xc3\xbcrich\\" }"}}\n\n'
    b'event: content_block_stop\ndata: {"type":"content_block_stop","index":1}\n\n'
    b'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null,"x":1},"usage":'
    b'{"output_tokens":9,"x_cost":0.1},"context_management":{"applied_edits":[]}}\n\n'
    b'event: message_stop\ndata: {"type":"message_stop","x":1}\n\n',
    {
        "anthropic-version": "2026-10-21",
        "anthropic-beta": "claude-code-20250219,interleaved-thinking-2025-05-14",
        "x-app": "cli",
    },
)
GEMINI = Sample(
    "/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse",
    b'{"contents":[{"role":"user","parts":[{"text":"Gr\\u00fc\xc3\x9fe","x_mood":1.0}]}],"x_future":[1.0],\n"tools":'
    b'[{"function_declarations":[{"name":"look","parameters_json_schema":{"type":"object"}}]},{"xFutureTool":{}}],'
    b'"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"},"xFuture":1.0}}',
    b'data: {"candidates": [{"content": {"parts": [{"text": "Gr\\u00fc\xc3\x9fe","xNew": 1.0}],"role": "model"},"index": 0}],'
    b'"modelVersion": "gemini-3-pro-preview","responseId":"r1","xFuture":true}\r\n\r\n'
    b'data: {"candidates": [{"content": {"parts": [{"xFuturePart": {"a":1}}],"role": "model"},"index": 0}]}\r\n\r\n'
    b'data: {"candidates": [{"content": {"parts": [{"functionCall": {"name": "look","args": {"city": "Z\xc3\xbcrich"},"id":'
    b'"c1"},"thoughtSignature": "Ev8B"}],"role": "model"},"index": 0}],"responseId":"r1"}\r\n\r\n'
    b'data: {"candidates": [{"content": {"parts": [{"text": ""}],"role": "model"},"finishReason": "STOP","index": 0,"xWhy":'
    b'1.0}],"usageMetadata": {"promptTokenCount": 1,"candidatesTokenCount": 2,"totalTokenCount": 3,"xCost":0.1}}\r\n\r\n',
    {
        "x-goog-api-client": "google-genai-sdk/3.1.0 gl-python/3.11",
        "x-server-timeout": "600",
        "x-goog-api-key": "AIza-1",
    },
)
SAMPLES = dict(zip(WIRES, (CHAT, RESPONSES, MESSAGES, GEMINI), strict=True))


@pytest.fixture(params=[OBSERVED, HELD], ids=["observed", "held"])
def recorded(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stage]:
    recorders = {wire: Recorder(wire) for wire in MODELS}
    with serving(*recorders.values()), Stage(tmp_path, recorders, request.param).open() as stage:
        yield stage


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_every_byte_goes_through_both_ways_with_the_headers_that_matter(recorded: Stage) -> None:
    for wire, sample in SAMPLES.items():
        service = recorded.services[wire]
        service.next.append(Reply(sample.stream))
        headers = {"content-type": "application/json", "authorization": "Bearer sk-client", **sample.headers}
        answer = httpx.post(f"{recorded.address}{sample.path}", content=sample.request, headers=headers, timeout=10)
        assert answer.status_code == 200, (wire, answer.text)
        (asked,) = service.asked
        assert sha(asked.raw) == sha(sample.request), wire
        assert answer.content.decode() == sample.stream.decode(), wire
        assert sha(answer.content) == sha(sample.stream), wire
        sent = {name.lower(): value for name, value in sample.headers.items()}
        assert {name: asked.headers.get(name) for name in sent} == sent, wire
        assert asked.path == sample.path
        rounds = recorded.runtime.wait_for(lambda events: [e for e in events if isinstance(e, RoundStarted)])
        assert all(started.untouched for started in rounds)
        assert recorded.runtime.wait_for_state("Released", "look").arguments
    assert len([e for e in recorded.runtime.events if isinstance(e, RoundStarted)]) == len(SAMPLES)


def test_a_plain_reply_keeps_every_byte_also_where_the_request_was_changed(recorded: Stage) -> None:
    body = (
        b'{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","x_new":1.0,"system_fingerprint":"fp_1",'
        b'"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Gr\\u00fc\xc3\x9fe"}}],'
        b'"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"x_cost":0.1}}'
    )
    service = recorded.services["openai-chat"]
    service.next.append(Reply(body, content_type="application/json"))
    asked = {"model": MODELS["openai-chat"], "messages": [{"role": "user", "content": "hi"}]}
    with_tools = {"authorization": "Bearer sk-client", "x-callgate-tools": "all"}
    answer = httpx.post(f"{recorded.address}/v1/chat/completions", json=asked, headers=with_tools, timeout=10)
    assert service.asked[-1].body["tools"], "Callgate's own were offered"
    assert answer.content == body


CONFESSED = {
    "openai-chat": b'data: {"error":{"message":"Sorry \\u00fc","type":"x_busy","code":"slow_down","x_new":1.0}}\n\ndata: [DONE]\n\n',
    "openai-responses": b'event: response.failed\ndata: {"type":"response.failed","sequence_number":3,"x":1.0,"response":'
    b'{"id":"resp_1","object":"response","status":"failed","output":[],"error":{"code":"server_error","message":"Sorry"}}}\n\n',
    "anthropic": b'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Sorry","x":1.0},'
    b'"request_id":"req_1"}\n\n',
    "gemini": b'data: {"error": {"code": 503,"message": "Sorry","status": "UNAVAILABLE","details": [{"x": 1.0}]}}\r\n\r\n',
}


@pytest.mark.parametrize("wire", WIRES)
def test_a_failure_in_the_wires_own_words_goes_through_and_is_known(recorded: Stage, wire: str) -> None:
    sample, blank = SAMPLES[wire], b"\r\n\r\n" if wire == "gemini" else b"\n\n"
    begun = sample.stream.split(blank)[0] + blank
    recorded.services[wire].next.append(Reply(begun + CONFESSED[wire]))
    headers = {"content-type": "application/json", "authorization": "Bearer sk-client", **sample.headers}
    answer = httpx.post(f"{recorded.address}{sample.path}", content=sample.request, headers=headers, timeout=10)
    assert answer.content == begun + CONFESSED[wire]
    ended = recorded.runtime.wait_for(lambda events: [e for e in events if isinstance(e, ExchangeEnded)])
    assert ended[0].outcome == "failed" and "Sorry" in (ended[0].fault.message if ended[0].fault else "")
