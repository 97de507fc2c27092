from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from callgate.ui.widgets.flow_layout import FlowLayout


def _row(count: int, qtbot: QtBot) -> tuple[QWidget, FlowLayout, list[QWidget]]:
    box = QWidget()
    qtbot.addWidget(box)
    layout = FlowLayout(4, box)
    parts = [QWidget() for _ in range(count)]
    for part in parts:
        part.setFixedSize(40, 20)
        layout.addWidget(part)
    return box, layout, parts


def test_widgets_stand_in_a_row_while_there_is_room(qtbot: QtBot) -> None:
    box, layout, parts = _row(3, qtbot)
    box.resize(200, 100)
    box.show()
    QApplication.processEvents()
    assert [part.pos().toTuple() for part in parts] == [(0, 0), (44, 0), (88, 0)]
    assert layout.heightForWidth(200) == 20


def test_widgets_wrap_where_the_room_ends(qtbot: QtBot) -> None:
    box, layout, parts = _row(3, qtbot)
    box.resize(90, 100)
    box.show()
    QApplication.processEvents()
    assert [part.pos().toTuple() for part in parts] == [(0, 0), (44, 0), (0, 24)]
    assert layout.heightForWidth(90) == 44


def test_items_can_be_taken_out(qtbot: QtBot) -> None:
    _, layout, _ = _row(2, qtbot)
    assert layout.takeAt(0) is not None
    assert layout.count() == 1
    assert layout.takeAt(5) is None and layout.itemAt(-1) is None
