"""What is written is what every client can bear: the rules, and the official SDK's own accumulator as the judge."""

from dataclasses import replace

import httpx2
import pytest
from openai import APIError, OpenAI
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletion
from openai.types.chat.chat_completion_chunk import ChatCompletionChunk
from tests.wire.samples_openai_chat import DONE, FIRST, begun, chunk

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    Failed,
    Finished,
    PartArrived,
    ReasoningDelta,
    ReasoningSigned,
    RefusalDelta,
    Started,
    TextDelta,
    UsageReported,
)
from callgate.core.errors import Fault
from callgate.core.json.text import parse_object
from callgate.core.messages import Image, Json, Opaque, Reasoning, Refusal, Text, ToolCall, Usage
from callgate.core.request import ChatRequest, Sampling
from callgate.wire.codec import Frame
from callgate.wire.openai_chat.stream_reader import ChatStreamReader
from callgate.wire.openai_chat.stream_writer import ChatStreamWriter
from callgate.wire.sse import SseParser

REQUEST = ChatRequest("openai-chat", "m", (), stream=True)
WITH_USAGE = replace(REQUEST, include_usage=True)
LEGACY = replace(REQUEST, legacy_functions=True)
STARTED = Started("msg_1", "claude", 1700000000)


def write(*deltas: Delta, request: ChatRequest = REQUEST) -> bytes:
    writer = ChatStreamWriter(request)
    return b"".join(writer.write(delta) for delta in deltas) + writer.close()


def chunks(stream: bytes) -> list[dict[str, Json]]:
    parser = SseParser()
    events = parser.feed(stream) + parser.flush()
    assert events[-1].data == "[DONE]"
    return [parse_object(event.data or "") or {} for event in events[:-1]]


def pieces(stream: bytes) -> list[Json]:
    return [choice["delta"] for body in chunks(stream) for choice in body["choices"]]  # type: ignore[index,call-overload,union-attr]


def client(stream: bytes) -> OpenAI:
    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=stream)

    http = httpx2.Client(transport=httpx2.MockTransport(answer))
    return OpenAI(api_key="k", base_url="http://127.0.0.1:9/v1", http_client=http, max_retries=0)


def judged(stream: bytes) -> ChatCompletion:
    """What the official SDK makes of it, through its own transport, decoder and accumulator."""
    state: ChatCompletionStreamState[None] = ChatCompletionStreamState()
    with client(stream) as openai:
        for piece in openai.chat.completions.create(model="m", messages=[], stream=True):
            assert isinstance(piece, ChatCompletionChunk)
            list(state.handle_chunk(piece))
    return state.current_completion_snapshot


PARALLEL: tuple[Delta, ...] = (
    STARTED,
    TextDelta(0, "Grüe"),
    TextDelta(0, "zi"),
    CallStarted(1, "toolu_1", "f"),
    ArgumentsDelta(1, '{"a"'),
    CallStarted(2, "toolu_2", "g"),
    ArgumentsDelta(1, ":1}"),
    CallEnded(2, ""),
    TextDelta(3, " und "),
    CallEnded(1, '{"a":1}'),
    Finished("tool_calls"),
    UsageReported(Usage(10, 5, 2)),
)


def test_the_sdk_reads_parallel_calls_a_call_without_arguments_and_text_around_them() -> None:
    completion = judged(write(*PARALLEL, request=WITH_USAGE))
    choice = completion.choices[0]
    assert (completion.id, completion.model, completion.created) == ("msg_1", "claude", 1700000000)
    assert (choice.message.role, choice.message.content) == ("assistant", "Grüezi und ")
    assert choice.finish_reason == "tool_calls"
    calls = [
        (call.id, call.type, call.function.name, call.function.arguments) for call in choice.message.tool_calls or []
    ]  # type: ignore[union-attr]
    assert calls == [("toolu_1", "function", "f", '{"a":1}'), ("toolu_2", "function", "g", "{}")]
    assert completion.usage is not None
    assert (completion.usage.prompt_tokens, completion.usage.total_tokens) == (10, 15)


def test_the_sdks_stream_helper_tells_each_call_once_it_is_whole() -> None:
    with client(write(*PARALLEL)) as openai, openai.chat.completions.stream(model="m", messages=[]) as stream:
        done = [event for event in stream if event.type == "tool_calls.function.arguments.done"]
    assert [(event.name, event.arguments) for event in done] == [("f", '{"a":1}'), ("g", "{}")]


