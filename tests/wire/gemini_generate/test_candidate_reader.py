"""One candidate's parts as deltas."""

from tests.wire.samples_gemini_generate import call, candidate

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
    TextDelta,
)
from callgate.core.messages import Image, Json, Opaque, Text
from callgate.wire.gemini_generate.candidate_reader import CandidateReader


def take(*chunks: dict[str, Json], repairs: list[str] | None = None) -> list[Delta]:
    reader = CandidateReader(0, set(), "resp:0")
    return [delta for chunk in chunks for delta in reader.take(chunk, [] if repairs is None else repairs)]


def test_parts_of_a_kind_are_one_part_and_a_change_begins_another() -> None:
    assert take(
        candidate({"text": "a", "thought": True}, {"text": "b", "thought": True}),
        candidate({"text": ""}, {"text": "c"}),
        candidate({"text": "d"}, {"text": "e", "thought": True}),
    ) == [
        ReasoningDelta(0, "a"),
        ReasoningDelta(0, "b"),
        TextDelta(1, "c"),
        TextDelta(1, "d"),
        ReasoningDelta(2, "e"),
    ]


def test_a_signature_closes_the_thought_it_proves() -> None:
    signed: Json = {"text": "", "thought": True, "thoughtSignature": "c2ln"}
    assert take(candidate({"text": "a", "thought": True}), candidate(signed), candidate(signed)) == [
        ReasoningDelta(0, "a"),
        ReasoningSigned(0, "c2ln", "gemini"),
        ReasoningDelta(1, ""),
        ReasoningSigned(1, "c2ln", "gemini"),
    ]


def test_signed_text_is_a_part_of_its_own() -> None:
    assert take(candidate({"text": "a"}, {"text": "b", "thoughtSignature": "c2ln"}, {"text": "c"})) == [
        TextDelta(0, "a"),
        PartArrived(1, Text("b", {"thoughtSignature": "c2ln"})),
        TextDelta(2, "c"),
    ]


def test_a_call_is_whole_at_once_and_needs_no_arguments() -> None:
    assert take(candidate(call("f", {"x": "ü"}, "a", "c2ln"), call("g", id="b"), finish="STOP")) == [
        CallStarted(0, "a", "f"),
        ArgumentsDelta(0, '{"x":"ü"}'),
        CallEnded(0, '{"x":"ü"}', "c2ln", "gemini"),
        CallStarted(1, "b", "g"),
        ArgumentsDelta(1, "{}"),
        CallEnded(1, "{}"),
        Finished("tool_calls"),
    ]


def test_calls_without_ids_get_distinct_ones_and_that_is_no_repair() -> None:
    repairs: list[str] = []
    deltas = take(candidate(call("f", {})), candidate(call("f", {})), repairs=repairs)
    ids = [delta.id for delta in deltas if isinstance(delta, CallStarted)]
    assert len(set(ids)) == 2
    assert repairs == []


def test_an_id_that_comes_twice_is_replaced_and_named() -> None:
    repairs: list[str] = []
    deltas = take(candidate(call("f", {}, "a"), call("f", {}, "a")), repairs=repairs)
    ids = [delta.id for delta in deltas if isinstance(delta, CallStarted)]
    assert len(set(ids)) == 2
    assert repairs == ["the call id a was used before"]


def test_a_call_that_streams_its_arguments_is_put_together() -> None:
    deltas = take(
        candidate({"functionCall": {"name": "f", "id": "a", "willContinue": True}, "thoughtSignature": "c2ln"}),
        candidate(
            {
                "functionCall": {
                    "partialArgs": [{"jsonPath": "$.x", "stringValue": "a", "willContinue": True}],
                    "willContinue": True,
                }
            }
        ),
        candidate({"functionCall": {"partialArgs": [{"jsonPath": "$.x", "stringValue": "b"}], "willContinue": True}}),
        candidate({"functionCall": {}}),
        candidate({"text": ""}, finish="STOP"),
    )
    assert deltas == [
        CallStarted(0, "a", "f"),
        ArgumentsDelta(0, '{"x":"ab"}'),
        CallEnded(0, '{"x":"ab"}', "c2ln", "gemini"),
        Finished("tool_calls"),
    ]


def test_a_streaming_call_that_the_limit_cuts_off_never_ends() -> None:
    deltas = take(candidate({"functionCall": {"name": "f", "willContinue": True}}), candidate(finish="MAX_TOKENS"))
    assert not any(isinstance(delta, CallEnded) for delta in deltas)
    assert deltas[-1] == Finished("length")


def test_a_streaming_call_that_nobody_ended_is_ended_and_named() -> None:
    repairs: list[str] = []
    deltas = take(
        candidate({"functionCall": {"name": "f", "willContinue": True}}), candidate(finish="STOP"), repairs=repairs
    )
    assert isinstance(deltas[-2], CallEnded)
    assert repairs == ["a call was not ended"]


def test_an_argument_that_cannot_be_placed_fails_the_call() -> None:
    partial: Json = {"functionCall": {"name": "f", "partialArgs": [{"jsonPath": "$[*]", "stringValue": "a"}]}}
    assert isinstance(take(candidate(partial))[-1], Failed)


def test_other_parts_arrive_whole() -> None:
    code: Json = {"executableCode": {"code": "1"}}
    odd: Json = {"odd": 1}
    picture: Json = {"inlineData": {"mimeType": "image/png", "data": "iVBO"}}
    assert take(candidate(code, picture, odd, {}, {"text": None})) == [
        PartArrived(0, Opaque("gemini", code)),
        PartArrived(1, Image("image/png", "iVBO")),
        PartArrived(2, Opaque("gemini", odd)),
    ]


def test_a_call_that_cannot_be_read_is_a_failure() -> None:
    for broken in ({"functionCall": {}}, {"functionCall": {"name": "f", "args": []}}):
        [failed] = take(candidate(broken))
        assert isinstance(failed, Failed)


def test_a_broken_end_is_a_failure() -> None:
    [text, failed] = take(candidate({"text": "a"}, finish="MALFORMED_FUNCTION_CALL", finishMessage="print(f())"))
    assert text == TextDelta(0, "a")
    assert isinstance(failed, Failed)
    assert (failed.fault.http_status, failed.fault.code) == (502, "MALFORMED_FUNCTION_CALL")


def test_a_candidate_that_goes_on_after_its_end_is_named_and_heard() -> None:
    repairs: list[str] = []
    deltas = take(
        candidate({"text": "a"}, finish="STOP"), candidate(call("f", {}, "x"), finish="STOP"), repairs=repairs
    )
    assert deltas[-1] == Finished("tool_calls")
    assert repairs == ["a candidate went on after its end"]


def test_an_end_that_is_said_twice_counts_once() -> None:
    repairs: list[str] = []
    deltas = take(candidate({"text": "a"}, finish="STOP"), candidate({"text": ""}, finish="STOP"), repairs=repairs)
    assert deltas == [TextDelta(0, "a"), Finished("stop")]
    assert repairs == []


def test_an_unspecified_reason_is_no_end() -> None:
    assert take(candidate({"text": "a"}, finish="FINISH_REASON_UNSPECIFIED")) == [TextDelta(0, "a")]
