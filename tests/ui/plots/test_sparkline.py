from pytestqt.qtbot import QtBot

from callgate.ui.plots.sparkline import Sparkline
from callgate.ui.text.format import seconds
from callgate.ui.theme.theme import Theme


def _line(theme: Theme, qtbot: QtBot) -> Sparkline:
    line = Sparkline(theme, "Time", seconds)
    qtbot.addWidget(line)
    line.resize(120, 44)
    return line


def test_values_run_from_left_to_right_and_the_greatest_is_highest(theme: Theme, qtbot: QtBot) -> None:
    line = _line(theme, qtbot)
    line.set_values([1.0, 4.0, 2.0])
    points = [line.point(at) for at in range(3)]
    assert points[0].x() < points[1].x() < points[2].x()
    assert points[1].y() < points[2].y() < points[0].y()
    assert all(line.rect().contains(point.toPoint()) for point in points)


def test_what_is_drawn_is_also_told(theme: Theme, qtbot: QtBot) -> None:
    line = _line(theme, qtbot)
    assert line.accessibleName() == "Time"
    line.set_values([0.04, 1.5])
    assert line.accessibleName() == "Time: 2 values from 40 ms to 1.5 s, last 1.5 s"
    line.set_values([])
    assert line.accessibleName() == "Time: no values"


def test_values_marks_and_theme_change_the_picture(theme: Theme, qtbot: QtBot) -> None:
    line = _line(theme, qtbot)
    pictures = [line.grab().toImage()]
    for values, marks in (([1.0], ()), ([1.0, 2.0], ()), ([1.0, 2.0], ((1.5, "p50"),)), ([0.0, 0.0], ())):
        line.set_values(values, marks=marks)
        pictures.append(line.grab().toImage())
        assert pictures[-1] not in pictures[:-1]
