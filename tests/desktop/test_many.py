"""Many calls at once: each is decided by itself, or together with others that were looked at."""

from tests.desktop.program import DIALOG, QUEUE, Program

MANY = 40


def test_of_forty_that_wait_one_click_decides_one(own_program: Program) -> None:
    asked = [own_program.write() for _ in range(MANY)]
    own_program.screen.until(
        lambda: f"({MANY})" in own_program.screen.output("xdotool", "getwindowname", own_program.main), "forty to wait"
    )
    own_program.screen.find(own_program.pid, within=DIALOG, id="approvalPosition", name=f"of {MANY}")
    own_program.ready("approveButton", DIALOG)
    own_program.front_dialog()
    own_program.activate("approveButton", DIALOG)
    own_program.screen.find(own_program.pid, within=DIALOG, id="approvalPosition", name=f"of {MANY - 1}")
    assert sum(path.exists() for _, path in asked) == 1
    own_program.screen.until(lambda: sum(each.waits for each, _ in asked) == MANY - 1, "one agent to go on")


def test_bulk_approval_runs_what_was_looked_at_and_nothing_else(own_program: Program) -> None:
    asked = [own_program.ask("list_directory", path=".", agent=f"agent-{number}") for number in range(3)]
    own_program.see("nextCall", DIALOG)
    own_program.leave_dialog()
    own_program.front()
    own_program.queue()
    own_program.screen.find(own_program.pid, within=QUEUE, id="approveAllButton", name="(1)")
    rows = own_program.see("approvalQueue", QUEUE)
    own_program.screen.move(rows.box[0] + 60, rows.box[1] + 20)
    own_program.screen.click_here()
    own_program.screen.press("j")
    bulk = own_program.screen.find(own_program.pid, within=QUEUE, id="approveAllButton", name="(2)")
    own_program.screen.until(
        lambda: own_program.screen.seen(own_program.pid, within=QUEUE, id="approveAllButton")[0].enabled, "armed"
    )
    own_program.screen.click(bulk)
    own_program.screen.find(own_program.pid, within=QUEUE, id="approveAllButton", name="again")
    own_program.screen.wander(bulk)
    own_program.screen.click(bulk)
    own_program.screen.until(lambda: sum(each.waits for each in asked) == 1, "two of three to go on")


def test_twelve_alike_are_listed_and_approved_together_in_the_dialog(own_program: Program) -> None:
    asked = [own_program.ask("list_directory", path=".") for _ in range(12)]
    own_program.screen.find(own_program.pid, within=DIALOG, id="likeCallsButton", name="12")
    own_program.click("likeCallsButton", DIALOG)
    own_program.click("approveLikeButton", DIALOG)  # brings the end of the list into view
    approve = own_program.ready("approveLikeButton", DIALOG)
    own_program.screen.wander(approve)
    own_program.click("approveLikeButton", DIALOG)
    own_program.screen.until(lambda: not any(each.waits for each in asked), "all of them to go on")