def test_the_sdk_reads_a_refusal() -> None:
    completion = judged(write(STARTED, RefusalDelta(0, "I "), RefusalDelta(0, "won't."), Finished("stop")))
    assert (completion.choices[0].message.refusal, completion.choices[0].message.content) == ("I won't.", None)


def test_the_sdk_reads_why_another_wire_refused() -> None:
    completion = judged(write(STARTED, TextDelta(0, "No."), Finished("refusal", "not allowed")))
    assert completion.choices[0].finish_reason == "content_filter"
    assert completion.choices[0].message.refusal == "not allowed"


def test_the_sdk_raises_what_went_wrong() -> None:
    stream = write(STARTED, TextDelta(0, "a"), Failed(Fault("overloaded", "the model is busy")), Finished("stop"))
    with pytest.raises(APIError, match="the model is busy") as caught:
        judged(stream)
    assert caught.value.code == "overloaded"
    assert stream.endswith(DONE)


def test_the_sdk_reads_several_choices() -> None:
    request = replace(REQUEST, sampling=Sampling(n=2))
    completion = judged(
        write(
            STARTED,
            TextDelta(0, "zwei", choice=1),
            CallStarted(0, "1", "f", choice=0),
            CallEnded(0, "{}", choice=0),
            Finished("stop", choice=0),
            Finished("length", choice=1),
            request=request,
        )
    )
    assert [choice.finish_reason for choice in completion.choices] == ["tool_calls", "length"]
    assert [choice.message.role for choice in completion.choices] == ["assistant", "assistant"]


def test_the_sdk_reads_thoughts_and_proofs_as_extra_fields() -> None:
    details = '[{"type":"reasoning.text","text":"hm"}]'
    completion = judged(
        write(
            STARTED,
            ReasoningDelta(0, "h"),
            ReasoningDelta(0, "m"),
            ReasoningSigned(0, details, "openai-chat"),
            ReasoningDelta(1, "", "rs_1"),
            ReasoningSigned(1, '[{"type":"reasoning.encrypted","data":"x","index":1}]', "openai-chat"),
            CallStarted(2, "1", "f"),
            CallEnded(2, "{}", "c2ln", "gemini"),
            Finished("tool_calls"),
        )
    )
    extra = completion.choices[0].message.model_extra or {}
    assert extra["reasoning_content"] == "hm"
    assert [entry["type"] for entry in extra["reasoning_details"]] == ["reasoning.text", "reasoning.encrypted"]
    call = (completion.choices[0].message.tool_calls or [])[0]
    assert (call.model_extra or {})["extra_content"] == {"google": {"thought_signature": "c2ln"}}


def test_the_sdk_bears_keep_alives_before_within_and_after() -> None:
    writer = ChatStreamWriter(REQUEST)
    stream = writer.keep_alive()
    assert stream.startswith(b":"), "before the first chunk there is no id to speak under"
    for delta in PARALLEL:
        stream += writer.write(delta) + writer.keep_alive()
    completion = judged(stream + writer.close())
    assert completion.choices[0].message.content == "Grüezi und "


def test_the_sdk_reads_a_stream_that_was_relayed_first_and_written_on() -> None:
    reader = ChatStreamReader()
    relayed = chunk(FIRST) + chunk({"content": "a"}) + chunk(begun(0, "1", "f", "{}"))
    writer = ChatStreamWriter(REQUEST)
    for frame in reader.decode(relayed):
        writer.follow(frame)
    stream = relayed
    for delta in (CallStarted(2, "2", "g"), CallEnded(1, "{}"), CallEnded(2, "{}"), Finished("tool_calls")):
        stream += writer.write(delta)
    completion = judged(stream + writer.close())
    assert [call.id for call in completion.choices[0].message.tool_calls or []] == ["1", "2"]
    assert completion.choices[0].message.role == "assistant"
    assert completion.id == "chatcmpl-abc"


def test_every_chunk_has_the_same_id_model_and_time() -> None:
    heads = {(body["id"], body["model"], body["created"], body["object"]) for body in chunks(write(*PARALLEL))}
    assert heads == {("msg_1", "claude", 1700000000, "chat.completion.chunk")}


def test_a_stream_without_an_id_gets_one_and_keeps_it() -> None:
    bodies = chunks(write(TextDelta(0, "a"), Finished("stop")))
    assert len({str(body["id"]) for body in bodies}) == 1
    assert str(bodies[0]["id"]).startswith("chatcmpl-")
    assert bodies[0]["model"] == "m"


def test_the_role_comes_once_and_first() -> None:
    assert pieces(write(STARTED, STARTED, TextDelta(0, "a"), Finished("stop"))) == [
        {"role": "assistant", "content": None},
        {"content": "a"},
        {},
    ]


