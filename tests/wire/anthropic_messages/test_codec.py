"""The codec as the official SDK sees it: what we write must be what it reads."""

from collections.abc import Callable

import anthropic
import httpx2
import pytest
from tests.wire.samples_anthropic_messages import CALLS_STREAM, CODEC, PLAIN, WEATHER

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    Failed,
    Finished,
    ReasoningDelta,
    ReasoningSigned,
    Started,
    TextDelta,
    UsageReported,
)
from callgate.core.errors import BadRequest, Fault
from callgate.core.json.text import dump_bytes, parse_object
from callgate.core.messages import Json, Message, Text, ToolCall, Usage
from callgate.core.request import ChatResponse, Choice

REQUEST = CODEC.read_request(PLAIN)
Handler = Callable[[httpx2.Request], httpx2.Response]


def _client(handler: Handler) -> anthropic.Anthropic:
    transport = httpx2.MockTransport(handler)
    return anthropic.Anthropic(
        api_key="k", base_url="http://gate.test", max_retries=0, http_client=httpx2.Client(transport=transport)
    )


def _streaming(data: bytes) -> anthropic.Anthropic:
    return _client(lambda _: httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=data))


def _spelled(*deltas: Delta, closed: bool = True) -> bytes:
    writer = CODEC.stream_writer(REQUEST)
    data = b"".join(writer.write(delta) for delta in (Started("chatcmpl-1", "gpt"), *deltas))
    data += writer.keep_alive()
    return data + writer.close() if closed else data


def _final(data: bytes) -> anthropic.types.Message:
    with (
        _streaming(data) as client,
        client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}]) as stream,
    ):
        return stream.get_final_message()


def test_the_sdk_assembles_parallel_calls_thinking_and_usage() -> None:
    message = _final(
        _spelled(
            ReasoningDelta(0, "Two "),
            ReasoningDelta(0, "cities."),
            ReasoningSigned(0, "Eq", "anthropic"),
            TextDelta(1, "Ich schaue… "),
            TextDelta(1, "🌦"),
            CallStarted(2, "call_a", "get_weather"),
            CallStarted(3, "call_b", "get_time"),
            ArgumentsDelta(2, '{"city":'),
            ArgumentsDelta(2, '"Zürich"}'),
            CallEnded(3, "{}"),
            CallEnded(2, '{"city":"Zürich"}'),
            Finished("tool_calls"),
            UsageReported(Usage(input=125, output=42, cached=100, cache_written=5)),
        )
    )
    thinking, text, first, second = message.content
    assert thinking.type == "thinking"
    assert (thinking.thinking, thinking.signature) == ("Two cities.", "Eq")
    assert text.type == "text"
    assert text.text == "Ich schaue… 🌦"
    assert first.type == second.type == "tool_use"
    assert (first.id, first.name, first.input) == ("call_a", "get_weather", {"city": "Zürich"})
    assert (second.id, second.name, second.input) == ("call_b", "get_time", {})
    assert message.stop_reason == "tool_use"
    assert message.id.startswith("msg_")
    usage = message.usage
    assert (usage.input_tokens, usage.output_tokens) == (20, 42)
    assert (usage.cache_read_input_tokens, usage.cache_creation_input_tokens) == (100, 5)


def test_the_sdk_reads_our_stream_as_it_reads_the_providers() -> None:
    deltas = [delta for frame in CODEC.stream_reader().decode(CALLS_STREAM) for delta in frame.deltas]
    writer = CODEC.stream_writer(REQUEST)
    ours = _final(b"".join(writer.write(delta) for delta in deltas) + writer.close())
    theirs = _final(CALLS_STREAM)
    assert ours.content == theirs.content
    assert (ours.stop_reason, ours.id, ours.model) == (theirs.stop_reason, theirs.id, theirs.model)
    assert ours.usage.output_tokens == theirs.usage.output_tokens == 42
    assert ours.usage.cache_read_input_tokens == theirs.usage.cache_read_input_tokens


