"""The whole path without a mouse, and without sight: names, roles, order, announcements, buttons pressed."""

from tests.desktop.program import DIALOG, Program

CONTROLS = {"push button", "check box", "combo box", "text", "radio button", "table", "tree"}


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
