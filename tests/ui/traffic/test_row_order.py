"""Sorting in slices gives the order that ranks give."""

import pytest
from tests.fakes.samples import NOON, sample_conversation
from tests.fakes.traffic import afternoon

from callgate.core.events import ExchangeStarted
from callgate.ui.traffic import row_order
from callgate.ui.traffic.columns import COLUMNS
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.row_order import RowOrder, SortJob


def fold() -> ExchangeFold:
    fold = ExchangeFold()
    fold.apply_all([*sample_conversation(), *afternoon(25)])
    return fold


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("column", range(len(COLUMNS)))
def test_the_order_is_that_of_the_ranks(monkeypatch: pytest.MonkeyPatch, column: int, descending: bool) -> None:
    monkeypatch.setattr(row_order, "SLICE", 4)
    order, held = RowOrder(), fold()
    order.column, order.descending = column, descending
    job = SortJob(order, held.groups)
    turns = 0
    while not job.run(lambda: True):
        turns += 1
    tops = {rows[0].exchange_id: rows[0] for rows in held.groups.values()}
    assert turns > 5
    assert job.exchanges == sorted(tops, key=lambda one: order.standing(tops[one]), reverse=descending)
    assert job.longest == max(row.seconds for row in tops.values())


@pytest.mark.parametrize("descending", [False, True])
def test_what_began_at_the_same_moment_has_an_order_too(descending: bool) -> None:
    held, order = ExchangeFold(), RowOrder()
    for name in ("b", "c", "a"):
        held.apply(ExchangeStarted(name, "conv", "agent", "openai-chat", "m", True, 0, (), (), NOON))
    order.descending = descending
    job = SortJob(order, held.groups)
    assert job.run(lambda: False)
    assert job.exchanges == (["c", "b", "a"] if descending else ["a", "b", "c"])


def test_nothing_is_sorted_at_once() -> None:
    assert SortJob(RowOrder(), {}).run(lambda: True)


def test_a_row_finds_its_place_among_those_on_show() -> None:
    held, order = fold(), RowOrder()
    SortJob(order, held.groups).run(lambda: False)
    tops = sorted((rows[0] for rows in held.groups.values()), key=order.standing)
    for place, top in enumerate(tops):
        others = [row for row in tops if row is not top]
        assert order.position(others, top, top.step, lambda one: held.groups[one][0]) == place
