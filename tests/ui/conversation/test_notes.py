"""What Callgate did is said where it made a difference, and only there."""

from dataclasses import replace

from tests.fakes.samples import answered, asked, completed, denied, released, running, skipped, timed_out, waiting

from callgate.core.calls.invocation import Allow, Return, Review, advance
from callgate.core.errors import Fault
from callgate.core.messages import Text, ToolResult
from callgate.core.rules.policy import Verdict
from callgate.core.tool import HostedTool, ToolSpec
from callgate.ui.conversation.notes import (
    failure,
    on_decision,
    on_finish,
    on_repairs,
    on_review,
    on_stopped,
    on_tools,
    on_trimmed,
)


def test_a_call_that_ran_as_written_needs_no_words() -> None:
    for invocation in (waiting(), running(), completed(), released()):
        assert on_decision(invocation) is None
        assert on_review(invocation) is None


def test_a_denial_says_who_and_why() -> None:
    remark = on_decision(denied(reason="wrong branch"))
    assert remark is not None
    assert remark.text == "You denied this call: wrong branch"
    by_rule = on_decision(replace(denied(), decided_by="rule"))
    assert by_rule is not None
    assert by_rule.text == "A rule denied this call"


def test_skipping_answering_and_running_out_of_time_are_told_apart() -> None:
    said = [on_decision(invocation) for invocation in (skipped(), answered(), timed_out())]
    assert [remark.note for remark in said if remark] == ["denied", "answered", "denied"]
    assert len({remark.text for remark in said if remark}) == 3


def test_edited_arguments_keep_what_the_model_wrote() -> None:
    edited = advance(waiting(arguments="{}"), Allow("UserAction", "person", arguments='{"a": 1}'), 5)
    remark = on_decision(edited)
    assert remark is not None
    assert (remark.note, remark.detail) == ("edited", "{}")


def test_a_changed_result_keeps_what_the_tool_returned() -> None:
    ran = ToolResult("c", (Text("secret"),))
    invocation = advance(waiting(), Allow("UserAction", "person"), 5)
    reviewing = advance(invocation, Return(ran, review=Verdict("ask", "a rule wants the result reviewed")), 6)
    kept, changed = advance(reviewing, Review(ran), 7), advance(reviewing, Review(ToolResult("c", (Text("…"),))), 7)
    assert on_review(kept) is None
    remark = on_review(changed)
    assert remark is not None
    assert remark.detail == "secret"
    assert asked().kind == "ask"


def test_added_and_removed_tools_are_counted_and_listed() -> None:
    offered = (ToolSpec("a"), ToolSpec("b"), HostedTool("anthropic", {"type": "web_search"}))
    assert on_tools(offered, offered) is None
    remark = on_tools(offered, (ToolSpec("b"), ToolSpec("c"), ToolSpec("d")))
    assert remark is not None
    assert remark.text == "Callgate added 2 tools and removed 1 tool"
    assert remark.detail.splitlines() == ["+ c", "+ d", "− a"]


def test_repairs_are_listed() -> None:
    assert on_repairs(()) is None
    remark = on_repairs(("no id", "no finish"))
    assert remark is not None
    assert "2 things" in remark.text


def test_only_endings_that_cut_something_off_are_mentioned() -> None:
    assert on_finish("stop") is on_finish("tool_calls") is on_finish(None) is None
    assert all(on_finish(reason) for reason in ("length", "content_filter", "pause"))


def test_a_failure_says_what_happened_and_what_to_do() -> None:
    title, message, advice = failure(Fault("authentication", "bad key", param="model"))
    assert title == "The provider did not accept the key"
    assert message == "bad key (field model)"
    assert advice
    assert failure(Fault("rate_limit", "slow down", retry_after=20))[2] == "Try again in 20 s."


def test_a_trimmed_result_is_marked_with_where_the_rest_is() -> None:
    text = "head\n[… about 1,200 of 9,000 tokens left out; all of it is in /tmp/x.txt …]\ntail"
    remark = on_trimmed(completed(result=text))
    assert remark is not None
    assert remark.text == "Callgate trimmed this result for the model: about 1,200 of 9,000 tokens left out"
    assert remark.detail == "all of it is in /tmp/x.txt"
    assert on_trimmed(completed(result="all of it")) is None


def test_a_stop_is_no_failure_and_says_who() -> None:
    assert on_stopped(Fault("permission", "stopped by the person")).text == (
        "Stopped before the answer was complete: you ended it."
    )
    assert on_stopped(Fault("upstream", "the client hung up")).text.endswith(": the client hung up.")
    assert on_stopped(None).text == "Stopped before the answer was complete."


def test_advice_that_the_provider_gave_is_not_given_twice() -> None:
    said = failure(Fault("rate_limit", "Slow down: try again in 20 s, please", retry_after=20))
    assert said[2] == ""
    assert failure(Fault("rate_limit", "Slow down", retry_after=20))[2] == "Try again in 20 s."
