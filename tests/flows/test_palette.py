"""The command palette on the real window: it reaches every action, setting, tool and conversation."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.flows.conftest import Program


@pytest.fixture
def program(make_program: Callable[..., Program]) -> Program:
    return make_program()


async def choose(program: Program, query: str, title: str) -> None:
    front = program.front
    front.window.activateWindow()
    await program.until(front.window.isActiveWindow)
    QTest.keyClick(front.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    await program.until(front.palette.isVisible)
    QTest.keyClicks(front.palette.field, query)

    def first() -> bool:
        hit = front.palette.model.hit(0)
        return hit is not None and hit.entry.title == title

    await program.until(first)
    QTest.keyClick(front.palette.field, Qt.Key.Key_Return)
    assert front.palette.isHidden()


def test_an_action_of_the_menus_is_found_by_its_letters(program: Program) -> None:
    assert not program.front.rules.isVisible()
    program.play(choose(program, ">rules", "Rules"))
    assert program.front.rules.isVisible()


def test_a_server_or_a_provider_is_added_from_wherever_one_is(program: Program) -> None:
    async def play() -> None:
        front = program.front
        await choose(program, "add mcp", "Add source (MCP server)…")
        assert front.sources.add_dialog.isVisible()
        front.sources.add_dialog.close()
        await choose(program, "import mcp", "Import MCP servers…")
        assert front.sources.import_dialog.isVisible()
        front.sources.import_dialog.close()
        await choose(program, "add endpoint", "Add endpoint (provider)…")
        assert front.endpoints.dialog.isVisible()
        front.endpoints.dialog.close()

    program.play(play())


def test_settings_are_changed_but_opening_the_gate_is_only_asked_for(program: Program) -> None:
    async def play() -> None:
        await choose(program, "!about everything", "Gate: ask about everything")
        assert program.station.console.gate_mode.kind == "ask"
        await choose(program, "!only observe", "Gate: only observe")
        assert program.station.console.gate_mode.kind == "ask" and program.front.window.gate_question.isVisible()

    program.play(play())


def test_a_tool_is_shown_although_a_filter_hid_it(program: Program) -> None:
    async def play() -> None:
        program.front.tools.field.line.setText("git_*")
        await choose(program, "#read_file", "read_file")
        selected = program.front.tools.selected
        assert selected is not None and selected.name == "read_file"

    program.play(play())


def test_a_conversation_is_opened(program: Program) -> None:
    async def play() -> None:
        await program.station.console.send("Say something short", model="callgate-demo", use_tools=False)
        program.front.conversation.start_new()
        await choose(program, "@something", "Say something short")
        await program.until(lambda: bool(program.front.conversation.conversation))

    program.play(play())


def test_every_action_of_the_menus_and_of_the_panels_is_there(program: Program) -> None:
    async def play() -> None:
        front = program.front
        await program.station.console.send("Say something short", model="callgate-demo", use_tools=False)
        await program.until(lambda: front.conversation.view.transcript.blocks and front.conversations.current)
        await program.until(lambda: not front.conversation.view.transcript.running)
        front.palette.come_up()
        titles = {entry.title for entry in front.palette._entries}
        for menu in front.window.menuBar().actions():
            for action in menu.menu().actions():  # type: ignore[attr-defined]
                words = action.text().partition("\t")[0].replace("&", "")
                leads_on = action.isSeparator() or action.menu() is not None or action.objectName() == "commandPalette"
                if action.isEnabled() and not leads_on:
                    assert words in titles or any(words.lower() in title.lower() for title in titles), words
        for words in (
            "Find in the conversation", "Copy the whole conversation", "Rename the conversation",
            "Pin the conversation",
            "Tag the conversation", "Delete the conversation", "Group conversations by agent", "Add files or pictures…",
            "Choose the tools of this conversation", "Write the system prompt of this conversation",
            "Edit the last message and send it again", "Choose the model of this conversation",
        ):  # fmt: skip
            assert words in titles, words
        assert "Stop the answer" not in titles and "Go to the waiting call" not in titles, "there is nothing to stop"
        front.palette.leave()

    program.play(play())


def test_a_verb_of_a_panel_is_run_from_anywhere(program: Program) -> None:
    async def play() -> None:
        front = program.front
        await program.station.console.send("Say something short", model="callgate-demo", use_tools=False)
        await program.until(lambda: front.conversations.current)
        await choose(program, ">pin conv", "Pin the conversation")
        await program.until(lambda: front.conversations.model.summary(front.conversations.current).marks.pinned)
        await choose(program, ">pin conv", "Unpin the conversation")
        await choose(program, "!conversations by agent", "Group conversations by agent")
        assert front.conversations.model.grouping == "agent"
        await choose(program, ">find in", "Find in the conversation")
        await program.until(front.conversation.find_bar.isVisible)

    program.play(play())


def test_settings_of_the_panels_and_of_the_tray_are_reached_too(program: Program) -> None:
    async def play() -> None:
        front = program.front
        await choose(program, "!do not disturb", "Notifications: do not disturb for 1 hour: on")
        assert front.tray.is_quiet
        await choose(program, "!do not disturb", "Notifications: do not disturb for 1 hour: off")
        assert not front.tray.is_quiet
        await choose(program, "!tools by tag", "Group tools by tag")
        assert front.tools.arrangement.by == "tag" and front.tools.bar.grouping.currentText() == "By tag"
        await choose(program, "!prices", "Edit the prices of models")
        assert front.traffic.price_editor is not None and front.traffic.price_editor.isVisible()
        front.traffic.price_editor.close()

    program.play(play())
