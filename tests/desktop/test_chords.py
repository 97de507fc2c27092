"""The keyboard: each chord means one thing, from every place of the program, and nothing in another program."""

import pytest
from tests.desktop.conftest import Other
from tests.desktop.program import DIALOG, QUEUE, Program

PLACES = {"tools": "ctrl+1", "conversations": "ctrl+2", "queue": "", "dialog": ""}
"""Where the keyboard is, and the key that brings it there where a key does."""


def go(program: Program, place: str) -> None:
    program.ready("approveButton", DIALOG)
    if place == "dialog":
        program.front_dialog()
        return
    program.front()
    if place == "queue":
        program.queue()
        program.ready("approveButton", QUEUE)
    else:
        program.screen.press(PLACES[place])


@pytest.mark.parametrize("place", PLACES)
def test_ctrl_enter_approves_what_is_up(program: Program, place: str) -> None:
    asked = program.ask("list_directory", path=".")
    go(program, place)
    program.screen.press("ctrl+Return")
    assert "Error" not in asked.result


@pytest.mark.parametrize("place", PLACES)
def test_ctrl_backspace_denies_what_is_up(program: Program, place: str) -> None:
    asked = program.ask("list_directory", path=".")
    go(program, place)
    program.screen.press("ctrl+BackSpace")
    assert "denied" in asked.result.lower()


@pytest.mark.parametrize("place", ["dialog"])
def test_ctrl_e_edits_what_is_up_and_ctrl_enter_approves_it_edited(program: Program, place: str) -> None:
    asked, path = program.write()
    go(program, place)
    program.screen.press("ctrl+e")
    within = QUEUE if place == "queue" else DIALOG
    program.see("revertButton", within)
    program.screen.find(program.pid, within=within, role="text", focused=True, name="path")
    program.screen.press("ctrl+a")
    program.screen.type("edited.txt")
    program.screen.find(program.pid, within=within, name="Approve edited")
    program.screen.press("ctrl+Return")
    program.screen.find(program.pid, within=within, id="previewHeading", name="edited.txt")
    assert asked.waits  # another file than was shown: to be looked at first
    program.ready("approveButton", within)
    program.screen.press("ctrl+Return")
    assert "edited.txt" in asked.result
    assert not path.exists()
    (program.workspace / "edited.txt").unlink()


def test_ctrl_enter_sends_an_answer(program: Program) -> None:
    asked, path = program.write()
    go(program, "dialog")
    program.click("answerButton", DIALOG)
    program.see("answerText", DIALOG)
    program.screen.type("it is there")
    program.screen.press("ctrl+Return")
    assert asked.result == "it is there"
    assert not path.exists()


def test_keys_for_another_program_stay_there_while_a_call_comes_up(program: Program, other: Other) -> None:
    other.front()
    asked, path = program.write()
    program.ready("approveButton", DIALOG)
    other.type("yes ")
    program.screen.press("ctrl+Return", "Return")
    other.type("y")
    assert asked.waits and not path.exists()


def test_typing_that_falls_into_the_dialog_keeps_the_chord_from_approving(program: Program) -> None:
    asked, path = program.write()
    program.ready("approveButton", DIALOG)
    program.front_dialog()
    program.screen.type("hel")
    program.screen.press("ctrl+Return")
    program.ready("approveButton", DIALOG)
    assert asked.waits and not path.exists()
    program.click("approveButton", DIALOG)
    assert "Created" in asked.result


def test_ctrl_j_and_ctrl_shift_j_walk_through_what_waits(program: Program) -> None:
    first, first_path = program.write()
    program.ready("approveButton", DIALOG)
    second, second_path = program.write()
    program.see("nextCall", DIALOG)
    program.front()
    program.screen.press("ctrl+j")
    program.screen.find(program.pid, within=DIALOG, id="approvalPosition", name="2 of 2")
    program.screen.press("ctrl+shift+j")
    program.screen.find(program.pid, within=DIALOG, id="approvalPosition", name="1 of 2")
    program.screen.press("ctrl+j")
    program.screen.find(program.pid, within=DIALOG, id="approvalPosition", name="2 of 2")
    program.ready("approveButton", DIALOG)
    program.screen.press("ctrl+Return")
    assert "Created" in second.result
    assert first.waits and not first_path.exists()
    assert second_path.exists()


def test_f8_brings_up_the_oldest_that_waits(program: Program) -> None:
    asked, _ = program.write()
    program.see(DIALOG)
    program.leave_dialog()
    program.front()
    program.screen.press("F8")
    program.ready("approveButton", DIALOG)
    program.screen.press("ctrl+Return")
    assert "Created" in asked.result
