"""The board fits the room it has, and words what is rare."""

from pytestqt.qtbot import QtBot

from callgate.core.catalog.prices import PriceTable
from callgate.core.catalog.statistics import CallCount, RoundCount, Statistics, TimeRange
from callgate.core.messages import Usage
from callgate.ui.statistics.board import Board
from callgate.ui.theme.theme import Theme

DAY = TimeRange(0, 86_400, 24)


def board(qtbot: QtBot, theme: Theme) -> Board:
    made = Board(theme)
    qtbot.addWidget(made)
    made.resize(1200, 900)
    made.show()
    return made


def test_narrow_rooms_stack_cards_and_tiles(qtbot: QtBot, theme: Theme) -> None:
    made = board(qtbot, theme)
    assert (made._columns, made._abreast) == (2, 6)
    made.resize(600, 900)
    assert (made._columns, made._abreast) == (1, 3)


def test_many_models_are_gathered_and_nothing_is_lost(qtbot: QtBot, theme: Theme) -> None:
    made = board(qtbot, theme)
    models = [f"gpt-4o-mini-2024-0{n}-01" for n in range(1, 10)]
    rounds = tuple(RoundCount(n, "a", model, "x", 1, usage=Usage(1_000_000)) for n, model in enumerate(models))
    made.show_statistics(Statistics(DAY, rounds), PriceTable())
    assert made.costs.layers[-1].name == "other models" and len(made.costs.layers) == 6
    drawn = sum(value for layer in made.costs.layers for value in layer.values)
    assert round(drawn, 6) == round(9 * 0.15, 6)


def test_unknown_prices_and_unasked_people_are_said(qtbot: QtBot, theme: Theme) -> None:
    made = board(qtbot, theme)
    made.show_statistics(Statistics(DAY, (RoundCount(0, "a", "mystery", "x", 3),)), PriceTable())
    assert (made.cost.figure.text(), made.cost.note.text()) == ("–", "no price is known")
    assert made.waited.note.text() == "nobody was asked"


def test_many_tools_are_cut_with_a_note(qtbot: QtBot, theme: Theme) -> None:
    made = board(qtbot, theme)
    calls = tuple(CallCount(0, "a", "m", f"tool_{n}", "git", n + 1) for n in range(20))
    made.show_statistics(Statistics(DAY, calls=calls), PriceTable())
    assert len(made.tools.bars) == 12 and made.tools.bars[0].name == "tool_19"
    assert next(card.note.text() for card in made._cards if card.plot is made.tools) == "and 8 more tools"
