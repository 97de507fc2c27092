"""Columns tell their values under the mouse, to the keyboard and to assistive technology."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from callgate.ui.plots.column_chart import ColumnChart, Layer
from callgate.ui.theme.theme import Theme

LAYERS = (Layer("in", "accent", (10.0, 0.0, 30.0)), Layer("out", "executing", (5.0, 0.0, 1.0), 0.5))


@pytest.fixture
def chart(qtbot: QtBot, theme: Theme) -> ColumnChart:
    chart = ColumnChart(theme, "Tokens", lambda value: f"{value:.0f}")
    qtbot.addWidget(chart)
    chart.resize(400, 190)
    chart.set_layers(LAYERS, ("Mon", "Tue", "Wed"), ("Monday", "Tuesday", "Wednesday"), whole=True)
    chart.show()
    return chart


def test_a_column_says_what_is_in_it(chart: ColumnChart) -> None:
    assert chart.words(0) == "Monday\nin: 10\nout: 5" and chart.words(1) == "Tuesday\nnothing"
    assert chart.accessibleName() == "Tokens: 46 in all, at most 31"


def test_the_mouse_and_the_keyboard_walk_the_columns(chart: ColumnChart) -> None:
    QTest.mouseMove(chart, chart.column(2).center().toPoint())
    assert chart.hovered == 2
    QTest.mouseMove(chart, QPoint(2, 100))
    assert chart.hovered == -1
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chart.hovered == 0 and "Monday" in chart.accessibleDescription()
    for _ in range(5):
        QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chart.hovered == 2


def test_higher_values_are_drawn_higher(chart: ColumnChart) -> None:
    image = chart.grab().toImage()
    ratio = image.devicePixelRatio()

    def inked(place: int) -> int:
        box = chart.column(place)
        ground = image.pixelColor(int((box.left() + 1) * ratio), int((box.top() + 5) * ratio))
        x = int(box.center().x() * ratio)
        return sum(image.pixelColor(x, y) != ground for y in range(int(box.top() * ratio), int(box.bottom() * ratio)))

    assert inked(2) > inked(0) > inked(1)


def test_nothing_is_said_in_words(chart: ColumnChart) -> None:
    chart.set_layers((Layer("in", "accent", (0.0, 0.0)),), ("a", "b"))
    assert chart.is_empty and chart.accessibleName() == "Tokens: nothing"
    assert not chart.grab().isNull()
    chart.set_layers((), ())
    assert not chart.grab().isNull()


def test_names_of_many_layers_take_more_lines_and_none_is_left_out(chart: ColumnChart) -> None:
    values = (1.0, 2.0, 3.0)
    chart.set_layers([Layer(f"a model with a long name {n}", "accent", values) for n in range(5)], ("a", "b", "c"))
    placed = chart._legend()
    assert len(placed) == 5 and len({box.top() for _, box in placed}) > 1
    assert all(box.right() <= chart.width() for _, box in placed)
    assert chart.column(0).top() >= max(box.bottom() for _, box in placed)
    chart.set_layers([Layer("alone", "accent", values)], ("a", "b", "c"))
    assert chart._legend() == [], "the title says it"
