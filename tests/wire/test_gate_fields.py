"""What a client may ask of Callgate itself in the body of a request."""

import pytest

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import Json
from callgate.core.request import GateOptions
from callgate.wire.gate_fields import GATE_FIELDS, read_gate_fields


def test_nothing_said_is_nothing_known() -> None:
    assert read_gate_fields(Fields({"model": "m"})) == GateOptions()


def test_all_fields_are_read() -> None:
    body: dict[str, Json] = {"use_tools": True, "tool_execution": "auto", "max_tool_rounds": 0}
    assert read_gate_fields(Fields(body)) == GateOptions(use_tools=True, execution="auto", max_rounds=0)
    assert set(body) <= set(GATE_FIELDS)


def test_both_names_of_the_tools_switch_work() -> None:
    assert read_gate_fields(Fields({"use_vscode_tools": False})).use_tools is False
    assert read_gate_fields(Fields({"use_vscode_tools": True, "use_tools": True})).use_tools is True


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"use_tools": "yes"}, "use_tools"),
        ({"use_vscode_tools": 1}, "use_vscode_tools"),
        ({"use_tools": True, "use_vscode_tools": False}, "use_tools"),
        ({"tool_execution": "always"}, "tool_execution"),
        ({"tool_execution": True}, "tool_execution"),
        ({"max_tool_rounds": -1}, "max_tool_rounds"),
        ({"max_tool_rounds": "3"}, "max_tool_rounds"),
        ({"max_tool_rounds": 1.5}, "max_tool_rounds"),
    ],
)
def test_a_bad_value_is_refused_with_its_field(body: dict[str, Json], param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read_gate_fields(Fields(body))
    assert caught.value.fault.param == param
