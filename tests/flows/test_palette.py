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
