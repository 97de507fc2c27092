"""Complaints in the wire's own words."""

import pytest

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.wire.anthropic_messages.complaint import complaint, in_own_words


def test_a_missing_field_is_named_as_the_provider_names_it() -> None:
    with pytest.raises(BadRequest) as caught, in_own_words():
        Fields({}, join=".").integer("max_tokens")
    assert caught.value.fault.message == "max_tokens: Field required"
    assert caught.value.fault.param == "max_tokens"


def test_a_wrong_type_is_told_with_its_path_first() -> None:
    with pytest.raises(BadRequest) as caught, in_own_words():
        Fields({"messages": [{"role": 1}]}, join=".").objects("messages")[0].text("role")
    assert caught.value.fault.message.startswith("messages.0.role: ")


def test_a_complaint_that_has_its_path_stays_as_it_is() -> None:
    with pytest.raises(BadRequest) as caught, in_own_words():
        raise complaint("tools", "Tool names must be unique.")
    assert caught.value.fault.message == "tools: Tool names must be unique."
