"""A conversation is drawn with its state in word and colour."""

import time

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem
from tests.fakes.samples import sample_conversation

from callgate.core.conversation import ConversationSummary
from callgate.ui.conversation.list_delegate import HEIGHT, ConversationDelegate
from callgate.ui.conversation.list_model import ConversationListModel
from callgate.ui.theme import Theme


def drawn(theme: Theme, model: ConversationListModel, selected: bool = False) -> QImage:
    delegate = ConversationDelegate(theme)
    picture = QImage(260, HEIGHT, QImage.Format.Format_ARGB32)
    picture.fill(theme.color("surface"))
    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, 260, HEIGHT)  # type: ignore[attr-defined]
    if selected:
        option.state |= QStyle.StateFlag.State_Selected  # type: ignore[attr-defined]
    painter = QPainter(picture)
    delegate.paint(painter, option, model.index(0))
    painter.end()
    assert delegate.sizeHint(option, model.index(0)).height() == HEIGHT
    return picture


def colors(picture: QImage) -> set[str]:
    return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}


def model_of(*summaries: ConversationSummary) -> ConversationListModel:
    model = ConversationListModel()
    model.load(summaries, [])
    return model


def test_a_waiting_conversation_has_an_amber_edge(theme: Theme) -> None:
    model = ConversationListModel()
    model.apply(sample_conversation())
    picture = drawn(theme, model)
    assert picture.pixelColor(5, HEIGHT // 2) == theme.color("waiting")
    still = drawn(theme, model_of(ConversationSummary("a", title="x", updated_at=time.time())))
    assert still.pixelColor(5, HEIGHT // 2) == theme.color("surface")


def test_running_and_failed_are_told_apart(theme: Theme) -> None:
    running = drawn(theme, model_of(ConversationSummary("a", title="x", live=frozenset({"e"}))))
    failed = drawn(theme, model_of(ConversationSummary("a", title="x", failed=True)))
    assert theme.color("executing").name() in colors(running)
    assert theme.color("denied").name() in colors(failed)


def test_the_chosen_row_has_another_ground(theme: Theme) -> None:
    model = model_of(ConversationSummary("a", title="x"))
    assert drawn(theme, model, selected=True).pixelColor(200, 50) != QColor(theme.color("surface"))
