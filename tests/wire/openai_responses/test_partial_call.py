"""The same call told several times must say the same each time."""

import pytest

from callgate.core.deltas import Failed
from callgate.wire.openai_responses.partial_call import Growing, PartialCall, arguments_in, name_of


def grown(*pieces: str) -> Growing:
    growing = Growing()
    for piece in pieces:
        growing.add(piece)
    return growing


@pytest.mark.parametrize("whole", ['{"a":', '{"a":1}', '{"a": 1}', '{ "a" : 1 }'])
def test_more_of_the_same_and_the_same_in_another_spelling_agree(whole: str) -> None:
    assert grown('{"a"', ":").agrees(whole, by_meaning=True) or grown('{"a"', ":1}").agrees(whole, by_meaning=True)


@pytest.mark.parametrize("whole", ["", '{"a":2}', '{"a":1,"b":2}', "[", '{"a"'])
def test_anything_else_disagrees(whole: str) -> None:
    assert not grown('{"a":1}').agrees(whole, by_meaning=True)


def test_free_text_has_one_spelling() -> None:
    assert not grown("[1,2]").agrees("[1, 2]", by_meaning=False)
    assert grown("[1,").agrees("[1,2]", by_meaning=False)


def test_only_what_has_not_come_is_missing() -> None:
    assert grown('{"a"').missing('{"a":1}') == ":1}"
    assert grown('{"a":1}').missing('{"a": 1}') == ""


def test_a_call_is_known_again_by_its_name_and_what_it_says() -> None:
    call = PartialCall("function", "arguments", name=("ns", "look"), grown=grown('{"a":1}'))
    item = {"type": "function_call", "namespace": "ns", "name": "look", "arguments": '{"a": 1}'}
    assert call.is_told_by(item)
    assert not call.is_told_by({**item, "namespace": ""})
    assert not call.is_told_by({**item, "arguments": '{"a":2}'})
    assert PartialCall("function", "arguments", name=("", "look")).is_told_by({"name": "look", "arguments": "{}"})


def test_a_contradiction_names_the_tool() -> None:
    failed = PartialCall("function", "arguments", name=("", "look")).contradicted("its arguments")
    assert isinstance(failed, Failed)
    assert "its arguments in a call of 'look'" in failed.fault.message


def test_arguments_are_text_even_where_they_came_as_an_object() -> None:
    assert arguments_in({"arguments": {"a": 1}}, "arguments") == '{"a":1}'
    assert arguments_in({"arguments": None}, "arguments") == ""
    assert name_of({"name": "look"}) == ("", "look")
