"""A row of the queue can be drawn in every state."""

import pytest
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, reviewing, waiting

from callgate.ui.approvals.queue_delegate import QueueDelegate
from callgate.ui.approvals.queue_model import QueueModel
from callgate.ui.approvals.waiting import WaitingCall
from callgate.ui.theme.theme import Theme


@pytest.mark.parametrize("width", [480, 120, 24])
def test_every_kind_of_row_is_drawn_at_any_width(qtbot: QtBot, theme: Theme, width: int) -> None:
    model = QueueModel(lambda: NOON + 30)
    view = QListView()
    qtbot.addWidget(view)
    view.setModel(model)
    view.setItemDelegate(QueueDelegate(theme, view))
    model.set_calls(
        [
            WaitingCall(waiting(id="a")),
            WaitingCall(reviewing(id="b", at=NOON + 1)),
            WaitingCall(waiting(id="c", at=NOON + 2), snoozed=True),
        ]
    )
    model.set_seen(frozenset({"a"}))
    view.resize(width, 200)
    view.setCurrentIndex(model.index(0))
    image = view.grab().toImage()
    amber, grey = theme.color("waiting"), theme.color("border")
    height = view.sizeHintForRow(0)
    frame = view.frameWidth()
    assert image.pixelColor(frame + 1, frame + height // 2) == amber
    assert image.pixelColor(frame + 1, frame + 2 * height + height // 2) == grey
