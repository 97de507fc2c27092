"""The whole path without a mouse, and without sight: names, roles, order, announcements, buttons pressed."""

from tests.desktop.conftest import Other
from tests.desktop.program import DIALOG, HAND_SECONDS, Program

CONTROLS = {"push button", "check box", "combo box", "text", "radio button", "table", "tree"}
PRESSED = CONTROLS - {"text", "table", "tree"}


def test_every_control_of_the_dialog_has_a_name_and_a_role(program: Program) -> None:
    program.write()
    program.ready("approveButton", DIALOG)
    found = program.screen.seen(program.pid, within=DIALOG)
    assert found[0].name and found[0].role == "dialog"
    controls = [control for control in found if control.role in CONTROLS]
    assert len(controls) >= 10
    assert not [control for control in controls if not control.name]
    roles = {control.id: control.role for control in controls}
    assert roles["approveButton"] == roles["denyButton"] == roles["editButton"] == "push button"


def test_a_screen_reader_approves(program: Program) -> None:
    asked, path = program.write()
    program.ready("approveButton", DIALOG)
    program.activate("approveButton", DIALOG)
    assert "Created" in asked.result
    assert path.exists()


def test_a_screen_reader_denies_with_a_reason(program: Program) -> None:
    asked, path = program.write()
    program.ready("denyButton", DIALOG)
    program.front_dialog()
    program.activate("denyButton", DIALOG)
    program.see("denyReason", DIALOG, focused=True)
    program.screen.type("not now")
    program.screen.press("Return")
    assert "not now" in asked.result
    assert not path.exists()


def test_a_screen_reader_hears_of_each_new_call(program: Program, other: Other) -> None:
    other.bring_to_front()
    program.screen.forget_heard()
    first, _ = program.write()
    program.screen.hear("tester wants to run create_file")
    second, _ = program.write()
    program.screen.hear("tester wants to run create_file. 2 waiting")
    assert first.waits and second.waits


def test_tab_reaches_every_control_of_the_dialog(program: Program) -> None:
    program.write()
    program.ready("approveButton", DIALOG)
    program.front_dialog()
    wanted = {
        (control.id, control.name)
        for control in program.screen.seen(program.pid, within=DIALOG)
        if control.role in PRESSED and control.focusable and control.enabled
    }
    reached = [focused(program)]
    while len(reached) < 40 and (len(reached) == 1 or reached[-1] != reached[0]):
        reached.append(step(program, "Tab", reached[-1]))
        if reached[-1][0] == "textView":  # one of several: the arrows go on within
            reached += [now := step(program, "Right", reached[-1]), step(program, "Left", now)]
    assert len(wanted) >= 10
    assert wanted <= set(reached)
    assert ("argumentsText", "Arguments") in reached


def test_the_keyboard_alone_approves(program: Program) -> None:
    asked, path = program.write()
    tab_to(program, "approveButton")
    program.screen.press("space")
    assert "Created" in asked.result
    assert path.exists()


def test_the_keyboard_alone_denies_with_a_reason(program: Program) -> None:
    asked, path = program.write()
    tab_to(program, "denyButton")
    program.screen.press("space")
    program.see("denyReason", DIALOG, focused=True)
    program.screen.type("not now")
    program.screen.press("Return")
    assert "not now" in asked.result
    assert not path.exists()


def focused(program: Program) -> tuple[str, str]:
    """What has the keyboard in the dialog, by id and name."""
    found = program.screen.seen(program.pid, within=DIALOG, focused=True)
    return next(((one.id, one.name) for one in found if one.role in CONTROLS), ("", ""))


def step(program: Program, key: str, before: tuple[str, str]) -> tuple[str, str]:
    """A key that moves the keyboard, and where to."""
    program.screen.press(key)

    def moved() -> tuple[str, str] | None:
        now = focused(program)
        return now if now not in (before, ("", "")) else None

    return program.screen.until(moved, f"{key} to move on from {before}")


def tab_to(program: Program, name: str) -> None:
    """As a hand does that never leaves the keyboard."""
    program.ready("approveButton", DIALOG)
    program.screen.press("F8")
    program.screen.until(lambda: program.is_active(DIALOG), "F8 to bring the dialog to the front")
    now = focused(program)
    for _ in range(40):
        if now[0] == name:
            break
        now = step(program, "Tab", now)
    program.ready(name, DIALOG)
    program.screen.pause(HAND_SECONDS)  # a key that comes at once was on its way to another button
