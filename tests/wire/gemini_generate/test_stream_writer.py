"""What clients of this wire are sent."""

import json

import pytest

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
from callgate.core.messages import Json, Opaque, Text, Usage
from callgate.wire.codec import Frame
from callgate.wire.gemini_generate.stream_writer import GenerateWriter

START = Started("msg_1", "claude-x")


def chunks(data: bytes) -> list[dict[str, Json]]:
    events = [event for event in data.decode().split("\n\n") if event.strip()]
    assert all(event.startswith("data: ") for event in events)
    return [json.loads(event.removeprefix("data: ")) for event in events]


def written(*deltas: Delta) -> list[dict[str, Json]]:
    writer = GenerateWriter("gemini-3-pro")
    return chunks(b"".join(writer.write(delta) for delta in deltas) + writer.close())


def parts(body: dict[str, Json]) -> Json:
    return body["candidates"][0]["content"]["parts"]  # type: ignore[index,call-overload]


def test_every_chunk_is_a_whole_response() -> None:
    bodies = written(START, TextDelta(0, "a"), UsageReported(Usage(3, 2)), Finished("stop"))
    assert bodies == [
        {
            "candidates": [{"content": {"role": "model", "parts": [{"text": "a"}]}, "index": 0}],
            "modelVersion": "claude-x",
            "responseId": "msg_1",
        },
        {
            "candidates": [{"content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2, "totalTokenCount": 5},
            "modelVersion": "claude-x",
            "responseId": "msg_1",
        },
    ]


def test_usage_that_comes_after_the_finish_is_in_the_last_chunk() -> None:
    bodies = written(START, TextDelta(0, "a"), Finished("length"), UsageReported(Usage(3, 2)))
    assert "usageMetadata" not in bodies[0]
    assert "usageMetadata" in bodies[1]
    assert bodies[1]["candidates"][0]["finishReason"] == "MAX_TOKENS"  # type: ignore[index,call-overload]


def test_calls_come_whole_each_in_a_part_of_its_own() -> None:
    bodies = written(
        CallStarted(0, "toolu_1", "f"),
        CallStarted(1, "call_x|2", "g"),
        ArgumentsDelta(1, '{"b"'),
        ArgumentsDelta(0, '{"a":1}'),
        ArgumentsDelta(1, ":2}"),
        CallEnded(0, '{"a":1}', "c2ln", "gemini"),
        CallEnded(1, '{"b":2}', "EqQB", "anthropic"),
        Finished("tool_calls"),
    )
    assert [parts(body) for body in bodies] == [
        [{"functionCall": {"id": "toolu_1", "name": "f", "args": {"a": 1}}, "thoughtSignature": "c2ln"}],
        [{"functionCall": {"id": "call_x|2", "name": "g", "args": {"b": 2}}}],
        [{"text": ""}],
    ]


def test_a_call_that_never_ended_is_not_shown() -> None:
    bodies = written(CallStarted(0, "a", "f"), ArgumentsDelta(0, '{"x'), Finished("length"))
    assert [parts(body) for body in bodies] == [[{"text": ""}]]


def test_thoughts_are_marked_and_only_own_proofs_shown() -> None:
    bodies = written(
        ReasoningDelta(0, "hm"),
        ReasoningSigned(0, "EqQB", "anthropic"),
        ReasoningDelta(1, ""),
        ReasoningSigned(1, "c2ln", "gemini"),
        Finished("stop"),
    )
    assert [parts(body) for body in bodies[:-1]] == [
        [{"text": "hm", "thought": True}],
        [{"text": "", "thought": True, "thoughtSignature": "c2ln"}],
    ]


def test_whole_parts_are_shown_if_the_wire_knows_them() -> None:
    bodies = written(
        PartArrived(0, Text("b", {"thoughtSignature": "c2ln"})),
        PartArrived(1, Opaque("anthropic", {"type": "server_tool_use"})),
        PartArrived(2, Opaque("gemini", {"executableCode": {}})),
        Finished("stop"),
    )
    assert [parts(body) for body in bodies[:-1]] == [
        [{"text": "b", "thoughtSignature": "c2ln"}],
        [{"executableCode": {}}],
    ]


@pytest.mark.parametrize(
    ("deltas", "texts"),
    [
        ([RefusalDelta(0, "No."), Finished("stop")], ["No.", ""]),
        ([TextDelta(0, "No."), Finished("refusal", "not allowed")], ["No.", "not allowed", ""]),
        ([RefusalDelta(0, "No."), Finished("refusal", "No.")], ["No.", ""]),
    ],
)
def test_a_refusal_is_said_once_and_ends_as_one(deltas: list[Delta], texts: list[str]) -> None:
    bodies = written(*deltas)
    assert [parts(body)[0]["text"] for body in bodies] == texts  # type: ignore[index,call-overload]
    assert bodies[-1]["candidates"][0]["finishReason"] == "SAFETY"  # type: ignore[index,call-overload]


def test_several_answers_keep_their_numbers_and_end_together() -> None:
    bodies = written(TextDelta(0, "a"), TextDelta(0, "b", 1), Finished("stop", choice=1), Finished("length"))
    numbers = [[one["index"] for one in body["candidates"]] for body in bodies]  # type: ignore[union-attr,index,call-overload]
    assert numbers == [[0], [1], [0, 1]]
    reasons = [one["finishReason"] for one in bodies[-1]["candidates"]]  # type: ignore[union-attr,index,call-overload]
    assert reasons == ["MAX_TOKENS", "STOP"]


def test_a_failure_is_an_error_in_the_stream_and_the_end_of_it() -> None:
    writer = GenerateWriter("m")
    data = writer.write(TextDelta(0, "a")) + writer.write(Failed(Fault("rate_limit", "slow", retry_after=3)))
    assert chunks(data)[1] == {
        "error": {
            "code": 429,
            "message": "slow",
            "status": "RESOURCE_EXHAUSTED",
            "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3s"}],
        }
    }
    assert writer.write(TextDelta(0, "b")) + writer.write(Finished("stop")) + writer.close() == b""


