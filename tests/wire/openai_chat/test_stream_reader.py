"""Streams as servers really send them."""

import json

import pytest
from tests.wire.samples_openai_chat import DONE, END, FIRST, RESPONSES, begun, chunk, part, reply

from callgate.core.deltas import Delta, Failed, Finished, Started, TextDelta, UsageReported
from callgate.core.messages import Json
from callgate.wire.codec import Frame
from callgate.wire.openai_chat.stream_reader import ChatStreamReader


def frames(*chunks: bytes, tools: tuple[str, ...] = ()) -> list[Frame]:
    reader = ChatStreamReader(tools)
    return [frame for piece in chunks for frame in reader.decode(piece)] + reader.flush()


def deltas(*chunks: bytes) -> list[Delta]:
    return [delta for frame in frames(*chunks) for delta in frame.deltas]


def repairs(*chunks: bytes) -> list[str]:
    return [repair for frame in frames(*chunks) for repair in frame.repairs]


def failure(*chunks: bytes) -> str:
    last = deltas(*chunks)[-1]
    assert isinstance(last, Failed)
    return last.fault.message


def line(body: Json) -> bytes:
    return f"data: {json.dumps(body)}\n\n".encode()


def test_a_stream_begins_once_and_ends_with_usage() -> None:
    found = deltas(chunk(FIRST), chunk({"content": "a"}), chunk({}, "stop"), END)
    assert [delta.kind for delta in found] == ["started", "text", "finished", "usage"]
    assert found[0] == Started("chatcmpl-abc", "gpt-5.5-2026-01-01", 1700000000)


def test_azures_empty_first_chunk_is_not_the_beginning() -> None:
    preamble = line({"choices": [], "created": 0, "id": "", "model": "", "object": "", "prompt_filter_results": []})
    found = deltas(preamble, chunk(FIRST), chunk({"content": "a"}), chunk({}, "stop"), DONE)
    assert found[0] == Started("chatcmpl-abc", "gpt-5.5-2026-01-01", 1700000000)


def test_comments_between_chunks_are_relayed_and_mean_nothing() -> None:
    found = frames(b": OPENROUTER PROCESSING\n\n", chunk(FIRST), chunk({"content": "a"}, "stop"), DONE)
    assert found[0] == Frame(b": OPENROUTER PROCESSING\n\n")
    assert not any(frame.repairs for frame in found)


def test_the_done_mark_is_optional_and_may_lack_its_space() -> None:
    assert deltas(chunk(FIRST), chunk({"content": "a"}, "stop"))[-1] == Finished("stop")
    assert deltas(chunk(FIRST), chunk({"content": "a"}, "stop"), b"data:[DONE]\n\n")[-1] == Finished("stop")
    assert deltas(chunk(FIRST), chunk({"content": "a"}, "stop"), b"data: [DONE]")[-1] == Finished("stop")


def test_nothing_after_the_done_mark_is_read() -> None:
    found = frames(chunk(FIRST), chunk({"content": "a"}, "stop"), DONE, chunk({"content": "b"}), b"data: {")
    assert found[-1] == Frame(b"data: {", (), ("the stream went on after its end",)), "nobody has judged it"
    assert TextDelta(0, "b") not in [delta for frame in found for delta in frame.deltas]


def test_a_done_mark_after_whole_calls_is_an_end() -> None:
    cut = (chunk(FIRST), chunk(begun(0, "1", "f", "{}")), DONE)
    assert deltas(*cut)[-1] == Finished("tool_calls")
    assert "the answer had no finish_reason" in repairs(*cut)
    custom: Json = {"index": 0, "id": "1", "type": "custom", "custom": {"name": "p", "input": "+a"}}
    assert deltas(chunk(FIRST), chunk({"tool_calls": [custom]}), DONE)[-1] == Finished("tool_calls")
    assert "middle of a tool call" in failure(chunk(FIRST), chunk(begun(0, "1", "f", "{")), DONE)


@pytest.mark.parametrize(
    "cut",
    [
        (),
        (chunk(FIRST),),
        (chunk(FIRST), chunk({"content": "a"})),
        (chunk(FIRST), chunk(begun(0, "1", "f")), chunk(part(0, "{}"))),
        (chunk(FIRST), chunk(FIRST, index=1), chunk({}, "stop")),
    ],
)
def test_a_truncated_stream_is_reported_as_failed(cut: tuple[bytes, ...]) -> None:
    assert "broke off" in failure(*cut)


def test_a_stream_of_nothing_but_its_end_has_failed() -> None:
    assert "without an answer" in failure(DONE)


@pytest.mark.parametrize(
    ("error", "message", "relayed"),
    [
        ({"error": {"message": "busy", "code": 503}}, "busy", True),
        ({"error": "busy"}, "busy", False),
        ({"object": "error", "message": "busy", "code": 400}, "busy", False),
    ],
)
def test_an_error_inside_a_stream_fails_it(error: Json, message: str, relayed: bool) -> None:
    found = frames(chunk(FIRST), line(error), DONE)
    assert isinstance(found[1].deltas[0], Failed)
    assert found[1].deltas[0].fault.message == message
    assert (found[1].repairs == ()) is relayed, "what clients do not notice must be rewritten"


def test_the_status_inside_an_error_counts() -> None:
    last = deltas(chunk(FIRST), line({"error": {"message": "slow down", "code": 429, "metadata": {}}}))[-1]
    assert isinstance(last, Failed)
    assert (last.fault.kind, last.fault.status) == ("rate_limit", 429)


