"""The strictest reader there is must accept what is written: the official SDK, its stream helper, its tool runner."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import openai
import orjson
import pytest
from openai.lib.responses_tool_runner import RegisteredFunction, ResponsesToolRunner
from openai.types.responses import Response
from tests.wire.samples_openai_responses import RESPONSES, STREAMS, WEATHER

from callgate.core.assembly import assemble
from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    Failed,
    Finished,
    ReasoningDelta,
    ReasoningSigned,
    RefusalDelta,
    Started,
    TextDelta,
    UsageReported,
)
from callgate.core.errors import BadRequest, Fault
from callgate.core.messages import Usage
from callgate.wire.openai_responses import OpenAIResponses

CODEC = OpenAIResponses()
START = Started("msg_foreign", "claude-x", 1760000000)
ASK: dict[str, Any] = {"model": "gpt-5.5", "input": "Hello"}


def written(*deltas: Delta, body: dict[str, Any] | None = None) -> bytes:
    writer = CODEC.stream_writer(CODEC.read_request(body or ASK))
    return b"".join(writer.write(delta) for delta in deltas) + writer.close()


@contextmanager
def client_of(handler: Callable[[httpx2.Request], httpx2.Response]) -> Iterator[openai.OpenAI]:
    with (
        httpx2.Client(transport=httpx2.MockTransport(handler)) as http,
        openai.OpenAI(
            api_key="k", base_url="http://gate/v1", http_client=http, max_retries=0, _strict_response_validation=True
        ) as client,
    ):
        yield client


@contextmanager
def client_told(stream: bytes) -> Iterator[openai.OpenAI]:
    answer = httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=stream)
    with client_of(lambda _: answer) as client:
        yield client


def final_of(stream: bytes) -> Any:
    with client_told(stream) as client, client.responses.stream(**ASK) as events:
        return events.get_final_response()


def events_of(stream: bytes) -> list[Any]:
    with client_told(stream) as client, client.responses.create(**ASK, stream=True) as events:
        return list(events)


def call(part: int, number: int, name: str, *pieces: str, **more: Any) -> list[Delta]:
    return [
        CallStarted(part, f"toolu_{number}", name, **more),
        *(ArgumentsDelta(part, piece) for piece in pieces),
        CallEnded(part, "".join(pieces)),
    ]


def test_text_comes_out_whole_with_its_usage() -> None:
    final = final_of(
        written(START, TextDelta(0, "Grüe"), TextDelta(0, "zi"), Finished("stop"), UsageReported(Usage(9, 3, 4, 1, 2)))
    )
    assert final.output_text == "Grüezi"
    assert final.status == "completed"
    assert final.id.startswith("resp_")
    assert final.usage is not None
    assert final.usage.input_tokens_details.cached_tokens == 4
    assert final.usage.output_tokens_details.reasoning_tokens == 2
    assert final.usage.total_tokens == 12


def test_parallel_calls_that_interleave_keep_their_arguments() -> None:
    deltas: list[Delta] = [
        START,
        TextDelta(0, "Two."),
        CallStarted(1, "toolu_1", "a"),
        CallStarted(2, "toolu_2", "b"),
        ArgumentsDelta(1, '{"x"'),
        ArgumentsDelta(2, '{"y":2}'),
        ArgumentsDelta(1, ":1}"),
        CallEnded(2, '{"y":2}'),
        CallEnded(1, '{"x":1}'),
        TextDelta(3, "After."),
        Finished("tool_calls"),
    ]
    final = final_of(written(*deltas))
    assert [item.type for item in final.output] == ["message", "function_call", "function_call", "message"]
    assert [(c.call_id, c.name, c.arguments) for c in final.output if c.type == "function_call"] == [
        ("toolu_1", "a", '{"x":1}'),
        ("toolu_2", "b", '{"y":2}'),
    ]
    assert final.output_text == "Two.After."


def test_one_item_is_told_after_the_other_as_the_service_does_it() -> None:
    """A Chat provider ends its calls only at the end, and one without arguments is given its empty object there."""
    deltas: list[Delta] = [
        START,
        CallStarted(0, "call_1", "a"),
        CallStarted(1, "call_2", "b"),
        ArgumentsDelta(1, '{"y":2}'),
        CallStarted(2, "call_3", "c"),
        CallEnded(0, "{}"),
        CallEnded(1, '{"y":2}'),
        CallEnded(2, "{}"),
        Finished("tool_calls"),
    ]
    for cut in (len(deltas) - 1, len(deltas) - 2, len(deltas) - 4):
        events = events_of(written(*deltas[:cut], Finished("tool_calls")))
        places = [event.output_index for event in events if hasattr(event, "output_index")]
        assert places == sorted(places)
        kinds = [event.type.rpartition("output_item.")[2] for event in events if "output_item." in event.type]
        assert kinds == ["added", "done"] * 3
        final = [item.arguments for item in events[-1].response.output]
        assert final == ["{}", '{"y":2}', "{}"]


def test_a_call_without_arguments_has_an_empty_object() -> None:
    events = events_of(written(START, CallStarted(0, "c", "now"), CallEnded(0, "{}"), Finished("tool_calls")))
    assert [event.delta for event in events if event.type == "response.function_call_arguments.delta"] == ["{}"]
    assert events[-1].response.output[0].arguments == "{}"


def test_a_custom_call_has_its_own_events() -> None:
    stream = written(START, *call(0, 1, "apply_patch", "*** Be", "gin", variant="custom"), Finished("tool_calls"))
    kinds = [event.type for event in events_of(stream)]
    assert "response.custom_tool_call_input.done" in kinds
    assert kinds.count("response.custom_tool_call_input.delta") == 2
    assert final_of(stream).output[0].input == "*** Begin"


def test_a_grouped_call_carries_its_namespace() -> None:
    final = final_of(written(START, *call(0, 1, "spawn", "{}", namespace="agents"), Finished("tool_calls")))
    assert final.output[0].namespace == "agents"


def test_reasoning_comes_with_its_encrypted_content() -> None:
    stream = written(
        START,
        ReasoningDelta(0, "", "rs_9"),
        ReasoningDelta(0, "Hm."),
        ReasoningSigned(0, "gAAAA", "openai-responses", "rs_9"),
        *call(1, 1, "now", "{}"),
        Finished("tool_calls"),
    )
    item = final_of(stream).output[0]
    assert (item.type, item.id, item.encrypted_content) == ("reasoning", "rs_9", "gAAAA")
    assert [piece.text for piece in item.summary] == ["Hm."]


def test_a_foreign_signature_is_left_out_unless_wrapped() -> None:
    def sealed(signature: str) -> str | None:
        stream = written(START, ReasoningDelta(0, "Hm."), ReasoningSigned(0, signature, "anthropic"), Finished("stop"))
        return final_of(stream).output[0].encrypted_content

    assert sealed("EqQB") is None
    assert sealed("cg1.abc") == "cg1.abc"


def test_a_refusal_is_a_refusal() -> None:
    final = final_of(written(START, RefusalDelta(0, "No"), RefusalDelta(0, "."), Finished("stop")))
    assert final.output[0].content[0].refusal == "No."


def test_a_reply_cut_off_is_incomplete() -> None:
    last = events_of(written(START, TextDelta(0, "It was"), Finished("length")))[-1]
    assert last.type == "response.incomplete"
    assert last.response.incomplete_details.reason == "max_output_tokens"
    assert last.response.output[0].status == "incomplete"


def test_a_failure_ends_the_stream_and_finishes_no_call() -> None:
    stream = written(
        START,
        TextDelta(0, "Wait"),
        CallStarted(1, "c", "rm"),
        ArgumentsDelta(1, '{"path":'),
        Failed(Fault("rate_limit", "busy")),
    )
    events = events_of(stream)
    assert events[-1].type == "response.failed"
    assert events[-1].response.status == "failed"
    assert (events[-1].response.error.code, events[-1].response.error.message) == ("rate_limit_exceeded", "busy")
    assert [item.type for item in events[-1].response.output] == ["message"]
    assert not any(e.type == "response.output_item.done" and e.item.type == "function_call" for e in events)
    with client_told(stream) as client, client.responses.stream(**ASK) as helper:
        assert [event.type for event in helper][-1] == "response.failed"


def test_a_failure_before_anything_else_still_begins_with_created() -> None:
    kinds = [event.type for event in events_of(written(Failed(Fault("upstream", "gone"))))]
    assert kinds == ["response.created", "response.in_progress", "response.failed"]


def test_keep_alives_in_the_middle_disturb_nothing() -> None:
    writer = CODEC.stream_writer(CODEC.read_request(ASK))
    stream = writer.keep_alive() + writer.write(START) + writer.keep_alive() + writer.write(TextDelta(0, "Hi"))
    stream += writer.keep_alive() + writer.write(Finished("stop")) + writer.close()
    assert final_of(stream).output_text == "Hi"
    numbers = [event.sequence_number for event in events_of(stream)]
    assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize("sample", STREAMS)
def test_a_stream_that_was_read_and_written_again_is_accepted(sample: bytes) -> None:
    reader = CODEC.stream_reader()
    deltas = [delta for frame in (*reader.decode(sample), *reader.flush()) for delta in frame.deltas]
    stream = written(*deltas)
    with client_told(stream) as client, client.responses.stream(**ASK) as helper:
        finished = {event.output_index: event.item for event in helper if event.type == "response.output_item.done"}
    listed = events_of(stream)[-1].response.output
    assert [item.to_dict() for item in listed] == [finished[index].to_dict() for index in sorted(finished)]


@pytest.mark.parametrize("body", RESPONSES)
def test_a_plain_response_is_accepted(body: dict[str, Any]) -> None:
    request = CODEC.read_request({**ASK, "tools": [WEATHER], "metadata": {"a": "b"}})
    again = CODEC.write_response(CODEC.read_response(body), request)
    answer = httpx2.Response(200, headers={"content-type": "application/json"}, content=orjson.dumps(again))
    with client_of(lambda _: answer) as client:
        parsed = client.responses.create(**ASK)
    assert isinstance(parsed, Response)
    assert [item.to_dict() for item in parsed.output] == body["output"]
    assert parsed.tools[0].name == "get_weather"


def test_an_error_is_raised_with_its_code_and_param() -> None:
    with pytest.raises(BadRequest) as complaint:
        CODEC.read_request({**ASK, "tools": [{"type": "function", "function": {"name": "f"}}]})
    refused = CODEC.write_error(complaint.value.fault)
    answer = httpx2.Response(refused.status, json=refused.body, headers=dict(refused.headers))
    with client_of(lambda _: answer) as client, pytest.raises(openai.BadRequestError) as raised:
        client.responses.create(**ASK)
    assert raised.value.code == "missing_required_parameter"
    assert raised.value.param == "tools[0].name"


@pytest.mark.parametrize(
    "mode", [{}, {"stream": True}, {"stream": True, "eager": True}], ids=["plain", "stream", "eager"]
)
def test_the_tool_runner_completes_its_loop(mode: dict[str, bool]) -> None:
    """Its requests are read, its answers written, as the proxy will do it."""
    rounds: list[Any] = []

    def gate(http: httpx2.Request) -> httpx2.Response:
        request = CODEC.read_request(orjson.loads(http.content))
        rounds.append(request)
        deltas: list[Delta] = [Started(f"msg_{len(rounds)}", "claude-x", 1760000000)]
        if len(rounds) == 1:
            deltas += [
                ReasoningDelta(0, "Look."),
                TextDelta(1, "One moment."),
                *call(2, 1, "get_weather", '{"city":"B"}'),
            ]
            deltas += [*call(3, 2, "get_weather", '{"city":"C"}'), Finished("tool_calls"), UsageReported(Usage(3, 2))]
        else:
            deltas += [TextDelta(0, "Sunny."), Finished("stop"), UsageReported(Usage(9, 1))]
        writer = CODEC.stream_writer(request)
        stream = b"".join(writer.write(delta) for delta in deltas) + writer.close()
        if request.stream:
            return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=stream)
        reader = CODEC.stream_reader()
        again = [delta for frame in (*reader.decode(stream), *reader.flush()) for delta in frame.deltas]
        return httpx2.Response(200, json=CODEC.write_response(assemble(again), request))

    with client_of(gate) as client:
        runner = ResponsesToolRunner(functions=[RegisteredFunction(WEATHER, lambda given: f"sun in {given['city']}")])
        asked: Any = {"model": "gpt-5.5", "input": "Weather?", "store": False}
        answer = runner.run(client, asked, max_steps=3, **mode)
        runner.close()
    assert answer.output_text == "Sunny."
    results = [part for message in rounds[1].messages for part in message.results]
    assert [(result.call_id, result.text) for result in results] == [("toolu_1", "sun in B"), ("toolu_2", "sun in C")]
