"""Leaving while calls wait: the program asks, the agents get an answer, and the record says who ended the calls."""

from pathlib import Path

import pytest
from tests.desktop.program import DIALOG, Program

QUESTION = "leavingQuestion"


def quit_by(program: Program, way: str) -> None:
    program.front()
    if way == "key":
        program.screen.press("ctrl+q")
    else:
        program.screen.close_window(program.main)


@pytest.mark.parametrize("way", ["key", "title bar"])
def test_leaving_with_calls_asks_and_cancel_keeps_them(own_program: Program, way: str) -> None:
    asked = [own_program.write() for _ in range(2)]
    own_program.ready("approveButton", DIALOG)
    quit_by(own_program, way)
    own_program.click("cancelLeaving", QUESTION)
    own_program.front_dialog()
    own_program.click("approveButton", DIALOG)
    own_program.screen.until(lambda: any(path.exists() for _, path in asked), "one to run")
    assert sum(each.waits for each, _ in asked) >= 1


def test_deny_them_and_quit_answers_the_agents_and_ends(own_program: Program) -> None:
    asked = [own_program.write() for _ in range(2)]
    own_program.ready("approveButton", DIALOG)
    quit_by(own_program, "key")
    own_program.click("denyAndQuit", QUESTION)
    assert own_program.ended() == 0
    assert all(each.ended() and not path.exists() for each, path in asked)
    assert "leaving" in audit(own_program)


def test_quitting_with_nothing_waiting_asks_nothing(own_program: Program) -> None:
    quit_by(own_program, "key")
    assert own_program.ended() == 0


def test_the_dialog_closed_in_mid_edit_decides_nothing_and_the_call_can_be_decided_again(own_program: Program) -> None:
    asked, path = own_program.write()
    own_program.ready("editButton", DIALOG)
    own_program.front_dialog()
    own_program.activate("editButton", DIALOG)
    own_program.screen.find(own_program.pid, within=DIALOG, name="Revert")
    own_program.screen.close_window(own_program.dialog)
    own_program.screen.gone(own_program.pid, within=DIALOG)
    assert asked.waits and not path.exists()
    own_program.front()
    own_program.activate("waitingCount", "mainWindow")
    own_program.screen.until(lambda: asked.waits and own_program.sees("approveButton"), "a place to decide")


def audit(program: Program) -> str:
    command = str(Path(program.command).resolve())
    return program.screen.output(command, "audit", "export", "--data", str(program.data))
