"""A call is never out of sight: minimised, on another workspace, with another call up."""

from tests.desktop.program import DIALOG, DIALOG_TITLE, Program


def dialog_is_on_screen(program: Program) -> bool:
    return bool(program.screen.windows(program.pid, DIALOG_TITLE))


def test_a_call_comes_up_while_the_window_is_minimised(program: Program) -> None:
    program.screen.minimize(program.main)
    asked, path = program.write()
    program.screen.until(lambda: dialog_is_on_screen(program), "the dialog on the screen")
    program.front_dialog()
    program.activate("approveButton", DIALOG, ready=True)
    assert "Created" in asked.result
    assert path.exists()


def test_a_second_call_comes_up_though_the_window_was_minimised_under_the_dialog(program: Program) -> None:
    program.write()
    program.see(DIALOG)
    program.screen.minimize(program.main)
    program.write()
    program.screen.until(lambda: dialog_is_on_screen(program), "the dialog on the screen")
    program.see("nextCall", DIALOG)


def test_a_call_on_another_workspace_asks_for_attention(program: Program) -> None:
    program.screen.go_to_workspace(1)
    try:
        program.write()
        program.screen.until(lambda: program.screen.window(program.pid, DIALOG_TITLE) or None, "the dialog")

        def told() -> bool:
            windows = (program.main, program.screen.window(program.pid, DIALOG_TITLE))
            states = [program.screen.properties(window, "_NET_WM_STATE", "WM_HINTS") for window in windows]
            urgent = any("ATTENTION" in state or "urgency" in state for state in states)
            return urgent or "= 1" in program.screen.properties(windows[1], "_NET_WM_DESKTOP")

        program.screen.until(told, "a hint that a call waits")
    finally:
        program.screen.go_to_workspace(0)


def test_a_call_does_not_take_the_keyboard_from_another_program(program: Program, other: object) -> None:
    other.bring_to_front()  # type: ignore[attr-defined]
    asked, _ = program.write()
    program.ready("approveButton", DIALOG)
    assert program.screen.active_window() == "Other program"
    assert asked.waits
