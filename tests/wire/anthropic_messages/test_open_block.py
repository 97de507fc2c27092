"""Blocks while they stream in."""

from callgate.core.deltas import ArgumentsDelta, CallEnded, PartArrived, ReasoningDelta, ReasoningSigned, TextDelta
from callgate.core.messages import Json, Opaque
from callgate.wire.anthropic_messages.open_block import (
    Heard,
    OpenBlock,
    OpenCall,
    OpenOpaque,
    OpenRedacted,
    OpenText,
    OpenThinking,
    Parts,
)


def _ended(block: OpenBlock, heard: Heard, *deltas: dict[str, Json]) -> Heard:
    for delta in deltas:
        block.add(delta, heard)
    block.end(heard)
    return heard


def _fragment(text: str) -> dict[str, Json]:
    return {"type": "input_json_delta", "partial_json": text}


def test_an_empty_text_block_is_no_part() -> None:
    parts, heard = Parts(), Heard()
    _ended(OpenText(parts, heard), heard, {"type": "text_delta", "text": ""})
    assert heard == Heard()
    assert parts.take() == 0


def test_text_in_the_start_counts() -> None:
    heard = Heard()
    _ended(OpenText(Parts(), heard, "He"), heard, {"type": "text_delta", "text": "llo"})
    assert heard.deltas == [TextDelta(0, "He"), TextDelta(0, "llo")]


def test_a_second_signature_is_ignored_and_named() -> None:
    heard = Heard()
    signed: dict[str, Json] = {"type": "signature_delta", "signature": "A"}
    _ended(OpenThinking(Parts(), heard, {}), heard, signed, {**signed, "signature": "B"})
    assert heard.deltas == [ReasoningDelta(0, ""), ReasoningSigned(0, "A", "anthropic")]
    assert len(heard.repairs) == 1


def test_a_signature_in_the_start_is_told_at_the_end() -> None:
    heard = Heard()
    _ended(OpenThinking(Parts(), heard, {"thinking": "hm", "signature": "A"}), heard)
    assert heard.deltas == [ReasoningDelta(0, "hm"), ReasoningSigned(0, "A", "anthropic")]


def test_arguments_add_up() -> None:
    heard = _ended(OpenCall(0, {}), Heard(), _fragment(""), _fragment('{"a"'), _fragment(":1}"))
    assert heard.deltas == [ArgumentsDelta(0, '{"a"'), ArgumentsDelta(0, ":1}"), CallEnded(0, '{"a":1}')]
    assert heard.repairs == []


def test_no_arguments_are_an_empty_object() -> None:
    for said in ((), (_fragment(""),), (_fragment("{}"),)):
        heard = _ended(OpenCall(0, {}), Heard(), *said)
        assert heard.deltas == [ArgumentsDelta(0, "{}"), CallEnded(0, "{}")]
        assert heard.repairs == []


def test_arguments_that_came_only_in_the_start_are_told_with_a_repair() -> None:
    heard = _ended(OpenCall(0, {"a": 1}), Heard())
    assert heard.deltas == [ArgumentsDelta(0, '{"a":1}'), CallEnded(0, '{"a":1}')]
    assert heard.repairs


def test_an_empty_object_before_the_arguments_is_taken_away() -> None:
    heard = _ended(OpenCall(0, {}), Heard(), _fragment("{}"), _fragment('{"a":1}'))
    assert heard.deltas == [ArgumentsDelta(0, '{"a":1}'), CallEnded(0, '{"a":1}')]
    assert heard.repairs


def test_a_hosted_call_comes_whole_with_its_input() -> None:
    block: dict[str, Json] = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    heard = _ended(OpenOpaque(Parts(), block), Heard(), _fragment('{"q":'), _fragment("1}"))
    assert heard.deltas == [PartArrived(0, Opaque("anthropic", {**block, "input": {"q": 1}}))]
    assert block["input"] == {}


def test_an_unknown_block_grows_by_its_unknown_deltas() -> None:
    block: dict[str, Json] = {"type": "compaction", "content": "a"}
    heard = _ended(OpenOpaque(Parts(), block), Heard(), {"type": "compaction_delta", "content": "b", "n": 1})
    assert heard.deltas == [PartArrived(0, Opaque("anthropic", {"type": "compaction", "content": "ab", "n": 1}))]


def test_a_delta_of_the_wrong_kind_is_named() -> None:
    wrong: dict[str, Json] = {"type": "thinking_delta", "thinking": "x"}
    for block in (OpenText(Parts(), Heard()), OpenCall(0, {}), OpenRedacted()):
        assert "thinking_delta" in _ended(block, Heard(), wrong).repairs[0]
    assert _ended(OpenThinking(Parts(), Heard(), {}), Heard(), _fragment("x")).repairs
