"""Running sums stay right whatever is set, appended or inserted."""

from hypothesis import given
from hypothesis import strategies as st

from callgate.ui.conversation.heights import Heights

_SIZES = st.lists(st.integers(0, 300), max_size=60)


def check(heights: Heights, truth: list[int]) -> None:
    assert len(heights) == len(truth)
    assert heights.total == sum(truth)
    assert [heights.top(index) for index in range(len(truth))] == [sum(truth[:index]) for index in range(len(truth))]


@given(_SIZES, _SIZES, st.integers(0, 60))
def test_insertions_anywhere_keep_the_sums(start: list[int], fresh: list[int], at: int) -> None:
    at = min(at, len(start))
    heights = Heights(start)
    heights.insert(at, fresh)
    check(heights, [*start[:at], *fresh, *start[at:]])


@given(_SIZES.filter(bool), st.data())
def test_a_new_height_moves_everything_below(start: list[int], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(start) - 1))
    heights = Heights(start)
    heights.set(index, 77)
    start[index] = 77
    check(heights, start)


@given(st.lists(st.integers(1, 300), min_size=1, max_size=60), st.integers(0, 20_000))
def test_a_position_finds_its_block(sizes: list[int], position: int) -> None:
    heights = Heights(sizes)
    found = heights.find(position)
    if position >= sum(sizes):
        assert found == len(sizes) - 1
    else:
        assert heights.top(found) <= position < heights.top(found) + sizes[found]


def test_an_empty_column_has_no_height_and_finds_its_start() -> None:
    assert Heights().total == 0
    assert Heights().find(10) == 0
