"""Paths find every value that they mean."""

from callgate.core.json.dotted_path import loaded, reach


def test_lists_are_walked_through() -> None:
    value = loaded('{"files": [{"path": "a"}, {"path": "b"}, {"other": 1}]}')
    assert list(reach(value, ["files", "path"])) == ["a", "b"]


def test_an_object_is_given_as_text_and_a_missing_one_not_at_all() -> None:
    value = loaded('{"a": {"b": 1}}')
    assert list(reach(value, ["a"])) == ['{"b":1}']
    assert list(reach(value, ["x", "y"])) == []


def test_a_text_that_is_no_json_holds_nothing() -> None:
    assert loaded("{nonsense") is None
