"""Leaving while calls wait: the program asks, the agents get an answer, and the record says who ended the calls."""

from pathlib import Path

import pytest
from tests.desktop.program import DIALOG, START_SECONDS, Program

QUESTION = "leavingQuestion"


def quit_by(program: Program, way: str) -> None:
    program.bring_to_front()
    if way == "key":
        program.screen.press("ctrl+q")
    else:
        program.screen.close_window(program.main)


@pytest.mark.parametrize("way", ["key", "title bar"])
def test_leaving_with_calls_asks_and_cancel_keeps_them(program: Program, way: str) -> None:
    asked = [program.write() for _ in range(2)]
    program.ready("approveButton", DIALOG)
    quit_by(program, way)
    program.click("cancelLeaving", QUESTION)
    program.front_dialog()
    program.click("approveButton", DIALOG)
    program.screen.until(lambda: any(path.exists() for _, path in asked), "one to run")
    assert sum(each.waits for each, _ in asked) >= 1


def test_deny_them_and_quit_answers_the_agents_and_ends(last_program: Program) -> None:
    asked = [last_program.write() for _ in range(2)]
    last_program.ready("approveButton", DIALOG)
    quit_by(last_program, "key")
    last_program.click("denyAndQuit", QUESTION)
    assert last_program.ended() == 0
    assert all(each.ended() and not path.exists() for each, path in asked)
    assert "leaving" in audit(last_program)


def test_quitting_with_nothing_waiting_asks_nothing(last_program: Program) -> None:
    quit_by(last_program, "key")
    assert last_program.ended() == 0


def test_the_dialog_closed_in_mid_edit_decides_nothing_and_the_call_can_be_decided_again(program: Program) -> None:
    asked, path = program.write()
    program.ready("editButton", DIALOG)
    program.front_dialog()
    program.activate("editButton", DIALOG)
    program.screen.find(program.pid, within=DIALOG, name="Revert")
    program.screen.close_window(program.dialog)
    program.screen.gone(program.pid, within=DIALOG)
    assert asked.waits and not path.exists()
    program.bring_to_front()
    program.activate("waitingCount", "mainWindow")
    program.click("approveButton", DIALOG)
    assert "Created" in asked.result


def audit(program: Program) -> str:
    command = str(Path(program.command).resolve())
    return program.screen.output(command, "audit", "export", "--data", str(program.data), seconds=START_SECONDS)