def test_keeping_alive_is_a_bare_newline_and_there_is_no_end_mark() -> None:
    writer = GenerateWriter("m")
    assert writer.keep_alive() == b"\n"
    assert b"[DONE]" not in writer.write(Finished("stop")) + writer.close()
    assert writer.close() == b""


def test_characters_that_some_clients_take_for_line_ends_are_escaped() -> None:
    data = GenerateWriter("m").write(TextDelta(0, "a\u2028b\u2029c\u0085d\\\u2028"))
    assert len(data.decode().splitlines()) == 2
    assert parts(chunks(data)[0]) == [{"text": "a\u2028b\u2029c\u0085d\\\u2028"}]


def test_nothing_is_said_twice_after_relayed_frames() -> None:
    writer = GenerateWriter("m")
    writer.follow(
        Frame(b"", (Started("resp", "gemini-x"), TextDelta(0, "a"), Finished("stop"), UsageReported(Usage(1))))
    )
    assert writer.close() == b""


def test_usage_alone_repeats_the_end_rather_than_send_no_candidate() -> None:
    writer = GenerateWriter("m")
    writer.follow(Frame(b"", (Started("resp", "gemini-x"), TextDelta(0, "a"), Finished("stop"))))
    writer.write(UsageReported(Usage(1, 2)))
    [body] = chunks(writer.close())
    assert (body["responseId"], body["modelVersion"]) == ("resp", "gemini-x")
    assert body["candidates"][0]["finishReason"] == "STOP"  # type: ignore[index,call-overload]
    assert body["usageMetadata"]["totalTokenCount"] == 3  # type: ignore[index,call-overload]


def test_a_call_that_began_in_a_relayed_frame_can_be_ended() -> None:
    writer = GenerateWriter("m")
    writer.follow(Frame(b"", (CallStarted(0, "a", "f"),)))
    [body] = chunks(writer.write(CallEnded(0, "{}")))
    assert parts(body) == [{"functionCall": {"id": "a", "name": "f", "args": {}}}]


def test_a_relayed_failure_is_the_end() -> None:
    writer = GenerateWriter("m")
    writer.follow(Frame(b"", (Failed(Fault("upstream", "x")),)))
    assert writer.write(TextDelta(0, "a")) + writer.close() == b""


def test_an_id_is_made_once_where_there_is_none() -> None:
    bodies = written(TextDelta(0, "a"), TextDelta(0, "b"), Finished("stop"))
    assert len({str(body["responseId"]) for body in bodies}) == 1
    assert all(body["modelVersion"] == "gemini-3-pro" for body in bodies)
