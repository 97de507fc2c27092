"""The keyboard: each chord means one thing, from every place of the program, and nothing in another program."""

import pytest
from tests.desktop.conftest import Other
from tests.desktop.program import DIALOG, QUEUE, Program

PLACES = {"tools": "ctrl+1", "conversations": "ctrl+2", "queue": "ctrl+4", "dialog": ""}
"""Where the keyboard is, and the key that brings it there."""


def go(program: Program, place: str) -> None:
    program.ready("approveButton", DIALOG)
    if place == "dialog":
        program.screen.activate(program.dialog)
        return
    program.front()
    program.screen.press(PLACES[place])
    if place == "queue":
        program.ready("approveButton", QUEUE)










def test_keys_for_another_program_stay_there_while_a_call_comes_up(program: Program, other: Other) -> None:
    other.front()
    asked, path = program.write()
    program.ready("approveButton", DIALOG)
    other.type("yes ")
    program.screen.press("ctrl+Return", "Return")
    other.type("y")
    assert asked.waits and not path.exists()






