from pytestqt.qtbot import QtBot

from callgate.ui.plots.bar_chart import Bar, BarChart
from callgate.ui.theme.theme import Theme


def _chart(theme: Theme, qtbot: QtBot) -> BarChart:
    chart = BarChart(theme, "Calls a day")
    qtbot.addWidget(chart)
    chart.resize(200, 56)
    return chart


def test_bars_are_as_high_as_their_values(theme: Theme, qtbot: QtBot) -> None:
    chart = _chart(theme, qtbot)
    chart.set_bars([Bar(1, "one"), Bar(4, "four"), Bar(0, "none")])
    heights = [chart.bar_rect(at).height() for at in range(3)]
    assert heights[1] > heights[0] > heights[2] > 0
    assert chart.bar_rect(0).bottom() == chart.bar_rect(1).bottom()
    assert chart.bar_rect(0).right() < chart.bar_rect(1).left()


def test_what_is_drawn_is_also_told(theme: Theme, qtbot: QtBot) -> None:
    chart = _chart(theme, qtbot)
    chart.set_bars([Bar(2, "Monday: 2 calls"), Bar(0, "Tuesday: 0 calls")])
    assert chart.accessibleName() == "Calls a day: Monday: 2 calls"
    chart.set_bars([])
    assert chart.accessibleName() == "Calls a day: nothing"


def test_values_labels_and_marked_parts_change_the_picture(theme: Theme, qtbot: QtBot) -> None:
    chart = _chart(theme, qtbot)
    pictures = [chart.grab().toImage()]
    for bar in (Bar(0, ""), Bar(2, ""), Bar(2, "", "today"), Bar(2, "", "today", 1)):
        chart.set_bars([bar, Bar(3, "")])
        pictures.append(chart.grab().toImage())
        assert pictures[-1] not in pictures[:-1]
