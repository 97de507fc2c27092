"""What Callgate says, held against the official packages' own types: requests to providers, replies to clients.

Each exception stands here with its reason: the type is narrower than the service, or a rule of the wire says otherwise.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes import rich_replies
from tests.fakes.any_chat import WIRES, replies, requests
from tests.fakes.official_types import EVENTS, RESPONSES, request_violations, violations
from tests.wire.contract import Samples, all_samples, deltas_of, portable, read_stream, write_stream

from callgate.core.assembly import disassemble
from callgate.core.deltas import Failed
from callgate.core.errors import CallgateError, Fault
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ChatResponse, WireName
from callgate.wire.dialects import DIALECTS, PLAIN
from callgate.wire.registry import CODECS
from callgate.wire.sse import SseParser
from callgate.wire.translate import translate

ALL = all_samples()
BY_WIRE = {samples.codec.wire: samples for samples in ALL}
MODELS: dict[WireName, tuple[str, ...]] = {
    "openai-chat": ("gpt-5.5", "gpt-4.1"),
    "openai-responses": ("gpt-5.5", "gpt-4.1"),
    "anthropic": ("claude-sonnet-5-5", "claude-sonnet-4-5"),
    "gemini": ("gemini-3-pro", "gemini-2.5-flash"),
    "ollama": ("qwen3:8b", "gpt-oss:20b"),
}
QUIRKS = {"openai-chat": DIALECTS["openai"]}
"""Of the services that the types are of."""

IN_REQUESTS: dict[WireName, tuple[str, ...]] = {
    # the package sends version 2026-10-21, which has them no more; translated requests are of version 2023-06-01
    "anthropic": (r"(temperature|top_p|top_k): Extra inputs",),
    "ollama": (
        r"tools\.\d+\.function\.parameters\.",  # the server takes any JSON Schema, the package knows a few words
        r"tool_calls\.\d+\.id: Extra inputs",  # newer servers name calls, the package not yet
        r"tool_call_id: Extra inputs",
    ),
}
_REASONING = r"(reasoning_content|reasoning|reasoning_details): Extra inputs"
IN_REPLIES: dict[WireName, tuple[str, ...]] = {
    "openai-chat": (
        rf"choices\.\d+\.(message|delta)\.{_REASONING}",  # as every compatible server tells of thinking
        r"choices\.\d+\.(message|delta)\.tool_calls\.\d+\.extra_content: Extra inputs",  # Google's place for its proofs
        r"choices\.\d+\.delta\.annotations: Extra inputs",  # streamed by the service's search models
        r"choices\.\d+\.delta\.tool_calls\.\d+\.type: Input should be 'function'",  # the service streams custom calls
        r"choices\.\d+\.delta\.tool_calls\.\d+\.custom: Extra inputs",
    ),
    "openai-responses": (
        r"(response\.)?store: Extra inputs",  # the service repeats it with the rest of the request
        r"(item|(response\.)?output\.\d+)\.status: Extra inputs",  # of a custom call: the service says it, the type not
        r"logprobs\.\d+\.(top_logprobs\.\d+\.)?bytes: Extra inputs",  # in events; the same in items is in the type
        r"response\.error\.code: Input should be",  # clients tell apart what to try again: more codes than the type has
    ),
    "anthropic": (r": Is none of the types, with the tag (ping|error)$",),  # read before the type is looked at
    "ollama": (
        r"tool_calls\.\d+\.id: Extra inputs",
        r"logprobs\.\d+\.(top_logprobs\.\d+\.)?bytes: Extra inputs",  # the server says them
        r"(error|status_code|callgate_warnings): Extra inputs",
    ),
    "gemini": (r"(error|callgateWarnings): Extra inputs",),  # how a stream says that it failed, and Callgate's own word
}
BORROWED: dict[WireName, tuple[str, ...]] = {
    # what only a provider of the same wire can have said, and compatible servers do
    "openai-chat": (r"content_filter_results: ", r"moderation\.", r"usage\.cost: "),
    "openai-responses": (r"tool_usage\.", r"logprobs\.\d+\.(top_logprobs\.\d+\.)?bytes: Input should be a valid array"),
    "anthropic": (r"container\.expires_at: Field required", r"delta\.citation\.\w+: Field required"),
    "gemini": (),
    "ollama": (),
}


def unexcused(found: list[str], excuses: tuple[str, ...]) -> list[str]:
    return [one for one in found if not any(re.search(excuse, one) for excuse in excuses)]


def complaints(request: ChatRequest, target: WireName, model: str) -> list[str] | None:
    """About the request as the target is told it; None where it is refused."""
    dialect = QUIRKS.get(target, PLAIN)
    try:
        lowered = translate(replace(request, model=model), target, model, dialect)
        body = CODECS[target].write_request(lowered.request, dialect).body
    except CallgateError:
        return None
    return unexcused(request_violations(target, body), IN_REQUESTS.get(target, ()))


def events_of(stream: bytes) -> Iterator[tuple[str, Any]]:
    if stream.startswith(b"{"):
        yield from (("", orjson.loads(line)) for line in stream.splitlines())
        return
    parser = SseParser()
    for event in [*parser.feed(stream), *parser.flush()]:
        if event.data is not None and event.data != "[DONE]":
            yield event.event, orjson.loads(event.data)


def streamed_complaints(wire: WireName, stream: bytes, excuses: tuple[str, ...]) -> list[str]:
    found = [
        f"{name} {one}"
        for name, value in events_of(stream)
        for one in unexcused(violations(EVENTS[wire], value), excuses)
    ]
    return list(dict.fromkeys(found))


def excuses_of(source: Samples, target: Samples) -> tuple[str, ...]:
    wire = target.codec.wire
    return (*IN_REPLIES[wire], *(BORROWED[wire] if source is target else ()))


def path_of(samples: Samples) -> dict[str, Any]:
    return {"model": "m", "stream": False} if samples.codec.wire == "gemini" else {}


def rich(replies: dict[str, Any], source: Samples) -> list[Any]:
    """The reply that says all that a wire can; Ollama's says no more than its samples do."""
    return [replies[source.codec.wire]] if source.codec.wire in replies else []


