"""The events of a response: their grammar, their numbers, and going on after relayed ones."""

from typing import Any

import orjson
import pytest
from tests.wire.samples_openai_responses import (
    PARALLEL,
    REQUESTS,
    STREAMS,
    THOUGHT,
    WEATHER,
    function_call,
    message,
    opening,
    stream_of,
    whole_stream,
)
from tests.wire.samples_openai_responses import events_of as item_events

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    Failed,
    Finished,
    PartArrived,
    ReasoningDelta,
    Started,
    TextDelta,
    UsageReported,
)
from callgate.core.errors import Fault
from callgate.core.messages import Image, Opaque, Reasoning, Usage
from callgate.wire.openai_responses.read_request import read_request
from callgate.wire.openai_responses.stream_reader import ResponsesStreamReader
from callgate.wire.openai_responses.stream_writer import ResponsesStreamWriter

START = Started("resp_1", "m", 1760000000)


def writer_of(body: dict[str, Any] | None = None) -> ResponsesStreamWriter:
    return ResponsesStreamWriter(read_request(body or REQUESTS[0]))


def events_of(stream: bytes) -> list[dict[str, Any]]:
    blocks = [block for block in stream.decode().split("\n\n") if block.startswith("event: ")]
    events = [orjson.loads(block.partition("\ndata: ")[2]) for block in blocks]
    assert [block.partition("\n")[0] for block in blocks] == [f"event: {event['type']}" for event in events]
    return events


