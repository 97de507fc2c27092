from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.ui.tools.columns import SIDE_BY_SIDE, Columns


def test_columns_stand_side_by_side_only_where_there_is_room(qtbot: QtBot) -> None:
    left, right = QLabel("left"), QLabel("right")
    columns = Columns((left,), (right,))
    qtbot.addWidget(columns)
    columns.show()
    turned: list[bool] = []
    columns.turned.connect(turned.append)
    columns.resize(SIDE_BY_SIDE - 1, 400)
    assert left.y() < right.y() and left.x() == right.x()
    columns.resize(SIDE_BY_SIDE, 400)
    columns.layout().activate()
    assert left.y() == right.y() and left.x() < right.x() and left.width() > right.width()
    columns.resize(SIDE_BY_SIDE - 20, 400)
    assert columns.is_wide, "a scroll bar that comes must not turn them back"
    columns.resize(SIDE_BY_SIDE - 60, 400)
    assert turned[-2:] == [True, False] and not columns.is_wide
