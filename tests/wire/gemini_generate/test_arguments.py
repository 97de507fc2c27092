"""Arguments as objects."""

import pytest

from callgate.core.messages import Json
from callgate.wire.gemini_generate.arguments import is_whole, write_arguments


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a":1}', {"a": 1}),
        ("", {}),
        ("  ", {}),
        ("null", {}),
        ('{"a":', {"_raw_arguments": '{"a":'}),
        ("[1]", {"_value": [1]}),
        ('"\ud800"', {"_value": "\ufffd"}),
    ],
)
def test_any_text_becomes_an_object(text: str, value: dict[str, Json]) -> None:
    assert write_arguments(text) == value


def test_free_form_text_is_one_argument() -> None:
    assert write_arguments("*** Begin", "custom") == {"input": "*** Begin"}


def test_a_cut_off_call_is_not_whole() -> None:
    assert is_whole("")
    assert is_whole('{"a":1}')
    assert not is_whole('{"a":')
