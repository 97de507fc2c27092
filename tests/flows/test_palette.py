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
    window_app = program.window_app
    window_app.window.activateWindow()
    await program.until(window_app.window.isActiveWindow)
    QTest.keyClick(window_app.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    await program.until(window_app.palette.isVisible)
    QTest.keyClicks(window_app.palette.field, query)

    def first() -> bool:
        hit = window_app.palette.model.hit(0)
        return hit is not None and hit.entry.title == title

    await program.until(first)
    QTest.keyClick(window_app.palette.field, Qt.Key.Key_Return)
    assert window_app.palette.isHidden()


def test_an_action_of_the_menus_is_found_by_its_letters(program: Program) -> None:
    assert not program.window_app.rules.isVisible()
    program.play(choose(program, ">rules", "Rules"))
    assert program.window_app.rules.isVisible()


def test_a_server_or_a_provider_is_added_from_wherever_one_is(program: Program) -> None:
    async def play() -> None:
        window_app = program.window_app
        await choose(program, "add mcp", "Add source (MCP server)…")
        assert window_app.sources.add_dialog.isVisible()
        window_app.sources.add_dialog.close()
        await choose(program, "import mcp", "Import MCP servers…")
        assert window_app.sources.import_dialog.isVisible()
        window_app.sources.import_dialog.close()
        await choose(program, "add endpoint", "Add endpoint (provider)…")
        assert window_app.endpoints.dialog.isVisible()
        window_app.endpoints.dialog.close()

    program.play(play())


def test_settings_are_changed_but_opening_the_gate_is_only_asked_for(program: Program) -> None:
    async def play() -> None:
        await choose(program, "!about everything", "Gate: ask about everything")
        assert program.runtime.console.gate_mode.kind == "ask"
        await choose(program, "!only observe", "Gate: only observe")
        assert program.runtime.console.gate_mode.kind == "ask" and program.window_app.window.gate_question.isVisible()

    program.play(play())


def test_a_tool_is_shown_although_a_filter_hid_it(program: Program) -> None:
    async def play() -> None:
        program.window_app.tools.field.line.setText("git_*")
        await choose(program, "#read_file", "read_file")
        selected = program.window_app.tools.selected
        assert selected is not None and selected.name == "read_file"

    program.play(play())


def test_a_conversation_is_opened(program: Program) -> None:
    async def play() -> None:
        await program.runtime.console.send("Say something short", model="callgate-demo", use_tools=False)
        program.window_app.conversation.start_new()
        await choose(program, "@something", "Say something short")
        await program.until(lambda: bool(program.window_app.conversation.conversation))

    program.play(play())


def test_every_action_of_the_menus_and_of_the_panels_is_there(program: Program) -> None:
    async def play() -> None:
        window_app = program.window_app
        await program.runtime.console.send("Say something short", model="callgate-demo", use_tools=False)
        await program.until(lambda: window_app.conversation.view.transcript.blocks and window_app.conversations.current)
        await program.until(lambda: not window_app.conversation.view.transcript.running)
        window_app.palette.come_up()
        titles = {entry.title for entry in window_app.palette._entries}
        for menu in window_app.window.menuBar().actions():
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
        window_app.palette.leave()

    program.play(play())


def test_a_verb_of_a_panel_is_run_from_anywhere(program: Program) -> None:
    async def play() -> None:
        window_app = program.window_app
        await program.runtime.console.send("Say something short", model="callgate-demo", use_tools=False)
        await program.until(lambda: window_app.conversations.current)
        await choose(program, ">pin conv", "Pin the conversation")
        await program.until(
            lambda: window_app.conversations.model.summary(window_app.conversations.current).marks.pinned
        )
        await choose(program, ">pin conv", "Unpin the conversation")
        await choose(program, "!conversations by agent", "Group conversations by agent")
        assert window_app.conversations.model.grouping == "agent"
        await choose(program, ">find in", "Find in the conversation")
        await program.until(window_app.conversation.find_bar.isVisible)

    program.play(play())


def test_settings_of_the_panels_and_of_the_tray_are_reached_too(program: Program) -> None:
    async def play() -> None:
        window_app = program.window_app
        await choose(program, "!do not disturb", "Notifications: do not disturb for 1 hour: on")
        assert window_app.tray.is_quiet
        await choose(program, "!do not disturb", "Notifications: do not disturb for 1 hour: off")
        assert not window_app.tray.is_quiet
        await choose(program, "!tools by tag", "Group tools by tag")
        assert window_app.tools.arrangement.by == "tag" and window_app.tools.bar.grouping.currentText() == "By tag"
        await choose(program, "!prices", "Edit the prices of models")
        assert window_app.traffic.price_editor is not None and window_app.traffic.price_editor.isVisible()
        window_app.traffic.price_editor.close()

    program.play(play())