ASKED = [
    pytest.param(samples, body, target, id=f"{samples.codec.wire}-{number}-to-{target}")
    for samples in ALL
    for number, body in enumerate(samples.requests)
    for target in WIRES
    if target != samples.codec.wire
]
ANSWERED = [
    pytest.param(source, body, target, id=f"{source.codec.wire}-{number}-to-{target.codec.wire}")
    for source in ALL
    for number, body in enumerate([*source.responses, *rich(rich_replies.PLAIN, source)])
    for target in ALL
]
STREAMED = [
    pytest.param(source, stream, target, id=f"{source.codec.wire}-{number}-to-{target.codec.wire}")
    for source in ALL
    for number, stream in enumerate([*source.streams, *rich(rich_replies.STREAMED, source)])
    for target in ALL
]


@pytest.mark.parametrize(("samples", "body", "target"), ASKED)
def test_a_translated_request_is_what_the_providers_types_say(
    samples: Samples, body: dict[str, Json], target: WireName
) -> None:
    request = samples.codec.read_request(body, **path_of(samples))
    for model in MODELS[target]:
        assert not complaints(request, target, model)


@given(requests(), st.sampled_from(WIRES), st.data())
def test_any_request_is_translated_into_what_the_providers_types_say(
    request: ChatRequest, target: WireName, data: st.DataObject
) -> None:
    if request.wire != target:
        assert not complaints(request, target, data.draw(st.sampled_from(MODELS[target])))


@pytest.mark.parametrize(("source", "body", "target"), ANSWERED)
def test_a_reply_is_what_the_clients_types_say(source: Samples, body: dict[str, Json], target: Samples) -> None:
    written = target.codec.write_response(source.codec.read_response(body), target.request)
    found = violations(RESPONSES[target.codec.wire], written)
    assert unexcused(found, excuses_of(source, target)) == []


@pytest.mark.parametrize("wire", WIRES)
@given(reply=replies())
def test_any_reply_is_written_as_the_clients_types_say(wire: WireName, reply: ChatResponse) -> None:
    found = violations(RESPONSES[wire], CODECS[wire].write_response(reply, BY_WIRE[wire].request))
    assert unexcused(found, IN_REPLIES[wire]) == []


@pytest.mark.parametrize(("source", "stream", "target"), STREAMED)
def test_every_event_of_a_stream_is_what_the_clients_types_say(source: Samples, stream: bytes, target: Samples) -> None:
    deltas = deltas_of(read_stream(source.codec, stream))
    if source is not target:
        deltas = portable(deltas) or []
    written = write_stream(target, deltas, keep_alive=True)
    assert streamed_complaints(target.codec.wire, written, excuses_of(source, target)) == []


@pytest.mark.parametrize("wire", WIRES)
@settings(deadline=None)  # the machine may be busy
@given(reply=replies(choices=3), failing=st.booleans())
def test_any_stream_is_written_as_the_clients_types_say(wire: WireName, reply: ChatResponse, failing: bool) -> None:
    deltas = disassemble(reply)
    if failing:
        deltas = [*deltas[: len(deltas) // 2], Failed(Fault("overloaded", "the model is busy"))]
    written = write_stream(BY_WIRE[wire], deltas, keep_alive=True)
    if failing and wire == "openai-chat":
        written = written[: written.rindex(b'data: {"error"')]  # no chunk: clients look for it before they read one
    if failing and wire == "ollama":
        written = written[: written.rindex(b'{"error"')]  # likewise
    assert streamed_complaints(wire, written, IN_REPLIES[wire]) == []


@pytest.mark.parametrize(
    ("official", "value", "complaint"),
    [
        (RESPONSES["openai-chat"], {**rich_replies.CHAT, "colour": 1}, "colour: Extra inputs"),
        (RESPONSES["anthropic"], {**rich_replies.ANTHROPIC, "role": "user"}, "role: Input should be 'assistant'"),
        (RESPONSES["gemini"], {"candidates": [{"finish_reason": "STOP"}]}, "finish_reason: Extra inputs"),
        (RESPONSES["gemini"], {"candidates": [{"finishReason": "TIRED"}]}, "finishReason: Input should be"),
        (EVENTS["openai-responses"], {"type": "response.nap"}, "Is none of the types, with the tag response.nap"),
        (RESPONSES["openai-responses"], {**rich_replies.RESPONSES, "created_at": "1"}, "created_at: Input should be"),
    ],
)
def test_the_types_are_read_strictly(official: Any, value: dict[str, Any], complaint: str) -> None:
    assert any(complaint in one for one in violations(official, value))


def test_lists_of_parameters_are_looked_into() -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "txt": "Hi"}]}]}
    assert request_violations("openai-chat", body) == [
        "messages.0.content.0.text: Field required",
        "messages.0.content.0.txt: Extra inputs are not permitted",
    ]
