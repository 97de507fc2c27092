"""Rows of two lines can be drawn, whatever is in them and however narrow it is."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem

from callgate.ui.settings.two_line import Line, TwoLineDelegate
from callgate.ui.settings.verdict_look import VERDICT_LOOKS
from callgate.ui.theme.theme import Theme

ENABLED = QStyle.StateFlag.State_Enabled


def drawn(theme: Theme, width: int, state: QStyle.StateFlag = ENABLED, **roles: object) -> QImage:
    model, item = QStandardItemModel(), QStandardItem()
    for role, value in {"LOOK": VERDICT_LOOKS["deny"], "TITLE": "read_file", **roles}.items():
        item.setData(value, Line[role])
    model.appendRow(item)
    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, width, 46)
    option.state = state
    image = QImage(width, 46, QImage.Format.Format_RGB32)
    image.fill(theme.color("surface"))
    painter = QPainter(image)
    TwoLineDelegate(theme).paint(painter, option, model.index(0, 0))
    painter.end()
    return image


@pytest.mark.parametrize("width", [40, 120, 700])
def test_every_part_of_a_row_shows(qapp: QApplication, theme: Theme, width: int) -> None:
    plain = drawn(theme, width)
    assert plain.width() == width
    if width > 200:
        for role in ("DETAIL", "RIGHT", "FOOT", "WARNING"):
            assert drawn(theme, width, **{role: "words"}) != plain, role
        assert drawn(theme, width, FADED=True) != plain
    chosen = drawn(theme, width, QStyle.StateFlag.State_Selected)
    assert chosen != plain != drawn(theme, width, QStyle.StateFlag.State_MouseOver)


def test_a_long_title_leaves_room_for_what_comes_after_it(qapp: QApplication, theme: Theme) -> None:
    long = "x" * 300
    assert drawn(theme, 500, TITLE=long, DETAIL="when a") != drawn(theme, 500, TITLE=long, DETAIL="when b")
