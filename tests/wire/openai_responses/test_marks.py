"""Marks steer the writing and are never written."""

from callgate.core.json.fields import Fields
from callgate.core.messages import Json
from callgate.wire.openai_responses.marks import ITEM, leftover, mapping, own


def test_marks_are_not_fields() -> None:
    assert own({ITEM: {}, "status": "completed"}) == {"status": "completed"}


def test_known_fields_that_are_null_are_kept() -> None:
    value: dict[str, Json] = {"id": None, "name": "f", "novel": 1}
    assert leftover(Fields(value), "id", "name") == {"id": None, "novel": 1}


def test_a_mark_that_is_no_object_is_an_empty_one() -> None:
    assert (mapping(True), mapping({"a": 1})) == ({}, {"a": 1})
