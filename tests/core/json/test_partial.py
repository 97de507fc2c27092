"""Half-written JSON is read as far as it goes, however it was cut into pieces."""

import json
from itertools import pairwise

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.json.partial import DEEPEST, PartialJson, Sketch

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**31), 2**31) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "value", "where"),
    [
        ('{"path": "no', {"path": "no"}, ("path",)),
        ('{"path": "no\\', {"path": "no"}, ("path",)),
        ('{"path": "no\\u00', {"path": "no"}, ("path",)),
        ('{"path": "\\ud83d', {"path": ""}, ("path",)),
        ('{"path": "\\ud83d\\ude0', {"path": ""}, ("path",)),
        ('{"path": "a\\\\', {"path": "a\\"}, ("path",)),
        ('{"path": "x", "li', {"path": "x"}, ()),
        ('{"path": "x", "lines": [1, 2', {"path": "x", "lines": [1]}, ("lines",)),
        ('{"a": {"b": tr', {"a": {}}, ("a",)),
        ('{"a": {"b": true}', {"a": {"b": True}}, ()),
        ('{"a": 12', {}, ()),
        ('{"a": 12}', {"a": 12}, None),
        ("{", {}, ()),
    ],
)
def test_it_says_what_is_there_and_what_may_still_grow(text: str, value: object, where: object) -> None:
    sketch = PartialJson(text).sketch()
    assert sketch == Sketch(value, where)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "  ", "}", "{]", "hello", "[" * (DEEPEST + 1), '{"a": nonsense, "b": 1}'])
def test_what_is_no_json_is_not_guessed(text: str) -> None:
    assert PartialJson(text).sketch() is None


@given(VALUES, st.lists(st.integers(0, 200), max_size=6))
def test_pieces_make_no_difference(value: object, cuts: list[int]) -> None:
    text = json.dumps({"value": value})
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    reader = PartialJson()
    for start, end in pairwise(places):
        reader.feed(text[start:end])
        assert reader.sketch() == PartialJson(text[:end]).sketch()
    assert reader.sketch() == Sketch(orjson.loads(text))


@given(VALUES, st.integers(0, 200))
def test_every_beginning_can_be_read_and_closed_values_stay(value: object, cut: int) -> None:
    text = json.dumps({"first": 1, "value": value})
    sketch = PartialJson(text[: max(13, min(cut, len(text)))]).sketch()
    assert sketch is not None and isinstance(sketch.value, dict)
    assert sketch.value.get("first") == 1


def test_all_on_the_way_to_the_open_value_may_grow() -> None:
    sketch = PartialJson('{"a": 1, "b": {"c": [1, "x').sketch()
    assert sketch is not None
    assert [sketch.may_grow(path) for path in ((), ("b",), ("b", "c"), ("b", "c", 1))] == [True] * 4
    assert not sketch.may_grow(("a",)) and not sketch.may_grow(("b", "c", 0))
