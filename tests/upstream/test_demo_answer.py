import pytest
from tests.fakes.demo_tools import TOOLS, offered

from callgate.core.invocation import denied_text, skipped_text, timed_out_text
from callgate.core.messages import Json
from callgate.upstream.demo_answer import INTRODUCTION, after_calls, before_calls, is_refusal, without_calls
from callgate.upstream.demo_choice import choose
from callgate.upstream.demo_task import Task, read_task


def task(words: str, *results: tuple[str, str, str], **more: Json) -> Task:
    messages: list[Json] = [{"role": "user", "content": words}]
    for index, (name, arguments, result) in enumerate(results):
        call: Json = {"id": f"c{index}", "type": "function", "function": {"name": name, "arguments": arguments}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{index}", "content": result})
    return read_task({"model": "m", "messages": messages, **more})


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
    assert INTRODUCTION in before_calls(task("x"), ["read_file"])
    assert INTRODUCTION not in before_calls(task("x", ("f", "{}", "y")), ["read_file"])
    assert "`get_weather` twice" in before_calls(task("x"), ["get_weather", "get_weather"])
    assert INTRODUCTION in without_calls(task("x"), (), ())


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("Sunny, 21 °C", "`f` (Paris) says: Sunny, 21 °C"),
        ('{"temp": 21, "dry": true}', "`f` (Paris) says:\n- temp: 21\n- dry: yes"),
        ('["a", "b"]', "`f` (Paris) gave 2 items: a and b."),
        ("[]", "`f` (Paris) gave an empty list."),
        ("", "`f` (Paris) ran and returned nothing."),
        ("Error: no such city\nmore", "`f` (Paris) failed: no such city"),
        ("a\nb", "`f` (Paris) gave 2 lines:\n```\na\nb\n```"),
        ("{broken", "`f` (Paris) says: {broken"),
    ],
)
def test_a_result_is_told_by_its_shape(result: str, told: str) -> None:
    assert after_calls(task("x", ("f", '{"city":"Paris"}', result)), ()) == told


def test_a_long_result_is_cut_and_counted() -> None:
    told = after_calls(task("x", ("f", "{}", "line\n" * 500)), ())
    assert "500 lines; they begin with:" in told
    assert len(told) < 800


def test_a_result_with_a_fence_cannot_break_out_of_its_own() -> None:
    told = after_calls(task("x", ("f", "{}", "```\ncode\n```")), ())
    assert told.count("````") == 2


def test_a_refusal_is_told_with_its_reason_and_respected() -> None:
    told = after_calls(
        task("x", ("run_command", '{"command":"rm -r /"}', denied_text("run_command", "no!", "you"))), ()
    )
    assert told.startswith("`run_command` (rm -r /) was not run: denied by you (“no!”).")
    assert "I leave it at that" in told


def test_a_wish_that_lacks_something_becomes_a_question() -> None:
    told = without_calls(task("Read it", tools=offered()), TOOLS, choose("Read it", TOOLS))
    assert "I would call `read_file`, but you did not say its `path`" in told


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
    assert told in without_calls(task(words), (), ())


def test_offered_tools_are_suggested() -> None:
    assert "“What does README.md say?”" in without_calls(task("hi", tools=offered()), TOOLS, ())
    forbidden = task("hi", tools=offered(), tool_choice="none")
    assert "forbids me to call tools" in without_calls(forbidden, TOOLS, ())
