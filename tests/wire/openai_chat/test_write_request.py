"""The top of a body for a server."""

from dataclasses import replace

import pytest

from callgate.core.messages import say
from callgate.core.request import ChatRequest, GateOptions, ReplyFormat, Sampling, Thinking
from callgate.wire.dialects import DIALECTS, PLAIN, Dialect
from callgate.wire.openai_chat.write_request import write_request

REQUEST = ChatRequest("anthropic", "m", (say("user", "hi"),), extras={"metadata": {"user_id": "x"}}, store=True)
LEAST = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def test_extras_of_another_wire_and_fields_for_callgate_are_not_sent() -> None:
    request = replace(REQUEST, gate=GateOptions(True, "auto", 3))
    assert write_request(request, PLAIN).body == LEAST


def test_usage_is_always_asked_for_in_streams_unless_the_server_refuses() -> None:
    request = replace(REQUEST, stream=True)
    assert write_request(request, PLAIN).body == {**LEAST, "stream": True, "stream_options": {"include_usage": True}}
    assert write_request(request, Dialect(usage_in_stream=False)).body == {**LEAST, "stream": True}


def test_the_limit_is_spelled_as_the_server_reads_it() -> None:
    request = replace(REQUEST, sampling=Sampling(max_tokens=5))
    assert write_request(request, PLAIN).body == {**LEAST, "max_completion_tokens": 5}
    assert write_request(request, DIALECTS["ollama"]).body == {**LEAST, "max_tokens": 5}


def test_knobs_that_a_server_lacks_are_left_out_with_a_warning() -> None:
    request = replace(REQUEST, sampling=Sampling(top_k=5, n=2))
    plain = write_request(request, PLAIN)
    assert plain.body == {**LEAST, "n": 2}
    assert "top_k" in plain.warnings[0]
    assert write_request(request, DIALECTS["vllm"]).body == {**LEAST, "n": 2, "top_k": 5}
    assert "one choice" in " ".join(write_request(request, DIALECTS["ollama"]).warnings)


@pytest.mark.parametrize(
    ("thinking", "effort"),
    [
        (Thinking("xhigh", 100), "xhigh"),
        (Thinking(budget=-1), None),
        (Thinking(budget=0), "none"),
        (Thinking(budget=1024), "low"),
        (Thinking(budget=10_000), "medium"),
        (Thinking(budget=32_000), "high"),
    ],
)
def test_a_budget_of_thought_becomes_an_effort(thinking: Thinking, effort: str | None) -> None:
    assert write_request(replace(REQUEST, thinking=thinking), PLAIN).body.get("reasoning_effort") == effort


def test_a_demanded_shape_is_spelled_out() -> None:
    shape = ReplyFormat("json_schema", schema={"type": "object"}, description="d")
    assert write_request(replace(REQUEST, reply_format=shape), PLAIN).body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "description": "d", "schema": {"type": "object"}},
    }
