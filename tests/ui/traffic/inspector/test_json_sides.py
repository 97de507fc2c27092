"""Side by side both values are whole, differences stand on the same height, and what is equal is folded."""

from hypothesis import example, given
from hypothesis import strategies as st

from callgate.core.json.diff import diff
from callgate.core.messages import Json
from callgate.ui.traffic.inspector.json_sides import SideRow, sides

KEYS = st.sampled_from(["name", "id", "type", "a", "ö d"])
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "x", "a\nb", "a\nc\n", "a\n\nb"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def letters(before: Json, after: Json, name: str) -> list[str]:
    """All that a side says; not its order: what only one side has stands after what both have."""
    lines = [text for row in sides(before, after, None) if (text := getattr(row, name)) is not None]
    return sorted("".join(lines).replace(" ", ""))


@given(VALUES, VALUES)
@example({"a": "a\nc\n"}, {"a": "a\nb"})
@example(["a\nb"], ["a\nc\n"])
def test_each_side_is_all_of_its_value_whatever_stands_beside_it(before: Json, after: Json) -> None:
    assert letters(before, after, "before") == letters(before, before, "before")
    assert letters(before, after, "after") == letters(after, after, "after")


@given(VALUES, VALUES)
@example({"a": "a\nc"}, {"a": "a\nc\n"})
def test_every_difference_can_be_found_by_its_place(before: Json, after: Json) -> None:
    rows = list(sides(before, after))
    assert [row.where for row in rows if row.where] == [change.where for change in diff(before, after) if change.where]
    assert bool([row for row in rows if row.kind not in ("same", "skipped")]) == bool(diff(before, after))


def test_a_tool_put_in_front_leaves_a_gap_and_moves_nothing() -> None:
    tools: list[Json] = [{"name": "a"}, {"name": "b"}]
    rows = list(sides({"tools": tools}, {"tools": [{"name": "new"}, *tools]}, None))
    assert [row.after for row in rows if row.kind == "added"] == ["    {", '      "name": "new"', "    }"]
    assert all(row.before == row.after for row in rows if row.kind == "same")
    assert next(row for row in rows if row.kind == "added").where == "tools[0]"


def test_a_renamed_tool_stands_beside_its_new_name() -> None:
    (row,) = [row for row in sides({"name": "files.read", "n": 1}, {"name": "files_read", "n": 1}) if row.where]
    assert row == SideRow("changed", '  "name": "files.read"', '  "name": "files_read"', "name")


def test_of_a_long_text_only_the_line_that_changed_is_marked() -> None:
    before, after = "one\ntwo\nthree", "one\n2\nthree"
    rows = [row for row in sides({"prompt": before}, {"prompt": after}) if row.kind == "changed"]
    assert rows == [SideRow("changed", "    │ two", "    │ 2", "prompt")]


def test_what_is_equal_is_folded_but_for_the_lines_around_a_difference() -> None:
    before: dict[str, Json] = {f"k{n:02}": n for n in range(30)}
    rows = list(sides(before, {**before, "k15": "x"}))
    assert [row.kind for row in rows] == ["skipped", *["same"] * 3, "changed", *["same"] * 3, "skipped"]
    assert (rows[0].count, rows[-1].count) == (13, 12)
    assert [row.kind for row in sides(before, before)] == ["skipped"]
