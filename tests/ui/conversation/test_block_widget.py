"""What every block widget can be asked."""

import pytest
from PySide6.QtWidgets import QHBoxLayout, QLabel
from pytestqt.qtbot import QtBot

from callgate.ui.conversation.block_widget import BlockWidget, layout_height
from callgate.ui.conversation.blocks import TextBlock
from callgate.ui.theme.theme import Theme


def test_a_widget_is_as_tall_as_its_layout_needs(qtbot: QtBot, theme: Theme) -> None:
    widget = BlockWidget(theme)
    qtbot.addWidget(widget)
    assert widget.height_at(100) == 0
    label = QLabel("word " * 50)
    label.setWordWrap(True)
    layout = QHBoxLayout(widget)
    layout.addWidget(label)
    assert widget.height_at(150) == layout_height(layout, 150) > widget.height_at(900)


def test_by_itself_it_shows_nothing_and_holds_nobody_up(qtbot: QtBot, theme: Theme) -> None:
    widget = BlockWidget(theme)
    qtbot.addWidget(widget)
    widget.tick(0)
    widget.enter()
    assert not widget.busy
    with pytest.raises(NotImplementedError):
        widget.show_block(TextBlock(id="1", exchange_id="e", text="x"), False)