def test_usage_is_told_last_and_only_to_who_asked() -> None:
    bodies = chunks(
        write(STARTED, UsageReported(Usage(1, 1)), Finished("stop"), UsageReported(Usage(1, 2)), request=WITH_USAGE)
    )
    assert [body["usage"] for body in bodies[:-1]] == [None, None]
    assert bodies[-1]["choices"] == []
    assert bodies[-1]["usage"]["completion_tokens"] == 2  # type: ignore[index,call-overload]
    silent = chunks(write(STARTED, UsageReported(Usage(1, 1)), Finished("stop")))
    assert not any("usage" in body for body in silent)


def test_a_client_of_the_old_style_gets_one_function_call() -> None:
    stream = write(*PARALLEL, request=LEGACY)
    message = judged(stream).choices[0]
    assert message.finish_reason == "function_call"
    assert message.message.function_call is not None
    assert (message.message.function_call.name, message.message.function_call.arguments) == ("f", '{"a":1}')
    assert not any("tool_calls" in piece for piece in pieces(stream))  # type: ignore[operator]


def test_custom_calls_are_spelled_as_such() -> None:
    stream = write(STARTED, CallStarted(0, "1", "p", "custom"), ArgumentsDelta(0, "+a"), CallEnded(0, "+a"))
    assert pieces(stream)[1:] == [
        {"tool_calls": [{"index": 0, "id": "1", "type": "custom", "custom": {"name": "p", "input": ""}}]},
        {"tool_calls": [{"index": 0, "custom": {"input": "+a"}}]},
    ]


def test_parts_that_come_whole_are_told_and_those_without_a_place_are_not() -> None:
    stream = write(
        STARTED,
        PartArrived(0, Reasoning(signature="x", redacted=True, wire="anthropic")),
        PartArrived(1, Text("a")),
        PartArrived(2, Refusal("b")),
        PartArrived(3, Image("image/png", "AAAA")),
        PartArrived(4, Opaque("anthropic", {})),
        PartArrived(5, ToolCall("1", "f", "{}")),
        Finished("stop"),
    )
    completion = judged(stream)
    message = completion.choices[0].message
    assert (message.content, message.refusal, len(message.tool_calls or [])) == ("a", "b", 1)
    assert completion.choices[0].finish_reason == "tool_calls"


def test_after_a_failure_nothing_more_is_said() -> None:
    writer = ChatStreamWriter(WITH_USAGE)
    writer.write(STARTED)
    assert b"error" in writer.write(Failed(Fault("upstream", "gone")))
    assert writer.write(TextDelta(0, "a")) == b""
    writer.write(UsageReported(Usage(1, 1)))
    assert writer.close() == DONE


def test_a_relayed_end_is_not_written_again() -> None:
    writer = ChatStreamWriter(WITH_USAGE)
    reader = ChatStreamReader()
    for frame in reader.decode(chunk(FIRST) + chunk({"content": "a"}, "stop") + DONE):
        writer.follow(frame)
    assert writer.write(Finished("stop")) == b""
    assert writer.close() == b""


def test_a_relayed_failure_is_not_told_again() -> None:
    writer = ChatStreamWriter(REQUEST)
    writer.follow(Frame(b'data: {"error":{}}\n\n', (Failed(Fault("upstream", "x")),)))
    assert writer.write(TextDelta(0, "a")) == b""
    assert writer.close() == DONE


def test_usage_that_was_relayed_is_not_made_forgotten_by_a_keep_alive() -> None:
    reader, writer = ChatStreamReader(), ChatStreamWriter(REQUEST)
    counted = b'"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}'
    last = b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",' + counted + b"}\n\n"
    relayed = chunk(FIRST) + chunk({"content": "a"}) + chunk({}, "stop") + last
    for frame in reader.decode(relayed):
        writer.follow(frame)
    completion = judged(relayed + writer.keep_alive() + writer.close())
    assert completion.usage is not None and completion.usage.total_tokens == 7


def test_usage_that_was_relayed_too_early_is_told_again() -> None:
    writer = ChatStreamWriter(WITH_USAGE)
    counted = chunk(FIRST | {"content": "a"})
    writer.follow(Frame(counted, (STARTED, TextDelta(0, "a"), UsageReported(Usage(3, 4)))))
    told = writer.write(Finished("stop")) + writer.close()
    assert chunks(told)[-1]["usage"]["total_tokens"] == 7  # type: ignore[index,call-overload]
