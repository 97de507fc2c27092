"""What stands above the queue."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.ui.approvals.queue_filter import QueueFilter
from callgate.ui.theme.theme import Theme


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme) -> QueueFilter:
    bar = QueueFilter(theme)
    qtbot.addWidget(bar)
    bar.show()
    return bar


def note(bar: QueueFilter) -> str:
    label = bar.findChild(QLabel, "queueNote")
    assert label is not None
    return label.text() if label.isVisible() else ""


def test_words_and_fields_are_an_expression_and_nothing_is_all(bar: QueueFilter) -> None:
    assert bar.wanted is None
    bar.field.setText("tool:run_*")
    assert bar.wanted is not None
    bar.tell(2, 9)
    assert note(bar) == "2 of 9 calls fit the filter"
    bar.field.clear()
    bar.tell(9, 9)
    assert bar.wanted is None and note(bar) == ""


def test_a_filter_that_cannot_be_read_hides_nothing_and_says_why(bar: QueueFilter) -> None:
    bar.field.setText("tool:(")
    bar.tell(9, 9)
    assert bar.wanted is None
    assert note(bar) != ""


def test_the_order_can_be_chosen(qtbot: QtBot, bar: QueueFilter) -> None:
    assert bar.order == "age"
    with qtbot.waitSignal(bar.changed, timeout=1000):
        bar.orders.choose("identical")
    assert bar.order == "identical"


def test_escape_empties_first_and_then_leaves(qtbot: QtBot, bar: QueueFilter) -> None:
    bar.field.setText("x")
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert bar.field.text() == ""
    with qtbot.waitSignal(bar.left, timeout=1000):
        QTest.keyClick(bar.field, Qt.Key.Key_Escape)
