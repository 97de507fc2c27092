"""The person's prices are remembered, and a broken memory is said."""

import pytest
from PySide6.QtCore import QSettings

from callgate.core.catalog.prices import Price
from callgate.core.errors import UserFault
from callgate.ui.traffic.price_book import KEY, PriceBook


def test_prices_are_kept_between_runs(settings: QSettings) -> None:
    book = PriceBook(settings)
    told: list[object] = []
    book.changed.connect(told.append)
    book.save({"my-*": {"input": 1, "output": 2}})
    assert told == [book.table]
    again = PriceBook(settings)
    assert again.own == (Price("my-*", 1, 2),) and again.problem == ""


def test_what_is_wrong_changes_nothing(settings: QSettings) -> None:
    book = PriceBook(settings)
    with pytest.raises(UserFault):
        book.save({"my-*": {"input": 1}})
    assert book.own == () and PriceBook(settings).own == ()


@pytest.mark.parametrize("kept", ["{broken", '{"m": {"input": "x"}}', '["list"]'])
def test_a_broken_memory_falls_back_to_what_ships(settings: QSettings, kept: str) -> None:
    settings.setValue(KEY, kept)
    book = PriceBook(settings)
    assert book.own == () and book.table.price("gpt-5") is not None
    assert bool(book.problem) == (kept[0] == "{")
