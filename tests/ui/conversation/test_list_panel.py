"""Conversations are chosen and deleted, with a few seconds to take that back."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView, QMenu
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.samples import NOON, sample_conversation

from callgate.core.events import ExchangeStarted
from callgate.core.messages import say
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.list_panel import ConversationListPanel
from callgate.ui.theme import Theme

SOON_MS = 40


@pytest.fixture
def panel(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme
) -> Iterator[ConversationListPanel]:
    console.play(sample_conversation("conv_1"))
    console.play(
        [ExchangeStarted("e9", "conv_2", "codex", "openai-chat", "m", True, 0, (say("user", "Hi"),), (), NOON)]
    )
    panel = ConversationListPanel(console, bridge, theme, undo_ms=SOON_MS)
    qtbot.addWidget(panel)
    panel.resize(260, 400)
    panel.show()
    loop.until(lambda: panel.model.rowCount() == 2)
    yield panel


def test_it_starts_with_what_is_remembered_and_goes_on_live(
    panel: ConversationListPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    assert panel.model.row_of("conv_1") == 0, "it waits for a person"
    console.play([ExchangeStarted("e8", "conv_3", "x", "gemini", "m", True, 0, (say("user", "New"),), (), NOON + 500)])
    loop.until(lambda: panel.model.rowCount() == 3)
    assert panel.model.row_of("conv_3") == 1


def test_an_empty_list_says_what_to_do(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme
) -> None:
    panel = ConversationListPanel(console, bridge, theme)
    qtbot.addWidget(panel)
    panel.show()
    loop.settle()
    listed = panel.findChild(QListView, "conversationList")
    assert not listed.isVisible()
    console.play(sample_conversation())
    loop.until(listed.isVisible)


def test_choosing_is_announced_once_and_marking_is_not(panel: ConversationListPanel, qtbot: QtBot) -> None:
    chosen: list[str] = []
    panel.selected.connect(chosen.append)
    listed = panel.list
    QTest.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=listed.visualRect(panel.model.index(1)).center())
    assert chosen == ["conv_2"]
    assert panel.current == "conv_2"
    panel.select("conv_1")
    assert panel.current == "conv_1"
    panel.select("")
    assert panel.current == ""
    assert chosen == ["conv_2"]
    QTest.keyClick(listed, Qt.Key.Key_J)
    QTest.keyClick(listed, Qt.Key.Key_J)
    QTest.keyClick(listed, Qt.Key.Key_K)
    assert chosen == ["conv_2", "conv_1", "conv_2", "conv_1"]


def test_a_deleted_conversation_is_gone_after_a_while(
    panel: ConversationListPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    gone: list[str] = []
    panel.deleted.connect(gone.append)
    panel.select("conv_2")
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    assert gone == ["conv_2"]
    assert panel.model.row_of("conv_2") == -1
    assert console.forgotten == []
    assert panel.undo_button.isVisible()
    loop.until(lambda: console.forgotten == ["conv_2"])
    loop.until(lambda: panel.model.summary("conv_2") is None)
    assert not panel.undo_button.isVisible()
    assert console.stopped == ["conv_2"]


def test_deleting_can_be_undone(panel: ConversationListPanel, console: FakeConsole, loop: BoundLoop) -> None:
    panel.delete("conv_2")
    panel.undo_button.click()
    assert panel.model.row_of("conv_2") == 1
    loop.settle()
    assert console.forgotten == []


def test_deleting_the_next_one_settles_the_first(
    panel: ConversationListPanel, console: FakeConsole, loop: BoundLoop
) -> None:

    async def delete_all() -> None:
        for conversation_id in ("conv_2", "conv_1", "nothing"):
            panel.delete(conversation_id)

    loop.run(delete_all())
    loop.until(lambda: console.forgotten == ["conv_2", "conv_1"])


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_menu_opens_and_deletes(panel: ConversationListPanel) -> None:
    chosen: list[str] = []
    panel.selected.connect(chosen.append)
    panel.list.customContextMenuRequested.emit(panel.list.visualRect(panel.model.index(1)).center())
    (menu,) = panel.findChildren(QMenu)
    actions = {action.text(): action for action in menu.actions()}
    actions["Open"].trigger()
    assert chosen == ["conv_2"]
    actions["Delete"].trigger()
    assert panel.model.row_of("conv_2") == -1
    panel.undo()
    menu.close()
    panel.list.customContextMenuRequested.emit(QPoint(5, 390))
