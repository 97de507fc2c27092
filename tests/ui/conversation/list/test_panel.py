"""Conversations are found, chosen, marked and deleted, with a few seconds to take that back."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.samples import NOON, sample_conversation

from callgate.core.conversation import ConversationSummary
from callgate.core.events import ExchangeStarted
from callgate.core.marks import Marks
from callgate.core.messages import say
from callgate.core.search.hit import SearchHit
from callgate.core.search.query import Word
from callgate.core.search.snippet import snippet
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.list.menu import ConversationMenu
from callgate.ui.conversation.list.panel import ConversationListPanel
from callgate.ui.theme.theme import Theme

SOON_MS = 40
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def panel(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings
) -> Iterator[ConversationListPanel]:
    console.play(sample_conversation("conv_1"))
    console.play(
        [ExchangeStarted("e9", "conv_2", "codex", "openai-chat", "m", True, 0, (say("user", "Hi"),), (), NOON)]
    )
    panel = ConversationListPanel(console, bridge, theme, settings=settings, undo_ms=SOON_MS)
    qtbot.addWidget(panel)
    panel.resize(260, 400)
    panel.show()
    loop.until(lambda: panel.model.count == 2)
    yield panel


def click(panel: ConversationListPanel, conversation: str) -> None:
    box = panel.list.visualRect(panel.model.index(panel.model.row_of(conversation)))
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=box.center())


def test_it_starts_with_what_is_remembered_and_goes_on_live(
    panel: ConversationListPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    assert panel.model.shown_ids()[0] == "conv_1", "it waits for a person"
    console.play([ExchangeStarted("e8", "conv_3", "x", "gemini", "m", True, 0, (say("user", "New"),), (), NOON + 500)])
    loop.until(lambda: panel.model.count == 3)
    assert panel.model.shown_ids() == ["conv_1", "conv_3", "conv_2"]


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


def test_choosing_is_announced_once_and_marking_is_not(panel: ConversationListPanel) -> None:
    chosen: list[str] = []
    panel.selected.connect(chosen.append)
    click(panel, "conv_2")
    assert chosen == ["conv_2"]
    assert panel.current == "conv_2"
    panel.select("conv_1")
    assert panel.current == "conv_1"
    panel.select("")
    assert panel.current == ""
    assert chosen == ["conv_2"]
    for key in (Qt.Key.Key_J, Qt.Key.Key_J, Qt.Key.Key_K):
        QTest.keyClick(panel.list, key)
    assert chosen == ["conv_2", "conv_1", "conv_2", "conv_1"]


def test_the_first_of_a_group_is_shown_with_its_header_and_a_clicked_row_stays_under_the_mouse(
    panel: ConversationListPanel,
) -> None:
    panel.resize(260, 180)
    bar, row = panel.list.verticalScrollBar(), panel.model.index(panel.model.row_of("conv_1"))
    header = panel.model.index(row.row() - 1)
    below_header = panel.list.visualRect(header).height()
    bar.setValue(below_header)
    assert bar.value() == below_header, "the header is out of sight, its first row is not"
    click(panel, "conv_1")
    panel.select("conv_1")
    assert bar.value() == below_header
    panel.select("conv_2")
    panel.select("conv_1")
    assert panel.list.viewport().rect().contains(panel.list.visualRect(header))
    assert panel.list.visualRect(row).top() >= 0


def test_a_deleted_conversation_is_gone_after_a_while(
    panel: ConversationListPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    gone: list[str] = []
    panel.deleted.connect(gone.append)
    panel.select("conv_2")
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    assert gone == ["conv_2"]
    assert panel.model.row_of("conv_2") == -1
    assert console.archive.leaving == ["conv_2"] and console.archive.purged == []
    assert panel.undo_button.isVisible()
    loop.until(lambda: console.archive.purged == ["conv_2"])
    loop.until(lambda: panel.model.summary("conv_2") is None)
    assert not panel.undo_button.isVisible()


def test_deleting_can_be_undone(panel: ConversationListPanel, console: FakeConsole, loop: BoundLoop) -> None:
    back: list[str] = []
    panel.restored.connect(back.append)
    panel.delete("conv_2")
    panel.undo_button.click()
    assert panel.model.row_of("conv_2") > 0
    assert back == ["conv_2"]
    loop.settle()
    assert console.archive.purged == []


def test_deleting_the_next_one_settles_the_first(
    panel: ConversationListPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    async def delete_all() -> None:
        for conversation_id in ("conv_2", "conv_1", "nothing"):
            panel.delete(conversation_id)

    loop.run(delete_all())
    loop.until(lambda: console.archive.purged == ["conv_2", "conv_1"])


def test_the_neighbour_is_opened_after_deleting_and_nothing_by_folding(panel: ConversationListPanel) -> None:
    click(panel, "conv_2")
    chosen: list[str] = []
    panel.selected.connect(chosen.append)
    panel.list.fold_asked.emit("2025-10")
    assert panel.model.shown_ids() == ["conv_1"]
    assert chosen == [], "it was only folded away"
    panel.list.fold_asked.emit("2025-10")
    assert panel.current == "conv_2", "unfolded, it is still the one that is open"
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    assert chosen == ["conv_1"]
    panel.undo()


def test_search_shows_hits_and_leads_to_them(
    panel: ConversationListPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    hits: list[tuple[str, str]] = []
    panel.hit_requested.connect(lambda conversation, words: hits.append((conversation, words)))
    console.archive.hits = [SearchHit("conv_2", "answer", snippet("some flaky words", [Word("fla")]))]
    QTest.keyClicks(panel.search, "fla")
    loop.until(lambda: panel.model.shown_ids() == ["conv_2"])
    assert console.archive.searched[-1] == "fla"
    click(panel, "conv_2")
    click(panel, "conv_2")
    assert hits == [("conv_2", "fla")] * len(hits) and len(hits) >= 2
    QTest.keyClick(panel.search, Qt.Key.Key_Down)
    assert panel.list.hasFocus()
    console.archive.hits = []
    QTest.keyClicks(panel.search, "x")
    loop.until(lambda: panel.model.rowCount() == 0)
    assert not panel.list.isVisible() and panel.search.isEnabled()
    QTest.keyClick(panel.search, Qt.Key.Key_Escape)
    assert panel.search.text() == "" and panel.model.count == 2 and panel.list.isVisible()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_names_pins_and_tags_come_from_the_keyboard(
    panel: ConversationListPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    panel.select("conv_2")
    panel.list.setFocus()
    QTest.keyClick(panel.list, Qt.Key.Key_F2)
    field = panel.list.findChild(QLineEdit, "conversationName")
    field.setText("Mine")
    QTest.keyClick(field, Qt.Key.Key_Return)
    loop.until(lambda: panel.model.summary("conv_2").marks.name == "Mine")  # type: ignore[union-attr]
    QTest.keyClick(panel.list, Qt.Key.Key_P, CONTROL)
    loop.until(lambda: panel.model.summary("conv_2").marks.pinned)  # type: ignore[union-attr]
    QTest.keyClick(panel.list, Qt.Key.Key_T, CONTROL)
    tags = panel.findChild(QLineEdit, "tagField")
    tags.setText("bug later")
    QTest.keyClick(tags, Qt.Key.Key_Return)
    loop.until(lambda: panel.model.summary("conv_2").marks == Marks("Mine", True, ("bug", "later")))  # type: ignore[union-attr]
    panel.model.setData(panel.model.index(panel.model.row_of("conv_2")), "Hi")
    loop.until(lambda: panel.model.summary("conv_2").marks.name == "")  # type: ignore[union-attr]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_menu_offers_everything_with_its_keys(
    panel: ConversationListPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    console.archive.mark("conv_1", Marks(tags=("bug",)))
    loop.until(lambda: panel.model.tags == ["bug"])
    place = panel.list.visualRect(panel.model.index(panel.model.row_of("conv_2"))).center()
    panel.list.customContextMenuRequested.emit(place)
    (menu,) = panel.findChildren(ConversationMenu)
    actions = {action.text(): action for action in menu.actions()}
    assert list(filter(None, actions)) == ["Open", "Rename", "Pin", "Tags", "Export…", "Delete"]
    assert actions["Pin"].shortcut().toString() == "Ctrl+P"
    wanted: list[tuple[str, ...]] = []
    panel.export_requested.connect(wanted.append)
    actions["Export…"].trigger()
    assert wanted == [("conv_2",)]
    (bug, _, edit) = actions["Tags"].menu().actions()  # type: ignore[union-attr]
    assert edit.text() == "Edit tags…" and not bug.isChecked()
    bug.trigger()
    loop.until(lambda: panel.model.summary("conv_2").marks.tags == ("bug",))  # type: ignore[union-attr]
    actions["Delete"].trigger()
    assert panel.model.row_of("conv_2") == -1
    panel.undo()
    menu.close()
    panel.list.customContextMenuRequested.emit(QPoint(5, 390))
    assert len([menu for menu in panel.findChildren(ConversationMenu) if menu.isVisible()]) == 0


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_several_are_marked_and_deleted_together(
    panel: ConversationListPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    panel.list.selectAll()
    assert sorted(panel.list.selected_ids) == ["conv_1", "conv_2"]
    panel.do("pin")
    loop.until(lambda: all(panel.model.summary(known).marks.pinned for known in ("conv_1", "conv_2")))  # type: ignore[union-attr]
    panel.list.customContextMenuRequested.emit(
        panel.list.visualRect(panel.model.index(panel.model.row_of("conv_2"))).center()
    )
    (menu,) = panel.findChildren(ConversationMenu)
    assert {"Unpin", "Export 2…", "Delete 2"} <= {action.text() for action in menu.actions()}
    menu.close()
    panel.do("delete")
    assert panel.model.count == 0 and not panel.list.isVisible()
    panel.undo()
    assert panel.model.count == 2
    panel.list.selectAll()
    with pytest.raises(ValueError, match="juggle"):
        panel.do("juggle")


def test_the_grouping_is_remembered(
    panel: ConversationListPanel,
    settings: QSettings,
    console: FakeConsole,
    bridge: Bridge,
    theme: Theme,
    qtbot: QtBot,
    loop: BoundLoop,
) -> None:
    panel.grouping_button.click()
    assert panel.model.grouping == "agent"
    panel.list.fold_asked.emit("agent:codex")
    again = ConversationListPanel(console, bridge, theme, settings=settings)
    qtbot.addWidget(again)
    assert again.model.grouping == "agent" and again.model.folded == {"agent:codex"}
    assert again.grouping_button.toolTip().startswith("Grouped by agent")
    loop.until(lambda: again.model.count == 2)


def test_what_came_from_a_file_is_shown_and_opened(panel: ConversationListPanel) -> None:
    chosen: list[str] = []
    panel.selected.connect(chosen.append)
    panel.add([ConversationSummary("imported_1", "x", "From a file", updated_at=NOON, marks=Marks(origin="a.jsonl"))])
    assert chosen == ["imported_1"] and panel.current == "imported_1"
