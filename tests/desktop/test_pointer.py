"""The mouse: one click decides where it was meant, and none does where it was not."""

import pytest
from tests.desktop.conftest import Other
from tests.desktop.program import CARD, DIALOG, QUEUE, Program


def up(program: Program, place: str) -> None:
    """The call that waits is up for decision there, and the program in front."""
    program.see(DIALOG)
    if place == CARD:
        program.leave_dialog()
    elif place == QUEUE:
        program.queue()
    program.bring_to_front()


def leave(program: Program, other: Other) -> None:
    """The other program is in front, and ours has noticed: Qt reports it a moment later."""
    other.bring_to_front()
    names = (DIALOG, "mainWindow")
    program.screen.until(
        lambda: not any(one.active for name in names for one in program.screen.seen(program.pid, within=name, id=name)),
        "no window of the program to be active",
    )


@pytest.mark.parametrize("place", [DIALOG, CARD, QUEUE])
def test_one_click_approves_with_the_program_in_front(program: Program, place: str) -> None:
    asked, path = program.write()
    up(program, place)
    if program.ready("approveButton", place).name == "Show the rest":  # the queue has less room than the others
        program.click("approveButton", place)
        program.screen.find(program.pid, within=place, id="approveButton", name="Approve")
    program.click("approveButton", place)
    assert "Created" in asked.result
    assert path.read_text("utf-8") == "one\n"


@pytest.mark.parametrize("place", [DIALOG, CARD])
def test_the_click_that_comes_from_another_program_does_not_decide(program: Program, other: Other, place: str) -> None:
    asked, path = program.write()
    up(program, place)
    approve = program.point_at("approveButton", place)
    leave(program, other)
    program.screen.click_here()
    program.see("decisionStatus", place)
    assert asked.waits and not path.exists()
    program.screen.wander(approve)
    program.click("approveButton", place)
    assert "Created" in asked.result


def test_a_click_soon_after_another_program_came_to_the_front_does_not_decide(program: Program, other: Other) -> None:
    """Sooner than Qt reports that the keyboard has left."""
    asked, path = program.write()
    up(program, DIALOG)
    for milliseconds in (0, 20, 40, 60, 80, 100, 120, 150):
        program.screen.wander(program.point_at("approveButton", DIALOG))
        program.screen.click_after(other.window, milliseconds)
        program.screen.until(lambda: program.is_active(DIALOG), "the click to bring the dialog to the front")
    program.screen.wander(program.point_at("approveButton", DIALOG))
    assert asked.waits and not path.exists()
    program.click("approveButton", DIALOG)
    assert "Created" in asked.result


def test_one_click_approves_each_time_that_the_pointer_comes_from_the_main_window(program: Program) -> None:
    asked = [program.write()[0] for _ in range(4)]
    program.screen.find(program.pid, within=DIALOG, id="approvalPosition", name="of 4")
    for left in (3, 2, 1, 0):
        program.bring_to_front()
        program.click("approveButton", DIALOG)
        program.screen.until(lambda left=left: sum(each.waits for each in asked) == left, f"{left} to be left")


@pytest.mark.parametrize("place", [DIALOG, CARD])
def test_the_click_on_deny_from_another_program_is_not_lost(program: Program, other: Other, place: str) -> None:
    asked, path = program.write()
    up(program, place)
    program.point_at("denyButton", place)
    leave(program, other)
    program.screen.click_here()
    program.see("denyReason", place)
    program.screen.type("not now")
    program.screen.press("Return")
    assert "not now" in asked.result
    assert not path.exists()


@pytest.mark.parametrize("place", [DIALOG, CARD, QUEUE])
def test_deny_a_reason_and_ctrl_enter_never_approve(program: Program, place: str) -> None:
    asked, path = program.write()
    up(program, place)
    program.click("denyButton", place)
    program.see("denyReason", place)
    program.screen.type("not now")
    program.screen.press("ctrl+Return")
    program.screen.type(" at all")
    program.screen.press("Return")
    assert "not now at all" in asked.result  # the chord did nothing in between
    assert not path.exists()


def test_deny_from_another_program_a_reason_and_ctrl_enter_never_approve(program: Program, other: Other) -> None:
    asked, path = program.write()
    program.point_at("denyButton", DIALOG)
    leave(program, other)
    program.screen.click_here()
    program.screen.type("not now")  # at once: the first letters may still go to the other program
    program.screen.press("ctrl+Return")
    program.see("denyReason", DIALOG)
    program.ready("denyButton", DIALOG)
    assert asked.waits and not path.exists()
    program.screen.type("!")
    program.screen.find(program.pid, within=DIALOG, id="denyReason", text="!")
    program.screen.press("Return")
    assert "denied" in asked.result.lower()
    assert not path.exists()


def test_shift_click_denies_at_once(program: Program) -> None:
    asked, path = program.write()
    up(program, DIALOG)
    program.click("denyButton", DIALOG, "shift")
    assert "denied" in asked.result.lower()
    assert not path.exists()


def test_a_double_click_decides_one_call_and_not_the_next(program: Program) -> None:
    first, _ = program.write()
    program.see(DIALOG)
    second, path = program.write()
    program.see("nextCall", DIALOG)
    program.front_dialog()
    program.screen.double_click(program.point_at("approveButton", DIALOG))
    assert "Created" in first.result
    program.see("approvalHeadline", DIALOG)
    program.ready("approveButton", DIALOG)  # armed for the second call: both presses are over
    assert second.waits and not path.exists()
    program.click("denyButton", DIALOG)
    program.screen.press("Return")
    assert "denied" in second.result.lower()


def test_a_call_that_slides_under_the_pointer_is_not_decided_by_the_click_under_way(program: Program) -> None:
    first, _ = program.write()
    program.see(DIALOG)
    second, path = program.write()
    program.see("nextCall", DIALOG)
    program.front_dialog()
    program.point_at("approveButton", DIALOG)
    first.hang_up()
    program.screen.until(lambda: not program.sees("nextCall", DIALOG), "the first call to go", picture=False)
    program.screen.click_here()
    program.ready("approveButton", DIALOG)
    assert second.waits and not path.exists()


def test_scrolling_and_tabs_decide_nothing(program: Program, other: Other) -> None:
    asked, path = program.write()
    tree = program.see("treeView", DIALOG)
    leave(program, other)
    program.screen.click(tree)
    program.see("argumentsTree", DIALOG)  # not swallowed, though it raised the window
    program.screen.click(program.see("argumentsTree", DIALOG), button=5)
    assert asked.waits and not path.exists()
