"""A call is never out of sight: minimised, on another workspace, with another call up."""

from tests.desktop.program import DIALOG, DIALOG_TITLE, Program


def dialog_is_on_screen(program: Program) -> bool:
    return bool(program.screen.windows(program.pid, DIALOG_TITLE))


def test_a_call_comes_up_while_the_window_is_minimised(own_program: Program) -> None:
    own_program.screen.minimize(own_program.main)
    asked, path = own_program.write()
    own_program.screen.until(lambda: dialog_is_on_screen(own_program), "the dialog on the screen")
    own_program.front_dialog()
    own_program.activate("approveButton", DIALOG, ready=True)
    assert "Created" in asked.result
    assert path.exists()


def test_a_second_call_comes_up_though_the_window_was_minimised_under_the_dialog(own_program: Program) -> None:
    own_program.write()
    own_program.see(DIALOG)
    own_program.screen.minimize(own_program.main)
    own_program.write()
    own_program.screen.until(lambda: dialog_is_on_screen(own_program), "the dialog on the screen")
    own_program.see("nextCall", DIALOG)


def test_a_call_on_another_workspace_asks_for_attention(own_program: Program) -> None:
    own_program.screen.go_to_workspace(1)
    try:
        own_program.write()
        own_program.screen.until(lambda: own_program.screen.window(own_program.pid, DIALOG_TITLE) or None, "the dialog")

        def told() -> bool:
            windows = (own_program.main, own_program.screen.window(own_program.pid, DIALOG_TITLE))
            states = [own_program.screen.properties(window, "_NET_WM_STATE", "WM_HINTS") for window in windows]
            urgent = any("ATTENTION" in state or "urgency" in state for state in states)
            return urgent or "= 1" in own_program.screen.properties(windows[1], "_NET_WM_DESKTOP")

        own_program.screen.until(told, "a hint that a call waits")
    finally:
        own_program.screen.go_to_workspace(0)


def test_a_call_does_not_take_the_keyboard_from_another_program(program: Program, other: object) -> None:
    other.front()  # type: ignore[attr-defined]
    asked, _ = program.write()
    program.ready("approveButton", DIALOG)
    assert program.screen.active_window() == "Other program"
    assert asked.waits
