"""Providers' streams."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wire.samples_anthropic_messages import (
    CALLS_STREAM,
    OMITTED_THINKING_STREAM,
    PARALLEL_CALLS,
    PING,
    REDACTED_STREAM,
    REFUSAL_STREAM,
    SEQUENCE_STREAM,
    SERVER_TOOL_STREAM,
    STREAMS,
    TEXT_STREAM,
    call_block,
    end,
    event,
    reply,
    start,
    text_block,
)

from callgate.core.assembly import Assembly
from callgate.core.deltas import CallEnded, CallStarted, Delta, Failed, Finished, Started, TextDelta, UsageReported
from callgate.core.messages import Json, Opaque, Reasoning, Text, Usage
from callgate.wire.anthropic_messages.response import read_response
from callgate.wire.anthropic_messages.stream_reader import MessagesReader
from callgate.wire.codec import Frame


def _frames(data: bytes) -> list[Frame]:
    reader = MessagesReader()
    return reader.decode(data) + reader.flush()


def _deltas(data: bytes) -> list[Delta]:
    return [delta for frame in _frames(data) for delta in frame.deltas]


def _repairs(data: bytes) -> list[str]:
    return [repair for frame in _frames(data) for repair in frame.repairs]


def _assembled(data: bytes) -> Assembly:
    assembly = Assembly()
    for delta in _deltas(data):
        assembly.add(delta)
    return assembly


def _fault(data: bytes) -> str:
    failed = [delta for delta in _deltas(data) if isinstance(delta, Failed)]
    assert len(failed) == 1
    return failed[0].fault.kind


@pytest.mark.parametrize("stream", STREAMS)
def test_a_true_stream_needs_no_repair_and_ends_well(stream: bytes) -> None:
    assert _repairs(stream) == []
    assert not any(isinstance(delta, Failed) for delta in _deltas(stream))


@given(data=st.data())
def test_any_chunking_gives_the_same_frames(data: st.DataObject) -> None:
    stream = data.draw(st.sampled_from(STREAMS))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=30)))
    reader = MessagesReader()
    frames: list[Frame] = []
    for begin, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        frames += reader.decode(stream[begin:stop])
    frames += reader.flush()
    assert frames == _frames(stream)
    assert b"".join(frame.raw for frame in frames) == stream


def test_a_stream_says_what_the_whole_reply_says() -> None:
    streamed = _assembled(CALLS_STREAM).response
    plain = read_response(reply(*PARALLEL_CALLS, stop_reason="tool_use"))
    assert streamed.choices == plain.choices
    assert streamed.usage == plain.usage
    assert (streamed.id, streamed.model) == (plain.id, plain.model)


def test_deltas_come_in_order() -> None:
    deltas = _deltas(TEXT_STREAM)
    assert deltas == [
        Started("msg_01XYZ", "claude-sonnet-4-5"),
        UsageReported(Usage(input=125, output=1, cached=100, cache_written=5)),
        TextDelta(0, "Hel"),
        TextDelta(0, "lo"),
        UsageReported(Usage(input=125, output=42, cached=100, cache_written=5)),
        Finished("stop"),
    ]


def test_details_of_the_end_are_kept() -> None:
    assert Finished("refusal", "not allowed") in _deltas(REFUSAL_STREAM)
    assert Finished("stop", "END") in _deltas(SEQUENCE_STREAM)


def test_thinking_is_read_redacted_and_omitted_too() -> None:
    redacted = Reasoning(signature="EmwK", redacted=True, wire="anthropic")
    assert _assembled(REDACTED_STREAM).message().parts[0] == redacted
    omitted = Reasoning("", "EqQBCgIYAh==", wire="anthropic")
    assert _assembled(OMITTED_THINKING_STREAM).message().parts == (omitted, Text("Hi"))


def test_a_hosted_tool_is_opaque_and_never_a_call() -> None:
    message = _assembled(SERVER_TOOL_STREAM).message()
    assert message.calls == ()
    assert [type(part) for part in message.parts] == [Opaque, Opaque, Text]


def test_pings_and_events_of_the_future_mean_nothing() -> None:
    stream = start() + PING + event("sparkle", index=0) + b": comment\n\n" + text_block(0, "x") + end()
    assert _assembled(stream).message().text == "x"
    assert _repairs(stream) == []


def test_an_error_event_fails_the_stream_with_its_kind() -> None:
    overloaded = event("error", error={"type": "overloaded_error", "message": "Overloaded"})
    assert _fault(start() + text_block(0, "x") + overloaded) == "overloaded"
    assert _fault(overloaded + end()) == "overloaded"


@pytest.mark.parametrize("cut", [0, 1, 300, len(TEXT_STREAM) - 60])
def test_a_truncated_stream_is_reported_as_failed(cut: int) -> None:
    assert _fault(TEXT_STREAM[:cut]) == "upstream"


def test_a_stop_reason_is_not_the_end_of_a_stream() -> None:
    without_stop = TEXT_STREAM.removesuffix(event("message_stop"))
    assert without_stop != TEXT_STREAM
    assert _fault(without_stop) == "upstream"


def test_an_unreadable_event_fails_the_stream() -> None:
    assert _fault(start() + b'event: content_block_start\ndata: {"type": \n\n') == "upstream"


def test_nothing_counts_after_the_end() -> None:
    assert _deltas(TEXT_STREAM + TEXT_STREAM) == _deltas(TEXT_STREAM)
    assert b"".join(frame.raw for frame in _frames(TEXT_STREAM + PING)) == TEXT_STREAM + PING


def test_later_usage_replaces_what_it_names_and_leaves_the_rest() -> None:
    late = event(
        "message_delta",
        delta={"stop_reason": "end_turn"},
        usage={"input_tokens": 50, "output_tokens": 7, "cache_read_input_tokens": None},
    )
    usage = _assembled(start() + text_block(0, "x") + late + event("message_stop")).usage
    assert usage == Usage(input=155, output=7, cached=100, cache_written=5)


def test_several_message_deltas_finish_once() -> None:
    usage = event("message_delta", delta={"stop_reason": None}, usage={"output_tokens": 3})
    deltas = _deltas(start() + text_block(0, "x") + usage + end())
    assert [delta for delta in deltas if isinstance(delta, Finished)] == [Finished("stop")]


def _opened(index: int, block: dict[str, object]) -> bytes:
    return event("content_block_start", index=index, content_block=block)


def _fragment(index: int, text: str) -> bytes:
    return event("content_block_delta", index=index, delta={"type": "input_json_delta", "partial_json": text})


def _two_calls_open_at_once() -> bytes:
    return (
        start()
        + _opened(0, {"type": "text", "text": ""})
        + event("content_block_delta", index=0, delta={"type": "text_delta", "text": "ok"})
        + _opened(1, {"type": "tool_use", "id": "a", "name": "f", "input": {}})
        + _fragment(1, '{"x":1')
        + _opened(2, {"type": "tool_use", "id": "b", "name": "g", "input": {}})
        + _fragment(2, "{}")
        + _fragment(1, "}")
        + b"".join(event("content_block_stop", index=index) for index in range(3))
        + end("tool_use")
    )


def test_several_open_blocks_are_understood_and_their_frames_must_be_rewritten() -> None:
    stream = _two_calls_open_at_once()
    message = _assembled(stream).message()
    assert message.text == "ok"
    assert [(call.id, call.arguments) for call in message.calls] == [("a", '{"x":1}'), ("b", "{}")]
    frames = _frames(stream)
    first = next(index for index, frame in enumerate(frames) if frame.repairs)
    assert all(frame.repairs for frame in frames[first:] if b"content_block" in frame.raw)


def test_missing_stops_are_made_up_for() -> None:
    stop = event("content_block_stop", index=0)
    stream = (start() + call_block(0, "a", "f", '{"x":1}') + end("tool_use")).replace(stop, b"")
    deltas = _deltas(stream)
    kinds = [type(delta) for delta in deltas]
    assert kinds.index(CallEnded) < kinds.index(Finished)
    assert "content_block_stop is missing" in _repairs(stream)


def test_ids_that_are_missing_or_repeated_are_made_anew() -> None:
    stream = start() + call_block(0, "a", "f") + call_block(1, "a", "f") + call_block(2, "", "f") + end("tool_use")
    ids = [delta.id for delta in _deltas(stream) if isinstance(delta, CallStarted)]
    assert ids[0] == "a"
    assert len(set(ids)) == 3
    assert len(_repairs(stream)) == 2


def test_a_reason_that_forgets_the_calls_is_put_right() -> None:
    stream = start() + call_block(0, "a", "f") + end("end_turn")
    assert Finished("tool_calls") in _deltas(stream)
    assert _repairs(stream)


def test_a_missing_start_a_second_start_and_a_missing_reason_are_repaired() -> None:
    headless = text_block(0, "x") + event("message_stop")
    deltas = _deltas(headless)
    assert deltas == [Started("", ""), TextDelta(0, "x"), Finished("stop")]
    assert len(_repairs(headless)) == 2
    doubled = start() + start() + text_block(0, "x") + end()
    assert sum(isinstance(delta, Started) for delta in _deltas(doubled)) == 1
    assert _repairs(doubled) == ["a second message_start"]


def test_a_delta_for_no_block_opens_one_if_it_can() -> None:
    lost = event("content_block_delta", index=0, delta={"type": "text_delta", "text": "x"})
    stream = start() + lost + _fragment(5, "{}") + end()
    assert _assembled(stream).message().text == "x"
    assert len([repair for repair in _repairs(stream) if "not open" in repair]) == 2


def test_events_without_a_name_are_understood_and_must_be_rewritten() -> None:
    data = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x"}}
    nameless = f"data: {json.dumps(data)}\n\n".encode()
    stream = start() + _opened(0, {"type": "text", "text": ""}) + nameless
    stream += event("content_block_stop", index=0) + end() + b""
    assert _assembled(stream).message().text == "x"
    assert _repairs(stream) == ["the event has no name"]


def test_the_done_mark_of_another_wire_is_ignored() -> None:
    stream = start() + text_block(0, "x") + b"data: [DONE]\n\n" + end()
    assert _assembled(stream).finish() == "stop"
    assert _repairs(stream)


def test_malformed_events_are_named_and_survived() -> None:
    odd = (
        event("content_block_start", index=0)
        + event("content_block_delta", index=0)
        + event("content_block_stop", index=9)
    )
    stream = start() + odd + text_block(0, "x") + end()
    assert _assembled(stream).message().text == "x"
    assert len(_repairs(stream)) == 3


def test_the_last_event_counts_without_its_blank_line() -> None:
    assert _deltas(TEXT_STREAM.removesuffix(b"\n")) == _deltas(TEXT_STREAM)


def test_a_call_without_a_name_fails_the_reply_as_nobody_could_judge_it() -> None:
    nameless = call_block(0, "toolu_1", "", "{}")
    deltas = _deltas(start() + nameless + end("tool_use"))
    assert isinstance(deltas[-1], Failed)
    assert "without a name" in deltas[-1].fault.message


def test_a_call_that_begins_after_the_end_and_never_stops_is_still_whole() -> None:
    begun = event(
        "content_block_start", index=1, content_block={"type": "tool_use", "id": "t", "name": "f", "input": {}}
    )
    stop = event("message_stop")
    whole = start() + text_block(0, "hm") + end("end_turn").removesuffix(stop) + begun + stop
    assert [delta.arguments for delta in _deltas(whole) if isinstance(delta, CallEnded)] == ["{}"]
    assert "content_block_stop is missing" in _repairs(whole)


def test_a_start_without_usage_is_a_repair_because_clients_add_to_it() -> None:
    bare = reply() | {"stop_reason": None}
    del bare["usage"]
    stream = event("message_start", message=bare) + text_block(0, "x") + end()
    assert _repairs(stream) == ["message_start had no usage"]


def test_blocks_that_are_not_numbered_from_zero_in_order_are_a_repair() -> None:
    unordered = "blocks were not numbered from 0 in order"
    assert _repairs(start() + text_block(1, "x") + end()) == [unordered]
    assert _repairs(start() + text_block(0, "x") + text_block(2, "y") + end()) == [unordered]
    assert _repairs(start() + text_block(0, "x") + text_block(1, "y") + end()) == []


def _argued(*fragments: str) -> bytes:
    called: dict[str, Json] = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
    said = b"".join(_argument(fragment) for fragment in fragments)
    begun = event("content_block_start", index=0, content_block=called)
    return start() + begun + said + event("content_block_stop", index=0) + end("tool_use")


def _argument(fragment: str) -> bytes:
    return event("content_block_delta", index=0, delta={"type": "input_json_delta", "partial_json": fragment})


def test_an_empty_object_waits_for_what_follows_it() -> None:
    reader = MessagesReader()
    whole = _argued("{}", '{"a":1}')
    until = whole.index(_argument("{}")) + len(_argument("{}"))
    assert len(reader.decode(whole[:until])) == 2, "the start of the message and that of the block"
    empty, true, *_ = reader.decode(whole[until:])
    assert not empty.deltas and empty.repairs == true.repairs == ("an empty object came before the arguments",)
    assert not _repairs(_argued("{}")) and not _repairs(_argued("", "{}"))
    assert b"".join(frame.raw for frame in _frames(_argued("{}"))) == _argued("{}")


def test_no_byte_is_lost_where_the_stream_breaks_off_behind_an_empty_object() -> None:
    cut = _argued("{}").partition(event("content_block_stop", index=0))[0]
    frames = _frames(cut)
    assert b"".join(frame.raw for frame in frames) == cut
    assert isinstance(frames[-1].deltas[-1], Failed)


def test_a_message_whose_content_is_no_list_is_a_repair() -> None:
    told = start().replace(b'"content": []', b'"content": null')
    assert told != start()
    assert "message_start had no list of content" in _repairs(told + text_block(0, "a") + end())


def test_an_event_that_says_its_type_only_by_name_is_a_repair() -> None:
    stream = start() + text_block(0, "a") + end()
    assert "the event does not say its type" in _repairs(stream.replace(b'{"type": "message_stop"}', b"{}"))
