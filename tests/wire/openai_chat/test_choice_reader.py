"""What the pieces of a choice mean."""

import pytest

from callgate.core.deltas import (
    CallEnded,
    CallStarted,
    Delta,
    Failed,
    Finished,
    ReasoningDelta,
    ReasoningSigned,
    RefusalDelta,
    TextDelta,
)
from callgate.core.messages import Json
from callgate.wire.openai_chat.choice_reader import ChoiceReader

CALL: Json = {"index": 0, "id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def run(*pieces: dict[str, Json], finish: Json = "stop") -> tuple[list[Delta], list[str]]:
    reader = ChoiceReader(0, set())
    repairs: list[str] = []
    deltas = reader.take({"role": "assistant", "content": ""}, None, repairs)
    for piece in pieces:
        deltas += reader.take(piece, None, repairs)
    return deltas + reader.take({}, finish, repairs), repairs


def test_words_thoughts_calls_and_end_in_one_piece_are_told_in_order() -> None:
    reader = ChoiceReader(0, set())
    piece: dict[str, Json] = {"role": "assistant", "content": "b", "reasoning_content": "a", "tool_calls": [CALL]}
    kinds = [delta.kind for delta in reader.take(piece, "stop", [])]
    assert kinds == ["reasoning", "text", "call_started", "arguments", "call_ended", "finished"]


def test_parts_are_numbered_in_the_order_in_which_they_start() -> None:
    deltas, repairs = run(
        {"content": "a"}, {"content": "b"}, {"tool_calls": [CALL]}, {"content": "c"}, {"refusal": "d"}
    )
    assert repairs == []
    assert [delta for delta in deltas if isinstance(delta, TextDelta | RefusalDelta | CallStarted)] == [
        TextDelta(0, "a"),
        TextDelta(0, "b"),
        CallStarted(1, "1", "f"),
        TextDelta(2, "c"),
        RefusalDelta(3, "d"),
    ]
    assert deltas[-2:] == [CallEnded(1, "{}"), Finished("tool_calls")]


@pytest.mark.parametrize("nothing", [None, [], ""])
def test_empty_fields_are_nothing(nothing: Json) -> None:
    piece: dict[str, Json] = {"content": nothing, "tool_calls": nothing, "refusal": nothing, "reasoning": nothing}
    assert run({key: value for key, value in piece.items() if key != "content" or value != []})[0] == [Finished("stop")]


def test_thoughts_under_two_names_count_once() -> None:
    assert run({"reasoning_content": "a", "reasoning": "a"})[0][0] == ReasoningDelta(0, "a")


def test_detailed_thoughts_are_signed_when_something_else_begins() -> None:
    deltas, _ = run(
        {"reasoning_details": [{"type": "reasoning.text", "text": "a", "index": 0}]},
        {"reasoning_details": [{"type": "reasoning.text", "text": "b", "index": 0}]},
        {"content": "c"},
    )
    assert deltas == [
        ReasoningDelta(0, "a"),
        ReasoningDelta(0, "b"),
        ReasoningSigned(0, '[{"type":"reasoning.text","text":"ab","index":0}]', "openai-chat"),
        TextDelta(1, "c"),
        Finished("stop"),
    ]


def test_proofs_beside_a_call_come_before_it() -> None:
    details: Json = [{"type": "reasoning.encrypted", "data": "x", "index": 0}]
    kinds = [delta.kind for delta in run({"reasoning_details": details, "tool_calls": [CALL]})[0]]
    assert kinds[:3] == ["reasoning", "signed", "call_started"]


def test_content_in_a_list_is_read() -> None:
    thinking: Json = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    deltas, repairs = run({"content": [thinking, {"type": "text", "text": "a"}]})
    assert deltas[:2] == [ReasoningDelta(0, "hm"), TextDelta(1, "a")]
    assert repairs == ["content was no string"]


def test_an_old_call_gets_an_id() -> None:
    deltas, repairs = run(
        {"function_call": {"name": "f", "arguments": ""}},
        {"function_call": {"arguments": "{}"}},
        finish="function_call",
    )
    assert isinstance(deltas[0], CallStarted)
    assert deltas[0].id.startswith("call_")
    assert deltas[-2:] == [CallEnded(0, "{}"), Finished("tool_calls")]
    assert "a call was made in the old style" in repairs


@pytest.mark.parametrize("word", ["error", "abort", "function_call_filter: MALFORMED"])
def test_a_broken_finish_is_a_failure(word: str) -> None:
    last = run({"content": "a"}, finish=word)[0][-1]
    assert isinstance(last, Failed)
    assert word in last.fault.message


def test_a_nameless_call_is_a_failure() -> None:
    fragment: Json = {"index": 0, "id": "1", "function": {"arguments": "{}"}}
    assert isinstance(run({"tool_calls": [fragment]})[0][-1], Failed)


def test_a_cut_call_is_kept_as_it_is() -> None:
    fragment: Json = {"index": 0, "id": "1", "type": "function", "function": {"name": "f", "arguments": '{"a'}}
    assert run({"tool_calls": [fragment]}, finish="length")[0][-2:] == [CallEnded(0, '{"a'), Finished("length")]


def test_what_comes_after_the_end_is_named_and_dropped() -> None:
    reader = ChoiceReader(0, set())
    reader.take({"role": "assistant"}, "stop", [])
    repairs: list[str] = []
    assert reader.take({}, None, repairs) == []
    assert repairs == []
    assert reader.take({"content": "more"}, "stop", repairs) == []
    assert repairs == ["the answer went on after its end"]


def test_a_repeated_or_missing_role_is_a_repair() -> None:
    assert run({"role": "assistant", "content": "a"})[1] == ["the role was repeated"]
    repairs: list[str] = []
    ChoiceReader(0, set()).take({"content": "a"}, None, repairs)
    assert repairs == ["the answer began without its role"]


def test_an_odd_finish_is_a_repair() -> None:
    assert run(finish="eos") == ([Finished("stop")], ["finish_reason 'eos' is unknown"])
    assert run(finish="") == ([], ["finish_reason was no word"])


def test_an_end_without_a_reason_is_good_only_if_all_is_whole() -> None:
    reader, repairs = ChoiceReader(0, set()), list[str]()
    reader.take({"role": "assistant", "tool_calls": [CALL]}, None, repairs)
    assert reader.finish_unsaid(repairs)[-1] == Finished("tool_calls")
    assert repairs == ["the answer had no finish_reason"]
    cut = ChoiceReader(0, set())
    cut.take({"role": "assistant", "tool_calls": [{**CALL, "function": {"name": "f", "arguments": "{"}}]}, None, [])  # type: ignore[dict-item]
    assert isinstance(cut.finish_unsaid([])[-1], Failed)


def test_a_call_that_is_said_again_in_the_old_style_with_every_piece_is_one_call() -> None:
    """As llama-cpp-python sends it, with a blank at the end."""
    written = ['{"', "a", '":', "1", "}", " "]
    pieces: list[dict[str, Json]] = [
        {
            "content": None,
            "function_call": {"name": "f", "arguments": text},
            "tool_calls": [
                {"index": 0, "id": "1", "type": "function", "function": {"name": "f", "arguments": text}},
            ],
        }
        for text in written
    ]
    deltas, repairs = run(*pieces, finish="tool_calls")
    assert [delta for delta in deltas if isinstance(delta, CallStarted)] == [CallStarted(0, "1", "f")]
    assert [delta for delta in deltas if isinstance(delta, CallEnded)] == [CallEnded(0, '{"a":1} ')]
    assert "a call was repeated in the old style" in repairs
