"""Conversations of a real engine in the real window: found, named, pinned, tagged, deleted and brought back."""

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu
from tests.fakes.busy_week import WEEK, busy_week
from tests.fakes.gallery import live_story, whole_story

from callgate.ui.conversation.list.groups import Header
from callgate.ui.conversation.list.model import Role
from callgate.ui.conversation.list.panel import ConversationListPanel


async def talk(program: Any, text: str) -> str:
    """Says something to the demo model; the conversation's id."""
    known = set(program.window_app.conversations.model.shown_ids())
    await program.runtime.console.send(text, model="callgate-demo", use_tools=False)
    panel: ConversationListPanel = program.window_app.conversations
    return await program.until(lambda: next(iter(set(panel.model.shown_ids()) - known), ""))


def headers(panel: ConversationListPanel) -> list[str]:
    rows = (panel.model.index(row).data(Role.HEADER) for row in range(panel.model.rowCount()))
    return [header.label for header in rows if isinstance(header, Header)]


def test_a_search_finds_what_was_said_and_leads_there(make_program: Callable[..., Any]) -> None:
    program = make_program()
    panel: ConversationListPanel = program.window_app.conversations

    async def use() -> None:
        wanted = await talk(program, "Tell me about zeppelins over Friedrichshafen")
        other = await talk(program, "What is two plus two")
        await program.runtime.journal.settled()
        hits: list[tuple[str, str]] = []
        panel.hit_requested.connect(lambda conversation, words: hits.append((conversation, words)))
        program.window_app.window.actions_of_window.search_conversations.trigger()
        assert panel.search.hasFocus()
        QTest.keyClicks(panel.search, "friedrichsh")
        await program.until(lambda: panel.model.searching and panel.model.shown_ids() == [wanted])
        assert headers(panel) == ["Best matches"]
        panel.select("")
        QTest.keyClick(panel.search, Qt.Key.Key_Return)
        await program.until(lambda: program.window_app.conversation.conversation == wanted)
        QTest.keyClick(panel.search, Qt.Key.Key_Escape)
        await program.until(lambda: not panel.model.searching)
        assert set(panel.model.shown_ids()) == {wanted, other}
        QTest.keyClicks(panel.search, 'nothing-like-this" OR ( *')
        await program.until(lambda: panel.model.searching and panel.model.rowCount() == 0)
        assert not panel.list.isVisible()

    program.play(use())


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_names_pins_and_tags_outlive_the_program(make_program: Callable[..., Any]) -> None:
    program = make_program()

    async def mark() -> str:
        panel: ConversationListPanel = program.window_app.conversations
        first = await talk(program, "The first one")
        await talk(program, "The second one")
        panel.select(first)
        panel.list.setFocus()
        QTest.keyClick(panel.list, Qt.Key.Key_F2)
        field: QLineEdit = await program.until(lambda: panel.list.findChild(QLineEdit, "conversationName"))
        field.setText("  Kept   for later ")
        QTest.keyClick(field, Qt.Key.Key_Return)
        await program.until(lambda: panel.model.summary(first).marks.name == "Kept for later")  # type: ignore[union-attr]
        QTest.keyClick(panel.list, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
        await program.until(lambda: headers(panel) == ["Pinned", "Today"])
        QTest.keyClick(panel.list, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
        tags: QLineEdit = panel.findChild(QLineEdit, "tagField")
        tags.setText("Bug, later")
        QTest.keyClick(tags, Qt.Key.Key_Return)
        await program.until(lambda: panel.model.summary(first).marks.tags == ("bug", "later"))  # type: ignore[union-attr]
        panel.grouping_button.click()
        return first

    first = program.play(mark())
    program.restart()

    async def look() -> None:
        panel: ConversationListPanel = program.window_app.conversations
        await program.until(lambda: panel.model.count == 2)
        assert headers(panel) == ["Pinned", "callgate"]
        assert panel.model.index(1).data() == "Kept for later"
        panel.search.setText("tag:bug kept")
        await program.until(lambda: panel.model.searching and panel.model.shown_ids() == [first])

    program.play(look())


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_deleting_is_undone_or_final(make_program: Callable[..., Any]) -> None:
    program = make_program()

    async def delete() -> tuple[str, str]:
        panel: ConversationListPanel = program.window_app.conversations
        first, second = await talk(program, "Erase me"), await talk(program, "Spare me")
        panel.select(second)
        panel.list.customContextMenuRequested.emit(
            panel.list.visualRect(panel.model.index(panel.model.row_of(second))).center()
        )
        menu = program.find(QMenu, "conversationMenu")
        next(action for action in menu.actions() if action.text() == "Delete").trigger()
        menu.close()
        assert panel.model.row_of(second) == -1
        assert second not in {summary.id for summary in await program.runtime.console.conversations()}
        await program.until(panel.undo_button.isVisible)
        QTest.mouseClick(panel.undo_button, Qt.MouseButton.LeftButton)
        assert panel.model.row_of(second) > 0
        panel.delete(first)
        assert len(await program.runtime.journal.events(first)) > 0, "it is only out of sight yet"
        return first, second

    first, second = program.play(delete())
    program.restart()

    async def look() -> None:
        panel: ConversationListPanel = program.window_app.conversations
        await program.until(lambda: panel.model.count == 1)
        assert panel.model.shown_ids() == [second]
        assert await program.runtime.journal.events(first) == [], "the end of the program made it final"

    program.play(look())


def test_groups_fold_by_click_and_stay_folded(make_program: Callable[..., Any], tmp_path: Path) -> None:
    program = make_program()

    async def fold() -> None:
        panel: ConversationListPanel = program.window_app.conversations
        opened = await talk(program, "Hello")
        await program.until(lambda: program.window_app.conversation.conversation == opened)
        box = panel.list.visualRect(panel.model.index(0))
        QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=box.topLeft() + QPoint(20, 10))
        assert panel.model.rowCount() == 1
        assert program.window_app.conversation.conversation == opened, "folding opens nothing"

    program.play(fold())
    program.restart()

    async def look() -> None:
        panel: ConversationListPanel = program.window_app.conversations
        await program.until(lambda: panel.model.count == 1)
        assert panel.model.shown_ids() == []

    program.play(look())


def test_a_row_tells_agent_model_state_tokens_cost_and_time(make_program: Callable[..., Any]) -> None:
    program = make_program()
    now = time.time()

    async def use() -> None:
        panel: ConversationListPanel = program.window_app.conversations
        for event in (*whole_story("story", now - 600), *live_story("live", now - 5)):
            program.runtime.bus.publish(event)
        await program.until(lambda: {"story", "live"} <= set(panel.model.shown_ids()))
        assert headers(panel)[0] == "Waiting for you", "what waits is on top"
        story = panel.model.index(panel.model.row_of("story")).data(Qt.ItemDataRole.AccessibleTextRole)
        for words in ("Why does test_sync fail on CI", "claude-code", "claude-opus-4", "58.3k tokens", "$"):
            assert words in story, (words, story)
        live = panel.model.index(panel.model.row_of("live")).data(Qt.ItemDataRole.AccessibleTextRole)
        assert "1 waiting" in live and "codex" in live, live
        assert panel.model.index(panel.model.row_of("story")).data(Role.COST) > 0

    program.play(use())


def test_conversations_are_grouped_by_day_and_by_agent(make_program: Callable[..., Any]) -> None:
    program = make_program()

    def groups(panel: ConversationListPanel) -> dict[str, int]:
        rows = (panel.model.index(row).data(Role.HEADER) for row in range(panel.model.rowCount()))
        return {header.label: header.count for header in rows if isinstance(header, Header)}

    async def look() -> None:
        panel: ConversationListPanel = program.window_app.conversations
        now = time.time()
        for event in busy_week(now):
            program.runtime.bus.publish(event)
        await program.until(lambda: panel.model.count == len(WEEK))
        by_day = groups(panel)
        assert next(iter(by_day)) in ("Today", "Yesterday") and len(by_day) > 4
        assert sum(by_day.values()) == len(WEEK)
        panel.grouping_button.click()
        by_agent = groups(panel)
        assert by_agent == dict(Counter(plan.agent for plan in WEEK))
        titles = [panel.model.index(row).data() for row in range(panel.model.rowCount())]
        assert "Fix the flaky test_sync on CI and explain why it only fails there" in titles, "words, no Markdown"

    program.play(look())
