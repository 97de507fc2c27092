"""Complaints come as early as they are certain, and never earlier."""

import pytest

from callgate.core.calls.argument_check import ArgumentCheck, Complaint
from callgate.core.json.partial import PartialJson
from callgate.core.messages import Json

SCHEMA: dict[str, Json] = {
    "type": "object",
    "required": ["path", "mode"],
    "additionalProperties": False,
    "properties": {
        "path": {"type": "string", "minLength": 3},
        "mode": {"enum": ["read", "write"]},
        "lines": {"type": "array", "items": {"type": "integer"}, "minItems": 2},
    },
}


def said(text: str) -> list[tuple[tuple[str | int, ...], str]]:
    sketch = PartialJson(text).sketch()
    assert sketch is not None
    return [(one.path, one.message.split(" ")[-1]) for one in ArgumentCheck(SCHEMA).complaints(sketch)]


@pytest.mark.parametrize(
    "text", ["{", '{"path": "a', '{"path": "abc", "mode": "re', '{"path": "abc", "lines": [1', '{"pa']
)
def test_what_more_text_can_mend_is_no_complaint(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{"path": "a", "mo', ("path",)),
        ('{"path": {"x', ("path",)),
        ('{"mode": "del', ("mode",)),
        ('{"lines": [1, "x", ', ("lines", 1)),
        ('{"pfad": "', ()),
        ('{"lines": [1], "p', ("lines",)),
    ],
)
def test_what_is_wrong_for_good_is_told_at_once(text: str, where: tuple[str | int, ...]) -> None:
    assert where in [path for path, _ in said(text)]


def test_the_whole_is_checked_as_it_is() -> None:
    assert said('{"path": "abc"}') == [((), "property")]
    assert said('{"path": "abc", "mode": "read"}') == []


def test_a_schema_that_cannot_be_used_complains_about_nothing() -> None:
    sketch = PartialJson('{"a": 1}').sketch()
    assert sketch is not None
    assert ArgumentCheck({"type": "objectt"}).complaints(sketch) == ()
    assert ArgumentCheck({"$ref": "http://localhost:1/x"}).complaints(sketch) == ()


def test_a_flood_of_complaints_is_cut() -> None:
    sketch = PartialJson('{"lines": [' + '"x",' * 5000 + "1]}").sketch()
    assert sketch is not None
    found = ArgumentCheck(SCHEMA).complaints(sketch)
    assert len(found) <= 20 and all(isinstance(one, Complaint) for one in found)
