"""Plain words about a call."""

from dataclasses import replace

import pytest
from tests.fakes.console import (
    NOON,
    cancelled,
    denied,
    released,
    reviewing,
    running,
    sample_tools,
    skipped,
    timed_out,
    waiting,
)

from callgate.core.events import InvocationChanged
from callgate.core.invocation import Invocation
from callgate.core.policy import TraceLine, Verdict
from callgate.core.tool import PERSON_SOURCE, Annotations, Tool
from callgate.ui.approvals.words import clock, ending, facts, headline, hints, trace, why

TOOLS = {tool.name: tool for tool in sample_tools()}


def test_the_headline_says_who_wants_what_with_nothing_hidden() -> None:
    assert headline(waiting()) == "claude-code wants to run run_command"
    assert headline(replace(waiting(), agent="a\u202eb")) == "a⟨U+202E RLO⟩b wants to run run_command"
    assert headline(replace(waiting(), tool="run_соmmand")).endswith("run_с⟨U+0441⟩о⟨U+043E⟩mmand"), "look-alikes too"
    assert "May the model see the result?" in headline(reviewing())


def test_facts_say_who_will_run_it() -> None:
    assert "Callgate will run it" in facts(waiting())
    assert "the agent will run it" in facts(waiting(owner="client"))


def test_a_question_to_a_person_is_not_said_to_run() -> None:
    asked = replace(waiting("ask_the_boss"), source=PERSON_SOURCE)
    assert headline(asked) == "claude-code asks you: ask_the_boss"
    assert "your answer is its result" in facts(asked) and "will run it" not in facts(asked)
    assert hints(asked, None) == ()
    assert why(asked) == "Asks because only a person can answer it."


def test_hints_are_worded_as_claims_of_the_tool() -> None:
    assert [hint.words for hint in hints(waiting(), TOOLS["run_command"])] == [
        "May overwrite or delete",
        "Reaches beyond this computer",
    ]
    assert hints(waiting(), TOOLS["read_file"])[0].words == "Says that it only reads"
    assert hints(waiting(), TOOLS["git_commit"])[0].weight == "mind"
    assert hints(waiting(), Tool("x", "y", annotations=Annotations(destructive=False)))[0].words == "Changes things"
    assert "Not in the catalog" in hints(waiting(), None)[0].words
    assert "own tool" in hints(waiting(owner="client"), None)[0].words


def test_a_call_that_would_leave_no_record_says_so_first_of_all() -> None:
    unrecorded = replace(waiting(), verdict=Verdict("ask", "no rule matched", grantable=False, unrecorded=True))
    first = hints(unrecorded, TOOLS["read_file"])[0]
    assert (first.words, first.weight) == (
        "The journal cannot be written: this call would leave no record",
        "danger",
    )


def test_a_sandbox_without_network_takes_back_that_a_tool_reaches_the_network() -> None:
    offline = replace(waiting(), wall="Sandbox: bubblewrap · writes only to the workspace · no network")
    assert [hint.words for hint in hints(offline, TOOLS["run_command"])] == ["May overwrite or delete"]
    online = replace(waiting(), wall="Sandbox: bubblewrap · writes only to the workspace · network allowed")
    assert "Reaches beyond this computer" in [hint.words for hint in hints(online, TOOLS["run_command"])]


def test_why_names_the_rule_and_the_trace_all_that_were_tried() -> None:
    assert why(waiting()) == "Asks because no rule covers this call."
    verdict = Verdict("ask", "rule: ask run_*", trace=(TraceLine("ask run_*", "matched"),))
    asked = replace(waiting(), verdict=verdict)
    assert why(asked) == "Asks because: rule: ask run_*"
    assert trace(asked) == "ask run_*  —  matched"
    lines = (TraceLine("allow Deploy", "suspended: the tool's definition has changed since"),)
    suspended = replace(waiting(), verdict=Verdict("ask", "no rule matched", trace=lines))
    assert "not defined any more as it was when you allowed it" in why(suspended)


@pytest.mark.parametrize(("seconds", "words"), [(-3, "0:00"), (9.9, "0:09"), (75, "1:15"), (3675, "1:01:15")])
def test_spans_are_told_as_a_clock(seconds: float, words: str) -> None:
    assert clock(seconds) == words


@pytest.mark.parametrize(
    ("invocation", "initiator", "words"),
    [
        (running("run_command"), "card", "run_command was approved in the conversation."),
        (released(), "engine", "approved"),
        (denied(), "queue", "run_command was denied in the queue."),
        (skipped(), "card", "skipped"),
        (timed_out(), "engine", "nobody decided in time"),
        (cancelled(), "engine", "was cancelled"),
    ],
)
def test_how_a_wait_ended_is_told(invocation: Invocation, initiator: str, words: str) -> None:
    assert words in ending(InvocationChanged(invocation, NOON, initiator))
