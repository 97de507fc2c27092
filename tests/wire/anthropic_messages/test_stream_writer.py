"""Streams for clients."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wire.samples_anthropic_messages import CALLS_STREAM, STREAMS, TEXT_STREAM

from callgate.core.assembly import assemble
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
from callgate.core.messages import File, Json, Opaque, Reasoning, Text, ToolCall, Usage
from callgate.core.request import ChatResponse
from callgate.wire.anthropic_messages.stream_reader import MessagesReader
from callgate.wire.anthropic_messages.stream_writer import MessagesWriter
from callgate.wire.sse import SseParser

Event = dict[str, Json]


def _stream(*deltas: Delta) -> bytes:
    writer = MessagesWriter("m")
    return b"".join(writer.write(delta) for delta in deltas) + writer.close()


def _events(data: bytes) -> list[Event]:
    events: list[Event] = []
    for event in SseParser().feed(data):
        assert event.data is not None
        value = json.loads(event.data)
        assert event.event == value["type"]
        events.append(value)
    return events


def _check_grammar(events: list[Event]) -> None:
    """message_start (start delta* stop)* message_delta message_stop, dense indexes, one open block."""
    kinds = [event["type"] for event in events]
    assert kinds[0] == "message_start"
    assert kinds[-2:] == ["message_delta", "message_stop"]
    is_open, count = False, 0
    for event in events[1:-2]:
        match event["type"]:
            case "content_block_start":
                assert not is_open
                assert event["index"] == count
                is_open = True
            case "content_block_delta":
                assert is_open
                assert event["index"] == count
            case "content_block_stop":
                assert is_open
                assert event["index"] == count
                is_open, count = False, count + 1
            case other:
                raise AssertionError(other)
    assert not is_open


def _reread(data: bytes) -> ChatResponse:
    reader = MessagesReader()
    frames = reader.decode(data) + reader.flush()
    assert [repair for frame in frames for repair in frame.repairs] == []
    return assemble([delta for frame in frames for delta in frame.deltas])


def _written(*deltas: Delta) -> ChatResponse:
    data = _stream(Started("msg_1", "m"), *deltas)
    _check_grammar(_events(data))
    return _reread(data)


def _call(part: int, id: str, arguments: str) -> list[Delta]:
    return [CallStarted(part, id, "f"), ArgumentsDelta(part, arguments), CallEnded(part, arguments)]


@pytest.mark.parametrize("stream", STREAMS)
def test_what_was_read_is_written_with_the_same_meaning(stream: bytes) -> None:
    reader = MessagesReader()
    deltas = [delta for frame in reader.decode(stream) for delta in frame.deltas]
    data = _stream(*deltas)
    _check_grammar(_events(data))
    assert _reread(data) == assemble(deltas)


def test_the_start_carries_id_model_and_a_usage() -> None:
    (first, *_) = _events(_stream(Started("msg_9", "claude-x"), Finished("stop")))
    message = first["message"]
    assert isinstance(message, dict)
    assert (message["id"], message["model"]) == ("msg_9", "claude-x")
    assert message["usage"] == {"input_tokens": 0, "output_tokens": 0}
    assert message["content"] == []


def test_a_foreign_id_is_replaced_and_a_missing_model_is_the_requests() -> None:
    (first, *_) = _events(_stream(Started("chatcmpl-1", ""), Finished("stop")))
    message = first["message"]
    assert isinstance(message, dict)
    assert str(message["id"]).startswith("msg_")
    assert message["model"] == "m"


def test_usage_that_comes_last_is_still_told() -> None:
    usage = Usage(input=125, output=42, cached=100, cache_written=5, reasoning=3)
    response = _written(TextDelta(0, "x"), Finished("stop"), UsageReported(usage))
    assert response.usage == usage


def test_calls_that_interleave_are_written_one_after_the_other() -> None:
    response = _written(
        CallStarted(0, "a", "f"),
        ArgumentsDelta(0, '{"x"'),
        CallStarted(1, "b", "g"),
        ArgumentsDelta(1, '{"y"'),
        CallStarted(2, "c", "h"),
        ArgumentsDelta(0, ":1}"),
        ArgumentsDelta(1, ":2}"),
        CallEnded(2, "{}"),
        CallEnded(0, '{"x":1}'),
        TextDelta(3, "after"),
        CallEnded(1, '{"y":2}'),
        Finished("tool_calls"),
    )
    (choice,) = response.choices
    assert [(call.id, call.arguments) for call in choice.message.calls] == [
        ("a", '{"x":1}'),
        ("b", '{"y":2}'),
        ("c", "{}"),
    ]
    assert choice.message.text == "after"


@given(st.permutations([(part, step) for part in range(3) for step in range(3)]))
def test_any_interleaving_of_calls_keeps_the_grammar_and_every_argument(order: list[tuple[int, int]]) -> None:
    taken = dict.fromkeys(range(3), 0)
    deltas: list[Delta] = []
    for part, _ in order:
        deltas.append(_call(part, f"id{part}", f'{{"n":{part}}}')[taken[part]])
        taken[part] += 1
    response = _written(*deltas, Finished("tool_calls"))
    calls = sorted((call.id, call.arguments) for call in response.choices[0].message.calls)
    assert calls == [(f"id{part}", f'{{"n":{part}}}') for part in range(3)]


def test_text_after_a_call_opens_a_new_block() -> None:
    response = _written(TextDelta(0, "a"), *_call(1, "x", "{}"), TextDelta(2, "b"), Finished("tool_calls"))
    kinds = [part.kind for part in response.choices[0].message.parts]
    assert kinds == ["text", "call", "text"]


def test_arguments_always_come_in_a_delta_and_never_in_the_start() -> None:
    for deltas in (
        [CallStarted(0, "a", "f"), CallEnded(0, '{"x":1}')],
        [CallStarted(0, "a", "f"), ArgumentsDelta(0, '{"x"'), CallEnded(0, '{"x":1}')],
        [PartArrived(0, ToolCall("a", "f", '{"x":1}'))],
    ):
        events = _events(_stream(*deltas, Finished("tool_calls")))
        assert events[1]["content_block"] == {"type": "tool_use", "id": "a", "name": "f", "input": {}}
        fragments = [
            event["delta"]["partial_json"]  # type: ignore[index,call-overload]
            for event in events
            if event["type"] == "content_block_delta"
        ]
        assert "".join(str(fragment) for fragment in fragments) == '{"x":1}'


def test_a_call_without_arguments_says_an_empty_object_once() -> None:
    events = _events(_stream(CallStarted(0, "a", "f"), CallEnded(0, ""), Finished("tool_calls")))
    deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
    assert deltas == [{"type": "input_json_delta", "partial_json": "{}"}]


def test_broken_arguments_become_readable_ones() -> None:
    response = _written(CallStarted(0, "a", "f"), CallEnded(0, "oops"), Finished("tool_calls"))
    assert response.choices[0].message.calls[0].arguments == '{"_raw_arguments":"oops"}'


def test_free_text_for_a_custom_tool_is_sent_whole_as_an_object() -> None:
    response = _written(
        CallStarted(0, "a", "patch", "custom"),
        ArgumentsDelta(0, "*** Be"),
        ArgumentsDelta(0, "gin"),
        CallEnded(0, "*** Begin"),
        Finished("tool_calls"),
    )
    assert response.choices[0].message.calls[0].arguments == '{"input":"*** Begin"}'


def test_call_ids_are_kept_where_they_fit_and_always_replaced_alike_where_not() -> None:
    response = _written(*_call(0, "call_1", "{}"), *_call(1, "f.x:0", "{}"), Finished("tool_calls"))
    first, second = (call.id for call in response.choices[0].message.calls)
    assert first == "call_1"
    again = _written(*_call(0, "f.x:0", "{}"), Finished("tool_calls"))
    assert second == again.choices[0].message.calls[0].id


def test_thinking_gets_one_signature_if_it_may_be_shown() -> None:
    def signatures(wire: str, *given: str) -> list[Json]:
        signed = [ReasoningSigned(0, signature, wire) for signature in given]
        events = _events(_stream(ReasoningDelta(0, "hm"), *signed, TextDelta(1, "x"), Finished("stop")))
        deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
        return [
            delta["signature"] for delta in deltas if isinstance(delta, dict) and delta["type"] == "signature_delta"
        ]

    assert signatures("anthropic", "A", "B") == ["A"]
    assert signatures("gemini", "cg1.x") == ["cg1.x"]
    assert signatures("gemini", "A") == []


def test_thinking_without_words_is_written_for_its_signature_only() -> None:
    response = _written(
        ReasoningDelta(0, ""), ReasoningSigned(0, "A", "anthropic"), TextDelta(1, "x"), Finished("stop")
    )
    assert response.choices[0].message.parts == (Reasoning("", "A", wire="anthropic"), Text("x"))
    without = _written(ReasoningDelta(0, ""), TextDelta(1, "x"), Finished("stop"))
    assert without.choices[0].message.parts == (Text("x"),)


def test_a_refusal_is_text_with_its_own_reason() -> None:
    response = _written(RefusalDelta(0, "I won't."), Finished("stop"))
    assert response.choices[0].finish == "refusal"
    assert response.choices[0].message.text == "I won't."


def test_whole_parts_are_written_as_far_as_the_wire_can() -> None:
    hosted: Json = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"q": 1}}
    response = _written(
        PartArrived(0, Reasoning("hm", "A", wire="anthropic")),
        PartArrived(1, Reasoning(signature="Em", redacted=True, wire="anthropic")),
        PartArrived(2, Opaque("anthropic", hosted)),
        PartArrived(3, Opaque("gemini", {"executableCode": {}})),
        PartArrived(4, Text("a")),
        PartArrived(5, File("audio/wav", "UklG")),
        Finished("stop"),
    )
    assert response.choices[0].message.parts == (
        Reasoning("hm", "A", wire="anthropic"),
        Reasoning(signature="Em", redacted=True, wire="anthropic"),
        Opaque("anthropic", hosted),
        Text("a"),
        Text("[file audio/wav cannot be shown here]"),
    )


def test_only_the_first_choice_is_written() -> None:
    response = _written(TextDelta(0, "a"), TextDelta(0, "b", choice=1), Finished("stop"), Finished("length", choice=1))
    assert response.choices[0].message.text == "a"
    assert response.choices[0].finish == "stop"


def test_a_failure_is_an_error_event_and_nothing_after_it() -> None:
    writer = MessagesWriter("m")
    writer.write(Started("msg_1", "m"))
    writer.write(TextDelta(0, "x"))
    (event,) = _events(writer.write(Failed(Fault("overloaded", "busy"))))
    assert event == {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
    assert writer.write(TextDelta(0, "y")) == b""
    assert writer.close() == b""


def test_an_open_call_is_closed_when_the_reply_finishes() -> None:
    _check_grammar(
        _events(
            _stream(CallStarted(0, "a", "f"), ArgumentsDelta(0, '{"x'), CallStarted(1, "b", "f"), Finished("length"))
        )
    )


def test_a_stream_that_says_nothing_is_still_a_stream() -> None:
    _check_grammar(_events(MessagesWriter("m").close()))


def test_it_is_kept_alive_by_comments_first_and_pings_then() -> None:
    writer = MessagesWriter("m")
    assert writer.keep_alive() == b": keep-alive\n\n"
    writer.write(Started("msg_1", "m"))
    assert writer.keep_alive() == b'event: ping\ndata: {"type":"ping"}\n\n'


def test_half_an_emoji_does_not_break_the_stream() -> None:
    assert _written(TextDelta(0, "a\ud83d"), Finished("stop")).choices[0].message.text == "a\ufffd"


@pytest.mark.parametrize("stream", [TEXT_STREAM, CALLS_STREAM])
def test_writing_goes_on_after_any_number_of_relayed_frames(stream: bytes) -> None:
    frames = MessagesReader().decode(stream)
    whole = assemble([delta for frame in frames for delta in frame.deltas])
    for relayed in range(len(frames) + 1):
        writer = MessagesWriter("m")
        sent = b""
        for frame in frames[:relayed]:
            writer.follow(frame)
            sent += frame.raw
        for frame in frames[relayed:]:
            for delta in frame.deltas:
                sent += writer.write(delta)
        sent += writer.close()
        _check_grammar([event for event in _events(sent) if event["type"] != "ping"])
        assert _reread(sent) == whole


def test_a_held_call_can_be_left_out_of_a_relayed_stream() -> None:
    frames = MessagesReader().decode(CALLS_STREAM)
    writer = MessagesWriter("m")
    held = next(index for index, frame in enumerate(frames) if b"tool_use" in frame.raw)
    sent = b""
    for frame in frames[:held]:
        writer.follow(frame)
        sent += frame.raw
    sent += writer.keep_alive()
    sent += writer.write(TextDelta(7, "denied")) + writer.write(Finished("stop")) + writer.close()
    _check_grammar([event for event in _events(sent) if event["type"] != "ping"])
    response = _reread(sent)
    assert response.choices[0].finish == "stop"
    assert response.choices[0].message.text == "Ich schaue nach… 🌦denied"


def test_after_the_end_it_is_kept_alive_by_comments_again() -> None:
    writer = MessagesWriter("m")
    assert writer.write(Started("msg_1", "m")) and writer.close()
    assert writer.keep_alive().startswith(b":")
