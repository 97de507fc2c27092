"""Columns stay as the person has arranged them; every one of them sorts."""

import pytest
from PySide6.QtCore import QSettings, Qt
from pytestqt.qtbot import QtBot
from tests.fakes.traffic import afternoon

from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.columns import AGENT, COLUMNS, DURATION, MODEL, TIME
from callgate.ui.traffic.model import TrafficModel
from callgate.ui.traffic.table import TrafficTable


def table(qtbot: QtBot, theme: Theme, settings: QSettings | None = None) -> tuple[TrafficTable, TrafficModel]:
    model = TrafficModel()
    model.load(afternoon(30))
    view = TrafficTable(theme, model, settings=settings)
    qtbot.addWidget(view)
    view.resize(1300, 400)
    view.show()
    return view, model


@pytest.mark.parametrize("column", range(len(COLUMNS)))
def test_every_column_sorts_both_ways(qtbot: QtBot, theme: Theme, column: int) -> None:
    view, model = table(qtbot, theme)
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        view.sortByColumn(column, order)
        values = [COLUMNS[column].sort(row) for row in model.shown if not row.round]
        known = [value for value in values if value is not None]
        assert known == sorted(known, reverse=order == Qt.SortOrder.DescendingOrder)  # type: ignore[type-var]
        assert values == [*known, *[None] * (len(values) - len(known))], "what has no value comes last"


def test_widths_order_sorting_and_choice_of_columns_are_remembered(
    qtbot: QtBot, theme: Theme, settings: QSettings
) -> None:
    view, _ = table(qtbot, theme, settings)
    view.setColumnWidth(AGENT, 222)
    view.horizontalHeader().moveSection(view.horizontalHeader().visualIndex(MODEL), 1)
    view.sortByColumn(DURATION, Qt.SortOrder.DescendingOrder)
    next(action for action in view.columns_menu().actions() if action.text() == "Cached").trigger()
    again, model = table(qtbot, theme, settings)
    hidden = [column.title for number, column in enumerate(COLUMNS) if again.isColumnHidden(number)]
    assert hidden == ["Cached"] and again.columnWidth(AGENT) == 222
    assert again.horizontalHeader().visualIndex(MODEL) == 1
    lengths = [row.seconds for row in model.shown if not row.round]
    assert lengths == sorted(lengths, reverse=True)


def test_columns_can_be_put_back(qtbot: QtBot, theme: Theme, settings: QSettings) -> None:
    view, _ = table(qtbot, theme, settings)
    view.setColumnWidth(AGENT, 222)
    view.setColumnHidden(MODEL, True)
    view.horizontalHeader().moveSection(view.horizontalHeader().visualIndex(DURATION), 1)
    menu = view.columns_menu()
    assert not menu.actions()[TIME].isEnabled()
    menu.actions()[-1].trigger()
    assert not view.isColumnHidden(MODEL) and view.columnWidth(AGENT) == COLUMNS[AGENT].width
    assert [view.horizontalHeader().logicalIndex(place) for place in range(len(COLUMNS))] == list(range(len(COLUMNS)))
