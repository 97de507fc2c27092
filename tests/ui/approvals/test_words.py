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

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.tool_facts import ToolFacts, facts_of
from callgate.core.events import InvocationChanged
from callgate.core.rules.policy import TraceLine, Verdict
from callgate.core.tool import PERSON_SOURCE, Tool
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
    assert facts(waiting(owner="client")).startswith("the agent's own tool")


def test_a_question_to_a_person_is_not_said_to_run() -> None:
    asked = replace(waiting("ask_the_boss"), source=PERSON_SOURCE)
    assert headline(asked) == "claude-code asks you: ask_the_boss"
    assert "your answer is its result" in facts(asked) and "will run it" not in facts(asked)
    assert hints(asked, ToolFacts()) == ()
    assert why(asked) == "Only a person can answer it."


def shown(invocation: Invocation, tool: Tool | None = None) -> list[str]:
    return [hint.words for hint in hints(invocation, facts_of(invocation, tool, None, invocation.preview))]


def test_hints_say_what_is_declared_observed_and_unknown() -> None:
    assert shown(waiting(), TOOLS["run_command"]) == ["Declared destructive", "Declared to reach other systems"]
    assert shown(waiting("read_file"), TOOLS["read_file"]) == ["Declared read-only"]
    assert shown(waiting("git_commit"), TOOLS["git_commit"]) == ["Unknown whether it changes anything"]
    assert "not in the catalog" in shown(waiting())[0]
    assert shown(waiting(owner="client")) == ["Unknown: runs in the agent, where Callgate cannot see it"]
    assert shown(reviewing(), TOOLS["read_file"]) == [], "it has run"


def test_a_call_that_would_leave_no_record_says_so_first_of_all() -> None:
    unrecorded = replace(waiting(), verdict=Verdict("ask", "no rule matched", grantable=False, unrecorded=True))
    first = hints(unrecorded, ToolFacts())[0]
    assert (first.words, first.weight) == (
        "The journal cannot be written: this call would leave no record",
        "danger",
    )


def test_why_names_the_rule_and_the_trace_all_that_were_tried() -> None:
    assert why(waiting()) == "No rule matches, so you decide."
    verdict = Verdict("ask", "rule: ask run_*", trace=(TraceLine("ask run_*", "matched"),))
    asked = replace(waiting(), verdict=verdict)
    assert why(asked) == "You decide: rule: ask run_*"
    assert trace(asked) == "ask run_*  —  matched"
    lines = (TraceLine("allow Deploy", "suspended: the tool's definition has changed since"),)
    suspended = replace(waiting(), verdict=Verdict("ask", "no rule matched", trace=lines))
    assert "definition has changed since you allowed it" in why(suspended)


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
        (timed_out(), "engine", "not decided in time, so it was denied"),
        (cancelled(), "engine", "was cancelled"),
    ],
)
def test_how_a_wait_ended_is_told(invocation: Invocation, initiator: str, words: str) -> None:
    assert words in ending(InvocationChanged(invocation, NOON, initiator))
