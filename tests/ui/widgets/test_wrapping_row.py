"""A row that wraps."""

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.ui.widgets.wrapping_row import WrappingRow


def test_it_would_like_one_row_and_takes_more_where_it_is_narrow(qtbot: QtBot) -> None:
    row = WrappingRow(4)
    qtbot.addWidget(row)
    for _ in range(5):
        label = QLabel("a label")
        row.add(label)
    row.show()
    one = row.sizeHint()
    assert one.height() < 2 * label.sizeHint().height()
    assert row.heightForWidth(one.width() // 3) > 2 * label.sizeHint().height()


def test_hidden_widgets_take_no_room_and_cleared_ones_are_gone(qtbot: QtBot) -> None:
    row = WrappingRow(4)
    qtbot.addWidget(row)
    one, other = QLabel("one"), QLabel("other")
    row.add(one)
    row.add(other)
    both = row.sizeHint().width()
    other.hide()
    assert row.sizeHint().width() < both
    row.clear()
    assert row.sizeHint().width() == 0
    assert one.isHidden()
