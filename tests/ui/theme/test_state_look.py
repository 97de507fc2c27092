from tests.fakes.console import completed, running, sample_invocation, timed_out

from callgate.core.calls.invocation import Settle, advance
from callgate.core.messages import ToolResult
from callgate.ui.theme.icons import ICONS
from callgate.ui.theme.state_look import ANSWERED, DONE, FAILED, RUNNING, TIMED_OUT, look_of
from callgate.ui.theme.tokens import Tokens


def test_a_result_that_is_an_error_looks_failed() -> None:
    assert look_of(completed(error=True)) == FAILED
    assert look_of(completed()) == DONE


def test_a_call_settled_by_a_person_without_running_was_answered() -> None:
    settled = advance(sample_invocation(), Settle(ToolResult("c"), "UserAction", "person"), 1.0)
    assert look_of(settled) == ANSWERED


def test_a_deadline_looks_other_than_a_stop() -> None:
    assert look_of(timed_out()) == TIMED_OUT


def test_colours_and_icons_exist() -> None:
    look = look_of(running())
    assert look == RUNNING
    assert look.color in Tokens.__slots__ and look.icon in ICONS
