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
    reviewing,
    running,
    sample_invocation,
    skipped,
    timed_out,
    waiting,
)

from callgate.core.calls.invocation import Invocation
from callgate.core.rules.policy import Verdict
from callgate.engine.gate.verdict_preview import VerdictPreview
from callgate.ui.conversation.blocks import CallBlock
from callgate.ui.conversation.call_words import (
    BROKEN_OFF,
    EARLIER,
    clock_words,
    decided,
    foresight_words,
    look,
    timings,
)
from callgate.ui.theme.state_look import DENIED, FORMING

CALL = CallBlock(id="1", exchange_id="e", call_id="c", tool="x", written='{"a": "b')


def test_a_call_has_a_look_with_and_without_an_invocation() -> None:
    assert look(CALL) == FORMING
    assert look(replace(CALL, whole=True)) == EARLIER
    assert look(replace(CALL, broken_off=True)) == BROKEN_OFF
    assert look(replace(CALL, invocation=denied())) == DENIED


@pytest.mark.parametrize(
    ("seen", "words", "color"),
    [
        (VerdictPreview("allow", True, "allow read_*", "why"), "Will be allowed by rule: allow read_*", "completed"),
        (VerdictPreview("allow", False, "allow read_*", "why"), "So far allowed by rule: allow read_*", "completed"),
        (VerdictPreview("allow", True, "", "only observed"), "Will be allowed by setting: only observed", "completed"),
        (VerdictPreview("deny", True, "deny rm", "why"), "Will be denied by rule: deny rm", "denied"),
        (VerdictPreview("ask", True, "", "no rule matched"), "Will ask you", "waiting"),
        (VerdictPreview("ask", False, "ask run_*", "why"), "So far it would ask you: ask run_*", "waiting"),
    ],
)
def test_what_will_become_of_a_call_is_said_early(seen: VerdictPreview, words: str, color: str) -> None:
    assert foresight_words(seen) == (words, color)


def test_a_waiting_call_counts_up_and_down() -> None:
    assert clock_words(waiting(), NOON + 13) == "Auto-denies in 4:47"
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
        (timed_out(), "not decided in time"),
        (cancelled(), "the client went away"),
        (replace(cancelled(), decided_by="shutdown"), "Callgate was closed"),
        (replace(cancelled(), decided_by="person"), "stopped by you"),
        (replace(answered(), decided_by="rule"), "not run, without asking"),
        (replace(cancelled(), decided_by="provider"), "the model's answer broke off"),
        (running(), "allowed by rule"),
        (replace(running(), verdict=Verdict("allow", "why", "allow read_*")), "allowed by rule: allow read_*"),
        (replace(denied(), decided_by="setting", verdict=Verdict("deny", "off")), "denied by setting: off"),
    ],
)
def test_the_decider_is_named(invocation: Invocation, words: str) -> None:
    assert decided(invocation) == words


def test_a_review_is_not_told_as_the_rule_that_allowed() -> None:
    reviewed = reviewing()
    assert "reviewed" not in decided(replace(reviewed, decided_by="rule"))
