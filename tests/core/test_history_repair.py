from callgate.core.history_repair import NO_RESULT, repaired
from callgate.core.messages import Message, Text, ToolCall, ToolResult, say

ASK, MORE = say("user", "go"), say("user", "more")


def calls(*ids: str) -> Message:
    return Message("assistant", tuple(ToolCall(id, "f", "{}") for id in ids))


def result(id: str, text: str = "done") -> Message:
    return Message("tool", (ToolResult(id, (Text(text),)),), extras={"kept": id})


def test_a_history_in_order_is_left_alone() -> None:
    history = (ASK, calls("a", "b"), result("b"), result("a"), MORE, calls("c"), result("c"))
    fixed = repaired(history)
    assert not fixed.repairs
    assert fixed.messages == (ASK, calls("a", "b"), result("a"), result("b"), MORE, calls("c"), result("c"))


def test_a_call_without_a_result_gets_an_error_that_claims_nothing() -> None:
    fixed = repaired((ASK, calls("a", "b"), result("a"), MORE))
    error = Message("tool", (ToolResult("b", (Text(NO_RESULT),), is_error=True, name="f"),))
    assert fixed.messages == (ASK, calls("a", "b"), result("a"), error, MORE)
    assert fixed.repairs == ("history: the call 'b' of f had no result; it was given an error",)


def test_a_result_that_came_late_is_moved_not_lost() -> None:
    fixed = repaired((ASK, calls("a"), MORE, result("a")))
    assert fixed.messages == (ASK, calls("a"), result("a"), MORE)
    assert fixed.repairs == ("history: the result of the call 'a' was moved behind its call",)


def test_a_result_of_no_call_and_a_second_one_are_left_out() -> None:
    fixed = repaired((ASK, result("x"), calls("a"), result("a"), result("a", "again"), MORE))
    assert fixed.messages == (ASK, calls("a"), result("a"), MORE)
    assert len(fixed.repairs) == 2
    assert all("answers no call" in repair for repair in fixed.repairs)


def test_an_id_that_is_used_again_has_its_own_result_each_time() -> None:
    history = (calls("a"), result("a", "one"), calls("a"), result("a", "two"), calls("a"))
    fixed = repaired(history)
    assert fixed.messages[:4] == history[:4]
    assert fixed.messages[5].results[0].is_error
    assert len(fixed.repairs) == 1


def test_results_that_may_come_any_time_or_from_the_provider_stay_where_they_are() -> None:
    built_in = Message("assistant", (ToolCall("s", "shell", "{}", "built_in"),))
    later = Message("assistant", (ToolCall("l", "f", "{}", extras={"async": True}),))
    hosted = Message("tool", (ToolResult("of the provider's", variant="built_in"),))
    history = (built_in, later, MORE, result("l"), hosted, calls("a"))
    fixed = repaired(history)
    assert fixed.messages[:6] == history
    assert len(fixed.repairs) == 1


def test_repairing_twice_changes_nothing_more() -> None:
    first = repaired((result("x"), ASK, calls("a", "b"), MORE, result("b"), calls("c")))
    again = repaired(first.messages)
    assert again.messages == first.messages
    assert not again.repairs
