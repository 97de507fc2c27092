from collections.abc import Callable

import pytest
from PySide6.QtCore import QModelIndex, QRect
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem
from tests.fakes.console import sample_tools

from callgate.ui.theme import Theme
from callgate.ui.tools.delegate import GROUP_HEIGHT, TOOL_HEIGHT, ToolDelegate
from callgate.ui.tools.model import ToolModel
from callgate.ui.tools.query import read_query


@pytest.fixture
def model(theme: Theme) -> ToolModel:
    model = ToolModel()
    model.apply(sample_tools())
    return model


@pytest.fixture
def picture(theme: Theme, model: ToolModel) -> Callable[..., QImage]:
    """Draws one row; `text` is the filter."""

    def draw(index: QModelIndex, text: str = "", state: QStyle.StateFlag = QStyle.StateFlag.State_Enabled) -> QImage:
        delegate = ToolDelegate(theme)
        delegate.set_query(read_query(text))
        option = QStyleOptionViewItem()
        option.rect = QRect(0, 0, 280, delegate.sizeHint(option, index).height())
        option.state = state
        image = QImage(option.rect.size(), QImage.Format.Format_ARGB32)
        painter = QPainter(image)
        delegate.paint(painter, option, index)
        painter.end()
        return image

    return draw


def test_sources_are_lower_than_tools(theme: Theme, model: ToolModel) -> None:
    delegate, option = ToolDelegate(theme), QStyleOptionViewItem()
    assert delegate.sizeHint(option, model.index(0, 0)).height() == GROUP_HEIGHT
    assert delegate.sizeHint(option, model.index_of("read_file")).height() == TOOL_HEIGHT


def test_a_match_a_selection_and_a_switch_can_be_seen(model: ToolModel, picture: Callable[..., QImage]) -> None:
    index = model.index_of("read_file")
    plain = picture(index)
    assert picture(index) == plain
    assert picture(index, "file") != plain
    assert picture(index, state=QStyle.StateFlag.State_Selected) != plain
    assert picture(index, state=QStyle.StateFlag.State_MouseOver) != plain
    assert picture(model.index_of("run_command")) != plain


def test_an_open_source_looks_other_than_a_closed_one(model: ToolModel, picture: Callable[..., QImage]) -> None:
    index = model.index(0, 0)
    assert picture(index) != picture(index, state=QStyle.StateFlag.State_Open)


def test_the_check_box_lies_inside_of_its_row(theme: Theme) -> None:
    for height in (GROUP_HEIGHT, TOOL_HEIGHT):
        row = QRect(0, 100, 280, height)
        assert row.contains(ToolDelegate(theme).box_rect(row))
