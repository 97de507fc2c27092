"""Names in both spellings."""

import pytest

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.wire.gemini_generate.field_names import Camel, snake


def test_a_name_has_one_other_spelling() -> None:
    assert snake("parametersJsonSchema") == "parameters_json_schema"
    assert snake("contents") == "contents"


def test_known_names_become_camel_case_and_unknown_ones_stay() -> None:
    fields = Camel("toolConfig", "contents")(Fields({"tool_config": 1, "use_tools": True, "a_b": 2}))
    assert fields.value == {"toolConfig": 1, "use_tools": True, "a_b": 2}


def test_a_field_given_in_both_spellings_is_refused_by_name() -> None:
    with pytest.raises(BadRequest) as caught:
        Camel("toolConfig")(Fields({"tool_config": 1, "toolConfig": 2}, "x"))
    assert caught.value.fault.param == "x.toolConfig"


def test_an_empty_second_spelling_does_not_count() -> None:
    for body in ({"tool_config": 1, "toolConfig": None}, {"toolConfig": None, "tool_config": 1}):
        assert Camel("toolConfig")(Fields(body)).value == {"toolConfig": 1}
