"""A client's request, and what of it is refused by name."""

from typing import Any

import pytest

from callgate.core.errors import BadRequest
from callgate.core.request import ReplyFormat, Thinking
from callgate.wire.ollama_chat.read_request import read_request

BASE: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def test_an_answer_is_streamed_unless_the_client_says_no() -> None:
    assert read_request(BASE).stream
    assert not read_request({**BASE, "stream": False}).stream


@pytest.mark.parametrize(
    ("think", "thinking"),
    [(None, None), (True, Thinking(budget=-1)), (False, Thinking("none")), ("low", Thinking("low"))],
)
def test_thinking_is_a_switch_or_a_level(think: object, thinking: Thinking | None) -> None:
    assert read_request({**BASE, "think": think}).thinking == thinking  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("given", "shape"),
    [
        ("", None),
        ("json", ReplyFormat("json_object")),
        ({"type": "object"}, ReplyFormat("json_schema", schema={"type": "object"})),
    ],
)
def test_a_format_is_json_or_a_schema(given: Any, shape: ReplyFormat | None) -> None:
    assert read_request({**BASE, "format": given}).reply_format == shape


def test_a_limit_below_zero_is_none_and_is_given_back() -> None:
    request = read_request({**BASE, "options": {"num_predict": -1, "stop": "END", "num_ctx": 9}})
    assert request.sampling.max_tokens is None
    assert request.sampling.stop == ("END",)
    assert request.extras == {"options": {"num_ctx": 9}, "num_predict": -1}


@pytest.mark.parametrize(
    ("changes", "param"),
    [
        ({"model": ""}, "model"),
        ({"stream": "yes"}, "stream"),
        ({"think": 3}, "think"),
        ({"format": "xml"}, "format"),
        ({"options": []}, "options"),
        ({"options": {"temperature": "hot"}}, "options.temperature"),
        ({"options": {"stop": [1]}}, "options.stop[0]"),
        ({"tools": [{"type": "web", "function": {"name": "f"}}]}, "tools[0].type"),
        ({"tools": [{"function": {"name": "a b"}}]}, "tools[0].function.name"),
        ({"tools": [{"function": {"name": "f"}}] * 2}, "tools[1].function.name"),
        ({"tools": [{"function": {"name": "f", "parameters": {"type": "string"}}}]}, "tools[0].function.parameters"),
        ({"messages": None}, "messages"),
    ],
)
def test_a_complaint_names_its_field(changes: dict[str, Any], param: str) -> None:
    with pytest.raises(BadRequest) as refused:
        read_request({**BASE, **changes})
    assert refused.value.fault.param == param
