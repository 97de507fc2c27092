"""Many calls at once: each is decided by itself, or together with others that were looked at."""

from tests.desktop.program import DIALOG, QUEUE, Program

MANY = 40


def test_of_forty_that_wait_one_click_decides_one(program: Program) -> None:
    asked = [program.write() for _ in range(MANY)]
    program.screen.until(
        lambda: f"({MANY})" in program.screen.output("xdotool", "getwindowname", program.main), "forty to wait"
    )
    program.screen.find(program.pid, within=DIALOG, id="approvalPosition", name=f"of {MANY}")
    program.ready("approveButton", DIALOG)
    program.front_dialog()
    program.activate("approveButton", DIALOG)
    program.screen.find(program.pid, within=DIALOG, id="approvalPosition", name=f"of {MANY - 1}")
    assert sum(path.exists() for _, path in asked) == 1
    program.screen.until(lambda: sum(each.waits for each, _ in asked) == MANY - 1, "one agent to go on")


def test_bulk_approval_runs_what_was_looked_at_and_nothing_else(program: Program) -> None:
    asked = [program.ask("list_directory", path=".", agent=f"agent-{number}") for number in range(3)]
    program.see("nextCall", DIALOG)
    program.leave_dialog()
    program.bring_to_front()
    program.queue()
    program.screen.find(program.pid, within=QUEUE, id="approveAllButton", name="(1)")
    rows = program.see("approvalQueue", QUEUE)
    program.screen.move(rows.box[0] + 60, rows.box[1] + 20)
    program.screen.click_here()
    program.screen.press("j")
    bulk = program.screen.find(program.pid, within=QUEUE, id="approveAllButton", name="(2)")
    program.screen.until(
        lambda: program.screen.seen(program.pid, within=QUEUE, id="approveAllButton")[0].enabled, "armed"
    )
    program.screen.click(bulk)
    program.screen.find(program.pid, within=QUEUE, id="approveAllButton", name="again")
    program.screen.wander(bulk)
    program.screen.click(bulk)
    program.screen.until(lambda: sum(each.waits for each in asked) == 1, "two of three to go on")


def test_twelve_alike_are_listed_and_approved_together_in_the_dialog(program: Program) -> None:
    asked = [program.ask("list_directory", path=".") for _ in range(12)]
    program.screen.find(program.pid, within=DIALOG, id="likeCallsButton", name="12")
    program.click("likeCallsButton", DIALOG)
    program.click("approveLikeButton", DIALOG)  # brings the end of the list into view
    approve = program.ready("approveLikeButton", DIALOG)
    program.screen.wander(approve)
    program.click("approveLikeButton", DIALOG)
    program.screen.until(lambda: not any(each.waits for each in asked), "all of them to go on")
