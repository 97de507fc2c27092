"""What a client gets of a settled reply, and what the model is told of it."""

from dataclasses import replace

import pytest

from callgate.core.calls.invocation import Invocation
from callgate.core.deltas import ArgumentsDelta, CallEnded, CallStarted, Delta, Finished, TextDelta
from callgate.core.errors import PeerFault
from callgate.core.messages import CallVariant, Message, Text, ToolCall, ToolResult
from callgate.engine.exchange.delta_renumbering import DeltaRenumbering
from callgate.engine.exchange.round_calls import RoundCalls
from callgate.engine.exchange.verdict_filter import VerdictFilter

TURN = Message("assistant", (Text("so"), ToolCall("call_1", "a", "{}"), ToolCall("call_2", "b", "{}")))
REPLY: list[Delta] = [
    TextDelta(0, "so"),
    CallStarted(1, "call_1", "a"),
    ArgumentsDelta(1, "{}"),
    CallEnded(1, "{}", signature="proof", wire="gemini"),
    CallStarted(2, "call_2", "b"),
    ArgumentsDelta(2, "{}"),
    CallEnded(2, "{}"),
    Finished("tool_calls"),
]


def invocation(number: int, tool: str = "f", variant: CallVariant = "function") -> Invocation:
    return Invocation(
        f"inv_{number}", "e", "c", 1, number, f"call_{number}", tool, "client", "client", "a", "m",
        "Released", variant=variant,
    )  # fmt: skip


def refused(number: int, tool: str = "f", variant: CallVariant = "function") -> Invocation:
    result = ToolResult(f"call_{number}", (Text(f"{tool} was denied"),), True, tool, variant)
    return replace(invocation(number, tool, variant), state="Completed", result=result)


def release(*settled: Invocation, can_ask_again: bool = True, paused: bool = False) -> VerdictFilter:
    keys = {(0, one.part): one.id for one in settled}
    calls = RoundCalls(invocations=keys, settled={(0, one.part): one for one in settled}, passing=set(keys))
    return VerdictFilter(calls, DeltaRenumbering(), can_ask_again=can_ask_again, paused=paused)


def rewritten(found: VerdictFilter) -> list[Delta]:
    return [out for delta in REPLY for out in found.rewritten(delta)]


def test_a_reply_whose_calls_were_all_approved_goes_as_it_came() -> None:
    found = release(invocation(1), invocation(2))
    assert found.is_whole and found.finishes and found.results() == ()
    assert found.said(TURN) == TURN


def test_a_refused_call_is_left_out_and_told_to_the_model() -> None:
    found = release(invocation(1), refused(2))
    assert not found.is_whole and found.finishes
    assert [type(delta) for delta in rewritten(found)] == [TextDelta, CallStarted, ArgumentsDelta, CallEnded, Finished]
    assert [result.call_id for result in found.results()] == ["call_2"]
    assert found.said(TURN) == TURN


def test_when_nothing_is_left_to_run_the_model_is_asked_again() -> None:
    found = release(refused(1), refused(2))
    assert not found.finishes and found.asks_again
    assert [type(delta) for delta in rewritten(found)] == [TextDelta]


def test_an_edited_call_is_told_as_it_was_edited_and_loses_its_proof() -> None:
    found = release(replace(invocation(1), edited_arguments='{"x":1}'), invocation(2))
    assert not found.is_whole
    grown = [delta for delta in rewritten(found) if isinstance(delta, ArgumentsDelta | CallEnded) and delta.part == 1]
    assert grown == [ArgumentsDelta(1, '{"x":1}'), CallEnded(1, '{"x":1}')]
    assert [call.arguments for call in found.said(TURN).calls] == ['{"x":1}', "{}"]


@pytest.mark.parametrize(
    "found",
    [
        release(refused(1, "a"), refused(2, "b"), can_ask_again=False),
        release(refused(1, "a"), refused(2, "computer", "built_in")),
    ],
    ids=["a history kept elsewhere", "an answer that only a picture can be"],
)
def test_where_the_model_cannot_be_told_the_client_is(found: VerdictFilter) -> None:
    assert found.finishes and not found.asks_again and found.results() == ()
    note, finish = rewritten(found)[-2:]
    assert isinstance(note, TextDelta) and note.text.count("was denied") == 2
    assert finish == Finished("stop")
    said = found.said(TURN)
    assert said.calls == (), "nobody will ever answer them"
    assert "was denied" in said.text


def test_a_shell_can_be_told_in_words() -> None:
    assert release(refused(1, "shell", "built_in")).asks_again


def test_a_pause_never_finishes() -> None:
    assert not release(invocation(1), paused=True).finishes


def test_a_call_that_ended_without_any_result_cannot_be_told() -> None:
    with pytest.raises(PeerFault, match="was cancelled"):
        release(replace(refused(1), state="Cancelled", result=None)).results()