def test_an_error_under_an_unknown_field_is_heard() -> None:
    assert failure(chunk(FIRST), b'error: {"code":500,"message":"oops"}\n\n') == "oops"


def test_a_chunk_that_is_no_json_fails_the_stream_instead_of_losing_text() -> None:
    assert "no JSON object" in failure(chunk(FIRST), b"data: {oops\n\n")


def test_a_plain_answer_instead_of_a_stream_is_read_as_one() -> None:
    body = json.dumps(RESPONSES[1], indent=1).encode()
    found = frames(body[:50], body[50:])
    assert b"".join(frame.raw for frame in found) == body
    assert all(frame.repairs for frame in found), "it must not be relayed as an event stream"
    told = [delta for frame in found for delta in frame.deltas]
    assert [delta.kind for delta in told][-2:] == ["finished", "usage"]


def test_a_plain_error_instead_of_a_stream_fails_it() -> None:
    assert failure(b'{"error":{"message":"no such model","code":"model_not_found"}}') == "no such model"
    assert "Bad gateway" in failure(b"<html>\n\n<h1>Bad gateway</h1></html>")
    assert "finish_reason 'error'" in failure(json.dumps(reply({"content": "a"}, "error")).encode())


def test_usage_on_every_chunk_is_told_when_it_changes() -> None:
    usage: dict[str, Json] = {"prompt_tokens": 1, "completion_tokens": 1}
    found = deltas(
        chunk(FIRST, usage=usage),
        chunk({"content": "a"}, usage=usage),
        chunk({}, "stop", usage={**usage, "completion_tokens": 2}),
    )
    assert [delta.usage.output for delta in found if isinstance(delta, UsageReported)] == [1, 2]


def test_a_choice_without_index_or_delta_is_still_heard() -> None:
    odd = line({"id": "x", "choices": [{"message": {"role": "assistant", "content": "a"}, "finish_reason": "stop"}]})
    assert TextDelta(0, "a") in deltas(odd)
    assert repairs(odd) == ["a choice had no index", "a choice had no delta"]


def test_several_choices_number_their_calls_apart() -> None:
    found = deltas(
        chunk(FIRST),
        chunk(FIRST, index=1),
        chunk(begun(0, "a", "f", "{}"), index=1),
        chunk(begun(0, "b", "f", "{}")),
        chunk({}, "tool_calls"),
        chunk({}, "tool_calls", index=1),
        DONE,
    )
    assert [(d.choice, d.part, d.id) for d in found if d.kind == "call_started"] == [(1, 0, "a"), (0, 0, "b")]


def test_a_first_choice_that_is_not_number_0_is_a_repair() -> None:
    assert "the first choice was not number 0" in repairs(chunk(FIRST, index=1))


def test_a_frame_that_mentions_a_call_always_tells_of_it_or_needs_repair() -> None:
    found = frames(
        chunk(FIRST),
        chunk(begun(0, "1", "f")),
        chunk(part(0, "")),
        chunk({"tool_calls": [{"index": 1, "id": "2", "type": "function", "function": {"arguments": ""}}]}),
        chunk({"tool_calls": [{"index": 1, "function": {"name": "g"}}]}),
        chunk({}, "tool_calls"),
        DONE,
    )
    for frame in found:
        if b'"tool_calls": [' in frame.raw:
            assert frame.deltas or frame.repairs


def test_names_in_pieces_are_put_together_when_the_tools_are_known() -> None:
    pieces = (
        chunk(FIRST),
        chunk(begun(0, "1", "get_")),
        chunk({"tool_calls": [{"index": 0, "function": {"name": "time"}}]}),
    )
    found = frames(*pieces, chunk(part(0, "{}")), chunk({}, "tool_calls"), tools=("get_time",))
    assert [d.name for frame in found for d in frame.deltas if d.kind == "call_started"] == ["get_time"]


def test_a_long_call_is_read_in_linear_time() -> None:
    reader = ChatStreamReader()
    reader.decode(chunk(FIRST) + chunk(begun(0, "1", "f", '{"a":"')))
    piece = chunk(part(0, "x" * 20))
    for _ in range(5_000):
        reader.decode(piece)
    ended = reader.decode(chunk(part(0, '"}')) + chunk({}, "tool_calls"))[1].deltas[0]
    assert ended.kind == "call_ended"
    assert len(ended.arguments) == 100_008


def test_usage_before_the_end_choices_that_are_no_list_and_empty_events_are_repairs() -> None:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    counted = line({"id": "chatcmpl-abc", "choices": [], "usage": usage})
    assert repairs(chunk(FIRST), counted, chunk({}, "stop"), DONE) == ["the usage was not in the last chunk"]
    assert not repairs(chunk(FIRST), chunk({}, "stop"), counted, DONE)
    nulls = line({"id": "chatcmpl-abc", "choices": None, "usage": usage})
    assert repairs(chunk(FIRST), chunk({}, "stop"), nulls, DONE) == ["a chunk had no list of choices"]
    assert repairs(b"data:\n\n", chunk(FIRST), chunk({}, "stop"), DONE) == ["an event was empty"]


def test_arguments_that_are_null_are_a_repair() -> None:
    inner: Json = {"name": "f", "arguments": None}
    first = chunk({"tool_calls": [{"index": 0, "id": "c", "type": "function", "function": inner}]})
    assert repairs(chunk(FIRST), first, chunk(part(0, "{}"), "tool_calls"), DONE) == [
        "a call's arguments were no string"
    ]
