"""The keyboard: each chord means one thing, from every place of the program, and nothing in another program."""

from tests.desktop.conftest import Other
from tests.desktop.program import DIALOG, Program


def test_keys_for_another_program_stay_there_while_a_call_comes_up(program: Program, other: Other) -> None:
    other.front()
    asked, path = program.write()
    program.ready("approveButton", DIALOG)
    other.type("yes ")
    program.screen.press("ctrl+Return", "Return")
    other.type("y")
    assert asked.waits and not path.exists()
