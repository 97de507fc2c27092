"""Arguments between text and object."""

import pytest

from callgate.core.messages import ToolCall
from callgate.wire.anthropic_messages.arguments import is_whole, read_input, write_call_input, write_input


@pytest.mark.parametrize(
    ("arguments", "spelled"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ("  ", {}),
        ('{"a": ', {"_raw_arguments": '{"a": '}),
        ("[1]", {"_value": [1]}),
        ("null", {}),
    ],
)
def test_any_text_becomes_an_object_without_losing_anything(arguments: str, spelled: object) -> None:
    assert write_input(arguments) == spelled


def test_an_object_becomes_compact_text_in_its_own_order() -> None:
    assert read_input({"z": "ü", "a": [1, None]}) == '{"z":"ü","a":[1,null]}'


def test_a_lone_surrogate_is_replaced_instead_of_failing() -> None:
    assert read_input({"a": "x\ud83d"}).encode()
    assert write_input("broken \ud83d")["_raw_arguments"] == "broken \ufffd"


def test_free_text_is_held_by_a_field_of_its_own() -> None:
    assert write_call_input(ToolCall("a", "patch", "{}", variant="custom")) == {"input": "{}"}
    assert write_call_input(ToolCall("a", "f", "{}")) == {}


def test_a_cut_off_call_is_not_whole() -> None:
    assert is_whole("{}")
    assert is_whole("")
    assert not is_whole('{"a": "b')
