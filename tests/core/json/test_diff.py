"""Differences say all that changed, and nothing that did not."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.json.diff import MATCHED_ITEMS, Change, Place, diff, patched, spelled
from callgate.core.messages import Json

KEYS = st.sampled_from(["name", "id", "type", "function", "a", "b-c", "ö d"])
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=25,
)


def same(one: Json, other: Json) -> bool:
    return orjson.dumps(one, option=orjson.OPT_SORT_KEYS) == orjson.dumps(other, option=orjson.OPT_SORT_KEYS)


def told(before: Json, after: Json) -> list[tuple[str, str]]:
    return [(change.kind, change.where) for change in diff(before, after)]


@given(VALUES, VALUES)
def test_the_first_value_and_its_changes_make_the_second(before: Json, after: Json) -> None:
    assert same(patched(before, diff(before, after)), after)


@given(VALUES)
def test_a_value_does_not_differ_from_itself(value: Json) -> None:
    assert diff(value, orjson.loads(orjson.dumps(value))) == ()


@given(VALUES, VALUES)
def test_both_ways_have_as_many_differences(before: Json, after: Json) -> None:
    assert bool(diff(before, after)) == bool(diff(after, before))


def test_a_renamed_tool_is_one_change_of_its_name() -> None:
    before = {"tools": [{"name": "files.read", "schema": {"type": "object"}}, {"name": "run"}]}
    after = {"tools": [{"name": "files_read", "schema": {"type": "object"}}, {"name": "run"}]}
    assert diff(before, after) == (Change(("tools", Place(0, 0), "name"), "changed", "files.read", "files_read"),)


def test_a_tool_put_in_front_is_one_addition() -> None:
    tools = [{"name": "a", "n": 1}, {"name": "b", "n": 2}]
    assert told(tools, [{"name": "new"}, *tools]) == [("added", "[0]")]


def test_an_item_that_moved_and_changed_is_known_by_its_name() -> None:
    before = [{"function": {"name": "a", "strict": True}}]
    after = [{"function": {"name": "new"}}, {"function": {"name": "a"}}]
    assert told(before, after) == [("added", "[0]"), ("removed", "[0→1].function.strict")]


def test_a_dropped_field_is_told_with_its_value() -> None:
    (change,) = diff({"a": 1, "logprobs": True}, {"a": 1})
    assert (change.kind, change.where, change.before) == ("removed", "logprobs", True)


@pytest.mark.parametrize(("before", "after"), [(1, 1.0), (1, True), (0, False), (None, 0), ("1", 1), ({}, [])])
def test_things_that_a_wire_tells_apart_are_different(before: Json, after: Json) -> None:
    assert told(before, after) == [("changed", "")]


def test_the_order_of_keys_is_no_difference() -> None:
    assert diff({"a": 1, "b": {"c": 1, "d": 2}}, {"b": {"d": 2, "c": 1}, "a": 1}) == ()


def test_very_long_lists_are_compared_place_by_place() -> None:
    before: Json = list(range(MATCHED_ITEMS + 10))
    after: Json = [*range(MATCHED_ITEMS + 9), "other"]
    assert told(before, after) == [("changed", f"[{MATCHED_ITEMS + 9}]")]


def test_values_that_no_wire_should_carry_are_still_compared() -> None:
    huge, half = 10**40, "\ud83d"
    assert told([huge, half], [huge, half]) == []
    assert told([{"name": half}], [{"name": huge}]) == [("changed", "[0].name")]


def test_paths_are_spelled_as_people_write_them() -> None:
    assert spelled(("a", Place(1, 1), "b-c", "ö d", "\ud83d")) == "a[1].b-c[\"ö d\"]['\\ud83d']"


def test_a_change_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match="plain value"):
        patched(1, [Change(("a",), "added", after=1)])