def written(*deltas: Delta, body: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    writer = writer_of(body)
    return events_of(b"".join(writer.write(delta) for delta in deltas) + writer.close())


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"].removeprefix("response.") for event in events]


def test_the_grammar_of_text_and_a_call() -> None:
    events = written(
        START,
        TextDelta(0, "Hi"),
        CallStarted(1, "c", "f"),
        ArgumentsDelta(1, "{}"),
        CallEnded(1, "{}"),
        Finished("tool_calls"),
    )
    assert kinds(events) == [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ]
    assert [event["sequence_number"] for event in events] == list(range(len(events)))


def test_the_grammar_of_reasoning() -> None:
    events = written(START, ReasoningDelta(0, "Hm"), TextDelta(1, "Yes"), Finished("stop"))
    assert kinds(events)[2:8] == [
        "output_item.added",
        "reasoning_summary_part.added",
        "reasoning_summary_text.delta",
        "reasoning_summary_text.done",
        "reasoning_summary_part.done",
        "output_item.done",
    ]


def test_the_final_output_is_what_was_streamed() -> None:
    for stream in STREAMS:
        reader = ResponsesStreamReader()
        deltas = [delta for frame in reader.decode(stream) for delta in frame.deltas]
        events = written(*deltas)
        done = {e["output_index"]: e["item"] for e in events if e["type"] == "response.output_item.done"}
        assert events[-1]["response"]["output"] == [done[index] for index in sorted(done)]


def test_the_response_echoes_the_request() -> None:
    body = {
        "model": "gpt-5.5",
        "input": "x",
        "instructions": "Be brief.",
        "tools": [WEATHER],
        "tool_choice": "required",
        "parallel_tool_calls": False,
        "temperature": 0.3,
        "metadata": {"a": "b"},
        "store": False,
        "previous_response_id": "resp_0",
        "reasoning": {"effort": "low"},
        "text": {"verbosity": "low"},
    }
    response = written(START, Finished("stop"), body=body)[0]["response"]
    for name in ("instructions", "tools", "tool_choice", "parallel_tool_calls", "temperature", "metadata", "store"):
        assert response[name] == body[name], name
    assert response["previous_response_id"] == "resp_0"
    assert response["reasoning"] == {"effort": "low", "summary": None}
    assert response["text"] == {"verbosity": "low", "format": {"type": "text"}}


def test_usage_may_come_after_the_end() -> None:
    events = written(START, TextDelta(0, "x"), Finished("stop"), UsageReported(Usage(1, 2)))
    assert events[-1]["response"]["usage"]["total_tokens"] == 3
    assert events[-1]["response"]["usage"]["input_tokens_details"] == {"cached_tokens": 0, "cache_write_tokens": 0}


def test_a_call_whose_arguments_were_never_streamed_still_has_a_delta() -> None:
    events = written(START, CallStarted(0, "c", "f"), CallEnded(0, '{"a":1}'), Finished("tool_calls"))
    assert [event["delta"] for event in events if event["type"].endswith("arguments.delta")] == ['{"a":1}']


def test_a_call_that_was_cut_off_is_incomplete() -> None:
    events = written(START, CallStarted(0, "c", "f"), ArgumentsDelta(0, '{"a'), CallEnded(0, '{"a'), Finished("length"))
    assert events[-1]["type"] == "response.incomplete"
    assert events[-1]["response"]["output"][0]["status"] == "incomplete"


@pytest.mark.parametrize("variant", ["function", "custom"])
@pytest.mark.parametrize("sent", ["", "{}", "*** Begin Patch"])
def test_what_there_is_of_a_cut_call_must_not_be_run_however_whole_it_looks(variant: Any, sent: str) -> None:
    """Codex applies a patch, and OpenAI's runner runs a call, as soon as its item is done and complete."""
    grown = [ArgumentsDelta(0, sent)] if sent else []
    events = written(START, CallStarted(0, "c", "f", variant), *grown, Finished("length"))
    (done,) = [event["item"] for event in events if event["type"] == "response.output_item.done"]
    assert done["status"] == "incomplete"
    assert done["input" if variant == "custom" else "arguments"] == sent
    assert events[-1]["response"]["output"] == [done]


@pytest.mark.parametrize(
    ("reason", "status", "details"),
    [
        ("stop", "completed", None),
        ("pause", "completed", None),
        ("length", "incomplete", {"reason": "max_output_tokens"}),
        ("content_filter", "incomplete", {"reason": "content_filter"}),
        ("refusal", "incomplete", {"reason": "content_filter"}),
    ],
)
def test_every_ending_has_its_status(reason: Any, status: str, details: Any) -> None:
    last = written(START, TextDelta(0, "x"), Finished(reason))[-1]
    assert (last["type"], last["response"]["status"]) == (f"response.{status}", status)
    assert last["response"]["incomplete_details"] == details


def test_a_refusal_explained_beside_the_answer_is_said() -> None:
    last = written(START, Finished("refusal", "not allowed"))[-1]
    assert last["response"]["output"][0]["content"] == [{"type": "refusal", "refusal": "not allowed"}]


def test_parts_that_come_whole() -> None:
    search: dict[str, Any] = {"id": "ws_1", "type": "web_search_call", "status": "completed"}
    output = written(
        START,
        PartArrived(0, Opaque("openai-responses", search)),
        PartArrived(1, Opaque("anthropic", {"type": "server_tool_use"})),
        PartArrived(2, Image("image/png", "AAAA")),
        PartArrived(3, Reasoning(signature="EqQB", redacted=True, wire="anthropic")),
        PartArrived(4, Reasoning(signature="cg1.x", redacted=True, wire="anthropic")),
        Finished("stop"),
    )[-1]["response"]["output"]
    assert output[0] == search
    assert (output[1]["type"], output[1]["result"]) == ("image_generation_call", "AAAA")
    assert (output[2]["type"], output[2]["encrypted_content"]) == ("reasoning", "cg1.x")
    assert len(output) == 3


def test_other_choices_are_not_written() -> None:
    last = written(START, TextDelta(0, "a"), TextDelta(0, "b", 1), Finished("stop"), Finished("length", choice=1))[-1]
    assert last["type"] == "response.completed"
    assert last["response"]["output"][0]["content"][0]["text"] == "a"


def test_a_stream_that_never_finished_is_failed() -> None:
    assert written(START, TextDelta(0, "x"))[-1]["type"] == "response.failed"


def test_nothing_follows_a_failure() -> None:
    writer = writer_of()
    writer.write(START)
    assert writer.write(Failed(Fault("upstream", "gone"))) != b""
    assert writer.write(TextDelta(0, "x")) + writer.write(Finished("stop")) + writer.close() == b""


def test_keep_alive_is_a_comment_until_the_response_exists() -> None:
    writer = writer_of()
    assert writer.keep_alive().startswith(b":")
    first = events_of(writer.write(START))
    beat = events_of(writer.keep_alive())
    assert [event["type"] for event in beat] == ["response.in_progress"]
    assert beat[0]["sequence_number"] == first[-1]["sequence_number"] + 1
    assert beat[0]["response"]["id"] == first[0]["response"]["id"]
    writer.write(Finished("stop"))
    writer.close()
    assert writer.keep_alive().startswith(b":")


def test_keep_alive_follows_a_relayed_beginning() -> None:
    writer = writer_of()
    for frame in ResponsesStreamReader().decode(whole_stream(PARALLEL))[:4]:
        writer.follow(frame)
    (beat,) = events_of(writer.keep_alive())
    assert (beat["type"], beat["sequence_number"]) == ("response.in_progress", 4)
    assert beat["response"]["id"] == "resp_68af"


@pytest.mark.parametrize("output", [PARALLEL, THOUGHT])
def test_writing_goes_on_with_ids_and_numbers_of_what_was_relayed(output: list[dict[str, Any]]) -> None:
    reader = ResponsesStreamReader()
    frames = reader.decode(whole_stream(output))
    for relayed in range(1, len(frames)):
        writer = writer_of()
        for frame in frames[:relayed]:
            writer.follow(frame)
        rest = b"".join(writer.write(delta) for frame in frames[relayed:] for delta in frame.deltas)
        events = events_of(b"".join(frame.raw for frame in frames[:relayed]) + rest + writer.close())
        numbers = [event["sequence_number"] for event in events]
        assert numbers == sorted(set(numbers))
        added = [e["output_index"] for e in events if e["type"] == "response.output_item.added"]
        done = {e["output_index"]: e["item"] for e in events if e["type"] == "response.output_item.done"}
        assert sorted(added) == sorted(done) == list(range(len(output)))
        assert [item.get("call_id") for item in events[-1]["response"]["output"]] == [i.get("call_id") for i in output]
        assert events[-1]["response"]["output"] == [done[index] for index in sorted(done)]
        assert events[-1]["response"]["id"] == "resp_68af"
        assert events[-1]["response"]["usage"] is not None


def test_a_stream_relayed_to_its_end_needs_no_more() -> None:
    writer = writer_of()
    for frame in ResponsesStreamReader().decode(whole_stream(PARALLEL)):
        writer.follow(frame)
    assert writer.close() == b""


PATCH: dict[str, Any] = {
    "id": "apc_1",
    "type": "apply_patch_call",
    "call_id": "call_9",
    "status": "completed",
    "operation": {"type": "delete_file", "path": "a.py"},
}
PATCHED = '{"type":"delete_file","path":"a.py"}'
PATCHING = CallStarted(1, "call_9", "apply_patch", "built_in", item_id="apc_1")


def test_a_built_in_call_is_written_as_its_item_once_it_is_whole() -> None:
    events = written(
        START,
        TextDelta(0, "Hi"),
        PATCHING,
        ArgumentsDelta(1, PATCHED),
        CallEnded(1, PATCHED, extras={"@item": PATCH}),
        Finished("tool_calls"),
    )
    assert kinds(events)[-3:] == ["output_item.added", "output_item.done", "completed"]
    assert [event["item"] for event in events[-3:-1]] == [PATCH, PATCH]
    assert events[-1]["response"]["output"][1] == PATCH


def test_a_built_in_call_that_never_became_whole_is_not_written() -> None:
    events = written(START, PATCHING, Finished("length"))
    assert kinds(events) == ["created", "in_progress", "incomplete"]
    assert events[-1]["response"]["output"] == []


def test_a_built_in_call_whose_beginning_was_relayed_ends_so_that_nobody_runs_it() -> None:
    writer, reader = writer_of(), ResponsesStreamReader()
    begun = {"type": "response.output_item.added", "output_index": 0, "item": {**PATCH, "status": "in_progress"}}
    for frame in reader.decode(b"data: " + orjson.dumps(begun) + b"\n\n"):
        writer.follow(frame)
    events = events_of(writer.write(Finished("length")) + writer.close())
    done = next(event["item"] for event in events if event["type"] == "response.output_item.done")
    assert done == {**PATCH, "status": "incomplete"}


def test_words_after_the_end_are_finished_and_listed_too() -> None:
    events = written(START, TextDelta(0, "Hel"), Finished("stop"), TextDelta(1, "lo"))
    done = [event["item"] for event in events if event["type"] == "response.output_item.done"]
    assert [item["content"][0]["text"] for item in done] == ["Hel", "lo"]
    assert events[-1]["response"]["output"] == done


def test_relayed_items_that_were_left_open_are_all_ended() -> None:
    items = [message("one"), *THOUGHT[:1], function_call(1, "f", "{}"), message("two", "msg_2")]
    added = [event for place, item in enumerate(items) for event in item_events(place, item)]
    unended = [event for event in added if event["type"] != "response.output_item.done"]
    writer, reader = writer_of(), ResponsesStreamReader()
    for frame in reader.decode(stream_of(*opening(), *unended)):
        writer.follow(frame)
    ended = events_of(writer.write(Finished("tool_calls")) + writer.close())
    done = {event["output_index"] for event in ended if event["type"] == "response.output_item.done"}
    assert done == set(range(len(items)))
    assert [item["id"] for item in ended[-1]["response"]["output"]] == [item["id"] for item in items]
