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
    program.bring_to_front()
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


@pytest.mark.parametrize("place", PLACES)
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
    assert asked.waits and not path.exists()  # another file than was shown: to be looked at first
    if place == "queue":
        return  # which shows the rest of it first, as in the case of walking
    approve(program, within)
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
    other.bring_to_front()
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


@pytest.mark.parametrize("place", PLACES)
def test_ctrl_j_and_back_walk_through_what_waits(program: Program, place: str) -> None:
    calls = [program.write() for _ in range(2)]
    program.screen.find(program.pid, within=DIALOG, id="approvalPosition", name="1 of 2")
    go(program, place)
    within = QUEUE if place == "queue" else DIALOG

    def shown(index: int) -> None:
        program.screen.find(program.pid, within=within, id="previewHeading", name=names[index])

    first = next(index for index, (_, path) in enumerate(calls) if heading(program, within).endswith(path.name))
    calls = calls[first:] + calls[:first]  # they came at once: either may be the older one
    names = [path.name for _, path in calls]
    back = ["ctrl+shift+j", "ctrl+k"] if place == "dialog" else ["ctrl+shift+j"]
    for chord in back:
        program.screen.press("ctrl+j")
        shown(1)
        program.screen.press(chord)
        shown(0)
    program.screen.press("ctrl+j")
    shown(1)
    approve(program, within)
    assert "Created" in calls[1][0].result
    assert calls[0][0].waits and not calls[0][1].exists()


def approve(program: Program, within: str) -> None:
    """By its chord, which first shows what did not fit."""
    if program.ready("approveButton", within).name == "Show the rest":
        program.screen.press("ctrl+Return")
        program.screen.find(program.pid, within=within, id="approveButton", name="Approve")
        program.ready("approveButton", within)
    program.screen.press("ctrl+Return")


def heading(program: Program, within: str) -> str:
    return program.see("previewHeading", within).name


def test_ctrl_k_opens_the_palette_in_the_main_window_also_while_calls_wait(program: Program) -> None:
    asked, _ = program.write()
    go(program, "tools")
    program.screen.press("ctrl+k")
    program.see("commandPalette")
    program.screen.press("Escape")
    program.screen.gone(program.pid, id="commandPalette")
    assert asked.waits


def test_f8_brings_up_the_oldest_that_waits(program: Program) -> None:
    asked, _ = program.write()
    program.see(DIALOG)
    program.leave_dialog()
    program.bring_to_front()
    program.screen.press("F8")
    program.ready("approveButton", DIALOG)
    program.screen.press("ctrl+Return")
    assert "Created" in asked.result
