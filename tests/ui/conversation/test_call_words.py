"""A call card says how a call stands, who decided and what came back, without leaving anything out."""

from dataclasses import replace

import pytest
from tests.fakes.samples import (
    NOON,
    answered,
    cancelled,
    completed,
    denied,
    released,
    running,
    sample_invocation,
    skipped,
    timed_out,
    waiting,
)

from callgate.core.invocation import Invocation
from callgate.core.messages import Image, Text, ToolResult
from callgate.core.policy import Verdict
from callgate.ui.conversation.blocks import CallBlock
from callgate.ui.conversation.call_words import (
    BROKEN_OFF,
    EARLIER,
    arguments_text,
    clock_words,
    decided,
    look,
    result_text,
    timings,
)
from callgate.ui.state_look import DENIED, FORMING

CALL = CallBlock(id="1", exchange_id="e", call_id="c", tool="x", written='{"a": "b')


def test_a_call_has_a_look_with_and_without_an_invocation() -> None:
    assert look(CALL) == FORMING
    assert look(replace(CALL, whole=True)) == EARLIER
    assert look(replace(CALL, broken_off=True)) == BROKEN_OFF
    assert look(replace(CALL, invocation=denied())) == DENIED


def test_arguments_are_raw_while_they_form_and_laid_out_when_whole() -> None:
    assert arguments_text(CALL) == ('{"a": "b', False)
    nested = replace(CALL, whole=True, written='{"a": {"b": [1, 2]}, "text": "one\\ntwo"}')
    text, is_json = arguments_text(nested)
    assert is_json
    assert len(text.splitlines()) > 5
    short = replace(CALL, whole=True, written='{"path": "a.py"}')
    assert arguments_text(short) == ('{"path": "a.py"}', True)


def test_hidden_characters_are_visible_in_arguments_and_results() -> None:
    assert "U+202E" in arguments_text(replace(CALL, written="a\u202eb"))[0]
    assert "U+200B" in result_text(ToolResult("c", (Text("a\u200bb"),)))[0]


def test_no_letter_of_long_arguments_is_left_out() -> None:
    long = replace(CALL, whole=True, written='{"a": "' + "x" * 90_000 + '"}')
    assert arguments_text(long)[0].count("x") == 90_000


def test_a_result_is_laid_out_and_what_is_no_text_is_named() -> None:
    assert result_text(ToolResult("c", (Text('{"a": {"b": 1}, "c": [1, 2, 3], "' + "d" * 90 + '": 1}'),)))[1]
    text, is_json = result_text(ToolResult("c", (Text("plain"), Image("image/png", data="A" * 4000))))
    assert text == "plain\n[image/png · 3 KB]"
    assert not is_json
    assert result_text(ToolResult("c"))[0] == ""


def test_a_waiting_call_counts_up_and_down() -> None:
    assert clock_words(waiting(), NOON + 13) == "0:12 · denied in 4:47"
    assert clock_words(running(), NOON + 4) == "0:03"
    assert clock_words(completed(), NOON + 9) == clock_words(sample_invocation(), NOON) == ""


def test_a_finished_call_says_how_long_it_took() -> None:
    assert timings(completed()) == "waited 1.0 s · ran 1.0 s"
    assert timings(denied()) == "waited 1.0 s"
    assert timings(waiting()) == ""


@pytest.mark.parametrize(
    ("invocation", "words"),
    [
        (waiting(), ""),
        (completed(), "approved by you"),
        (replace(completed(), scope="session"), "approved by you for this session"),
        (denied(), "denied by you"),
        (skipped(), "skipped by you"),
        (answered(), "answered by you"),
        (released(), "approved by you"),
        (timed_out(), "nobody decided in time"),
        (cancelled(), "the client went away"),
        (replace(cancelled(), decided_by="shutdown"), "Callgate was closed"),
        (replace(cancelled(), decided_by="provider"), "the model's answer broke off"),
        (running(), "allowed by rule"),
        (replace(running(), verdict=Verdict("allow", "why", "allow read_*")), "allowed by rule: allow read_*"),
        (replace(denied(), decided_by="setting", verdict=Verdict("deny", "off")), "denied by setting: off"),
    ],
)
def test_the_decider_is_named(invocation: Invocation, words: str) -> None:
    assert decided(invocation) == words
