"""A screen reader asks a scroll area for children that it had a moment ago."""

import gc

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractScrollArea, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from callgate.ui.shell import accessible_areas


@pytest.fixture(scope="module", autouse=True)
def installed(qapp: object) -> None:
    accessible_areas.install()  # Qt keeps it for the life of the process


class OwnArea(QAbstractScrollArea):
    pass


@pytest.mark.parametrize("kind", [QScrollArea, QAbstractScrollArea, OwnArea])
def test_a_child_that_is_not_there_is_none(qtbot: QtBot, kind: type[QAbstractScrollArea]) -> None:
    area = kind()
    qtbot.addWidget(area)
    described = QAccessible.queryAccessibleInterface(area)
    assert described.childCount() >= 1
    assert described.child(described.childCount()) is None  # Qt's own description reads past the end of its list
    assert described.child(-1) is None


def test_the_children_are_the_same_before_and_after_the_area_is_hidden(qtbot: QtBot) -> None:
    area = QScrollArea()
    qtbot.addWidget(area)
    tall = QWidget()
    tall.setMinimumSize(10, 5000)
    area.setWidget(tall)
    area.show()
    described = QAccessible.queryAccessibleInterface(area)
    count = described.childCount()
    area.hide()
    assert described.childCount() == count
    assert all(described.child(index) is not None for index in range(count))


def test_what_is_in_the_area_is_found(qtbot: QtBot) -> None:
    area = QScrollArea()
    qtbot.addWidget(area)
    label = QLabel("inside")
    area.setWidget(label)
    described = QAccessible.queryAccessibleInterface(area)
    below = [described.child(index) for index in range(described.childCount())]
    objects = [each.child(index).object() for each in below for index in range(each.childCount())]
    assert label in objects
    assert described.indexOfChild(below[0]) == 0


def test_descriptions_go_with_their_areas(qtbot: QtBot) -> None:
    for _ in range(50):
        area = QScrollArea()
        described = QAccessible.queryAccessibleInterface(area)
        assert described.object() is area
        del described
        area.deleteLater()
        del area
    gc.collect()
