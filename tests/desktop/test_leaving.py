"""Leaving while calls wait: the program asks, the agents get an answer, and the record says who ended the calls."""

from pathlib import Path

from tests.desktop.program import Program


def quit_by(program: Program, way: str) -> None:
    program.front()
    if way == "key":
        program.screen.press("ctrl+q")
    else:
        program.screen.close_window(program.main)


def test_quitting_with_nothing_waiting_asks_nothing(own_program: Program) -> None:
    quit_by(own_program, "key")
    assert own_program.ended() == 0


def audit(program: Program) -> str:
    command = str(Path(program.command).resolve())
    return program.screen.output(command, "audit", "export", "--data", str(program.data))
