"""Fields of the wrong type count as missing."""

from callgate.core.messages import Json
from callgate.wire.openai_responses.lenient import integer_at, object_at, objects_at, text_at

VALUE: dict[str, Json] = {
    "text": "x",
    "number": 3.0,
    "flag": True,
    "object": {"a": 1},
    "list": [{"b": 2}, 5],
    "none": None,
}


def test_what_is_there_is_found() -> None:
    assert (text_at(VALUE, "text"), integer_at(VALUE, "number")) == ("x", 3)
    assert (object_at(VALUE, "object"), objects_at(VALUE, "list")) == ({"a": 1}, [{"b": 2}])


def test_what_is_not_there_or_wrong_is_empty() -> None:
    assert [text_at(VALUE, key) for key in ("number", "none", "missing")] == ["", "", ""]
    assert [integer_at(VALUE, key, 7) for key in ("flag", "text", "missing")] == [7, 7, 7]
    assert (object_at(VALUE, "list"), objects_at(VALUE, "object")) == ({}, [])
