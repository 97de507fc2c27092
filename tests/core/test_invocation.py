from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.invocation import (
    TABLE,
    Allow,
    ArgumentsComplete,
    Ask,
    Cancel,
    IllegalStep,
    Invocation,
    Phase,
    Return,
    Review,
    Settle,
    Step,
    advance,
    denied_text,
)
from callgate.core.messages import Text, ToolResult
from callgate.core.policy import Verdict
from callgate.core.tool import Owner

RESULT = ToolResult("call_1", (Text("42"),))
ASKED = Verdict("ask", "no rule matched")
STEPS: list[Step] = [
    ArgumentsComplete("{}"),
    Ask(ASKED, 100.0),
    Allow("UserAction", "person"),
    Settle(RESULT, "Denied", "person"),
    Return(RESULT),
    Return(RESULT, review=ASKED),
    Review(RESULT),
    Cancel("client"),
]


def streaming(owner: Owner = "gate") -> Invocation:
    return Invocation(
        "inv_1", "exch_1", "conv_1", 1, 0, "call_1", "read_file", owner, "built-in", "script", "m",
        phases=(Phase("Streaming", 0.0),),
    )  # fmt: skip


def test_a_call_allowed_by_a_rule_never_waits() -> None:
    after = advance(streaming(), Allow("Setting", "rule"), 1.0)
    assert [phase.state for phase in after.phases] == ["Streaming", "Executing"]


def test_an_allowed_call_that_the_client_runs_is_released() -> None:
    assert advance(streaming("client"), Allow("UserAction", "person"), 1.0).state == "Released"


def test_a_denied_call_is_completed_with_the_denial_as_its_result() -> None:
    waiting = advance(streaming(), Ask(ASKED, 9.0), 1.0)
    denied = advance(waiting, Settle(RESULT, "Denied", "person", explanation="not now"), 2.0)
    assert (denied.state, denied.reason, denied.result, denied.refused) == ("Completed", "Denied", RESULT, True)


def test_edited_arguments_are_kept_beside_the_original() -> None:
    call = advance(streaming(), ArgumentsComplete('{"a":1}'), 1.0)
    edited = advance(call, Allow("UserAction", "person", arguments='{"a":2}'), 2.0)
    assert (edited.arguments, edited.effective_arguments) == ('{"a":1}', '{"a":2}')


def test_a_reviewed_result_replaces_what_the_tool_returned_and_keeps_it() -> None:
    running = advance(streaming(), Allow("UserAction", "person"), 1.0)
    held = advance(running, Return(RESULT, review=ASKED), 2.0)
    other = ToolResult("call_1", (Text("withheld"),))
    done = advance(held, Review(other), 3.0)
    assert (done.state, done.result, done.ran_result) == ("Completed", other, RESULT)


def test_time_in_a_state_adds_up() -> None:
    waiting = advance(streaming(), Ask(ASKED, 9.0), 1.0)
    running = advance(waiting, Allow("UserAction", "person"), 5.5)
    assert running.seconds_in("WaitingForConfirmation", 100.0) == 4.5
    assert running.seconds_in("Executing", 7.5) == 2.0


LEADS_TO: dict[tuple[str, str], str] = {
    ("Streaming", "arguments"): "Streaming",
    ("Streaming", "ask"): "WaitingForConfirmation",
    ("Streaming", "allow"): "runs",
    ("Streaming", "settle"): "Completed",
    ("Streaming", "cancel"): "Cancelled",
    ("WaitingForConfirmation", "allow"): "runs",
    ("WaitingForConfirmation", "settle"): "Completed",
    ("WaitingForConfirmation", "cancel"): "Cancelled",
    ("Executing", "return"): "Completed",
    ("Executing", "return for review"): "WaitingForPostApproval",
    ("Executing", "cancel"): "Cancelled",
    ("WaitingForPostApproval", "review"): "Completed",
    ("WaitingForPostApproval", "cancel"): "Cancelled",
}
"""The design, by hand: not read from the table that is under test. Every other pair is refused."""
RUNS = {"gate": "Executing", "client": "Released"}


def expected(state: str, step: Step, owner: Owner) -> str | None:
    kind = "return for review" if isinstance(step, Return) and step.review is not None else step.kind
    leads = LEADS_TO.get((state, kind))
    return RUNS[owner] if leads == "runs" else leads


@given(st.lists(st.sampled_from(STEPS), max_size=12), st.sampled_from(["gate", "client"]))
def test_no_path_reaches_running_without_a_decision_and_terminal_states_stay(steps: list[Step], owner: Owner) -> None:
    invocation = streaming(owner)
    for number, step in enumerate(steps, 1):
        before, leads = invocation, expected(invocation.state, step, owner)
        if leads is None:
            with pytest.raises(IllegalStep):
                advance(before, step, float(number))
            continue
        invocation = advance(before, step, float(number))
        assert invocation.state == leads
        if leads in RUNS.values():
            assert isinstance(step, Allow) and (invocation.decided_by, invocation.reason) == (step.by, step.reason)
        if leads != before.state:
            assert invocation.phases == (*before.phases, Phase(invocation.state, float(number)))
        if not invocation.is_live and isinstance(step, Settle | Return | Review):
            assert invocation.result is RESULT


@pytest.mark.parametrize("owner", ["gate", "client"])
def test_every_pair_of_state_and_step_is_as_designed(owner: Owner) -> None:
    """All of them, so that none is left to chance."""
    for state in TABLE:
        for step in STEPS:
            invocation = replace(streaming(owner), state=state)
            leads = expected(state, step, owner)
            if leads is None:
                with pytest.raises(IllegalStep):
                    advance(invocation, step, 1.0)
            else:
                assert advance(invocation, step, 1.0).state == leads


def test_a_denial_says_that_nothing_ran_why_and_that_it_is_final() -> None:
    text = denied_text("rm", "too dangerous", "the user")
    assert "not run" in text and "too dangerous" in text and "Do not retry" in text
