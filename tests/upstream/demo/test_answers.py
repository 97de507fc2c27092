import pytest
from tests.fakes.demo_tools import TOOLS

from callgate.core.calls.invocation import denied_text, skipped_text, timed_out_text
from callgate.upstream.demo.answers import INTRODUCTION, Made, after_calls, before_calls, is_refusal, without_calls
from callgate.upstream.demo.intents import choose


@pytest.mark.parametrize(
    "result",
    [
        denied_text("run_command", "too risky", "the user"),
        denied_text("run_command", "", "a rule"),
        skipped_text("run_command"),
        timed_out_text("run_command", 300),
        "Error: The user denied this request.",
        "Tool use rejected",
        "The user doesn't want to proceed with this tool use.",
    ],
)
def test_every_kind_of_refusal_is_recognised(result: str) -> None:
    assert is_refusal(result)


@pytest.mark.parametrize("result", ["cat: x: Permission denied", "The user guide\nThe user denied it.", "Done."])
def test_a_result_that_only_speaks_of_refusals_is_none(result: str) -> None:
    assert not is_refusal(result)


def test_the_demo_is_named_in_the_first_answer_only() -> None:
    assert INTRODUCTION in before_calls(["read_file"], first=True, more=False)
    assert before_calls(["read_file"], first=False, more=True) == "Next I call `read_file`."
    assert "`get_weather` 2 times" in before_calls(["get_weather", "get_weather"], first=True, more=False)
    assert INTRODUCTION in without_calls("x", [], [], first=True, offered=False)
    assert INTRODUCTION not in without_calls("x", [], [], first=False, offered=False)


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("Sunny, 21 °C", "`f` (Paris) says: Sunny, 21 °C"),
        ('{"temp": 21, "sky": "blue"}', "`f` (Paris) says:\n- temp: 21\n- sky: blue"),
        ("", "`f` (Paris) ran and returned nothing."),
        ("Error: no such city\nmore", "`f` (Paris) failed: no such city"),
        ("a\nb", "`f` (Paris) gave 2 lines:\n```\na\nb\n```"),
        ("{broken", "`f` (Paris) says: {broken"),
    ],
)
def test_a_result_is_told_by_its_shape(result: str, told: str) -> None:
    assert after_calls([Made("f", '{"city":"Paris"}', result)], ()) == told


def test_a_long_result_is_cut_and_counted() -> None:
    told = after_calls([Made("f", "{}", "line\n" * 500)], ())
    assert "500 lines; they begin with:" in told
    assert len(told) < 800


def test_a_result_with_a_fence_cannot_break_out_of_its_own() -> None:
    assert after_calls([Made("f", "{}", "```\ncode\n```")], ()).count("````") == 2


def test_a_refusal_is_told_with_its_reason_and_respected() -> None:
    told = after_calls([Made("run_command", '{"command":"rm -r /"}', denied_text("run_command", "no!", "you"))], ())
    assert told.startswith("`run_command` (rm -r /) was not run: denied by you (“no!”).")
    assert "I leave it at that" in told


def test_a_wish_that_lacks_something_becomes_a_question() -> None:
    told = without_calls("Read it", TOOLS, choose("Read it", TOOLS), first=False, offered=True)
    assert told == ("I would call `read_file`, but you did not say its `path`. For example: “What does README.md say?”")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("What are rules?", "Deny beats ask"),
        ("How do I connect my agent?", "127.0.0.1:8080"),
        ("How do approvals work?", "stops at the gate"),
        ("Can I use a real model?", "[[upstreams]]"),
        ("What about MCP servers?", "/mcp"),
        ("hi", "No tools came with this request"),
    ],
)
def test_questions_about_callgate_are_answered(words: str, told: str) -> None:
    assert told in without_calls(words, [], [], first=True, offered=False)


def test_what_to_try_is_suggested_by_the_tools_offered() -> None:
    assert "“What does README.md say?”" in without_calls("hi", TOOLS, [], first=True, offered=True)
    assert "forbids me to call tools" in without_calls("hi", [], [], first=True, offered=True)