def test_the_sdk_sees_a_call_without_arguments_as_an_empty_object() -> None:
    (call,) = _final(_spelled(CallStarted(0, "a", "f"), CallEnded(0, "{}"), Finished("tool_calls"))).content
    assert call.type == "tool_use"
    assert call.input == {}


def test_the_sdk_sees_a_refusal_with_its_explanation() -> None:
    message = _final(_spelled(TextDelta(0, "No."), Finished("refusal", "not allowed")))
    assert message.stop_reason == "refusal"
    assert message.stop_details is not None
    assert message.stop_details.explanation == "not allowed"


def test_the_sdk_raises_our_failure_in_mid_stream() -> None:
    data = _spelled(TextDelta(0, "x"), Failed(Fault("overloaded", "busy")), closed=False)
    with pytest.raises(anthropic.APIStatusError, match="busy") as caught:
        _final(data)
    body = caught.value.body
    assert isinstance(body, dict)
    assert body["error"]["type"] == "overloaded_error"


def test_the_sdk_reads_our_plain_reply() -> None:
    message = Message("assistant", (Text("a"), ToolCall("call_1", "f", '{"x":1}')))
    response = ChatResponse("resp_1", "gpt", (Choice(message, "tool_calls"),), Usage(input=3, output=4))
    body = dump_bytes(CODEC.write_response(response, REQUEST))
    reply = httpx2.Response(200, headers={"content-type": "application/json"}, content=body)
    with _client(lambda _: reply) as client:
        read = client.messages.create(model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}])
    assert [block.type for block in read.content] == ["text", "tool_use"]
    assert (read.usage.input_tokens, read.usage.output_tokens) == (3, 4)


@pytest.mark.parametrize(
    ("fault", "raised"),
    [
        (Fault("invalid_request", "no"), anthropic.BadRequestError),
        (Fault("authentication", "no"), anthropic.AuthenticationError),
        (Fault("rate_limit", "no", retry_after=1), anthropic.RateLimitError),
        (Fault("overloaded", "no"), anthropic.InternalServerError),
    ],
)
def test_the_sdk_raises_our_errors_as_its_own(fault: Fault, raised: type[anthropic.APIStatusError]) -> None:
    written = CODEC.write_error(fault)
    reply = httpx2.Response(written.status, headers=dict(written.headers), content=dump_bytes(written.body))
    with _client(lambda _: reply) as client, pytest.raises(raised) as caught:
        client.messages.create(model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}])
    assert caught.value.request_id == written.body["request_id"]


def test_we_read_what_the_sdk_sends() -> None:
    seen: list[dict[str, Json]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        body = parse_object(request.content)
        assert body is not None
        seen.append(body)
        return httpx2.Response(200, json=CODEC.write_response(ChatResponse("", "m", ()), REQUEST))

    with _client(answer) as client:
        first = _final(CALLS_STREAM)
        client.messages.create(
            model="m",
            max_tokens=9,
            system="s",
            messages=[
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": first.content},
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": "toolu_01A", "content": "sunny"},
                        {"type": "tool_result", "tool_use_id": "toolu_01B", "is_error": True},
                    ],
                },
            ],
            tools=[WEATHER],  # type: ignore[list-item]
        )
    request = CODEC.read_request(seen[0])
    assert [message.role for message in request.messages] == ["system", "user", "assistant", "tool", "tool"]
    assert [call.arguments for call in request.messages[2].calls] == ['{"city":"Zürich"}', "{}"]


def test_the_codec_names_its_wire_and_complains_in_its_own_words() -> None:
    assert CODEC.wire == "anthropic"
    with pytest.raises(BadRequest, match="max_tokens: Field required"):
        CODEC.read_request({"model": "m", "messages": [{"role": "user", "content": "hi"}]})
    assert CODEC.read_error(529, b"", {}).kind == "overloaded"
