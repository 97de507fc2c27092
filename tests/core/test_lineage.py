from callgate.core.lineage import START, extend, prefixes
from callgate.core.messages import Message, Reasoning, Text, ToolCall, ToolResult, say


def test_a_resent_history_extends_the_exchange_it_came_from() -> None:
    first = (say("system", "v1"), say("user", "hi"))
    answer = Message("assistant", (Reasoning("hm"), Text("Let me look. "), ToolCall("c1", "f", '{"a":1,"b":2}')))
    ended = extend(prefixes(first)[-1], answer)
    resent = (
        say("system", "v2: a header that changes"),
        say("user", " hi\n"),
        Message("assistant", (Text("Let me look."), ToolCall("other", "f", '{"b": 2, "a": 1}'))),
        Message("tool", (ToolResult("c1", (Text("ok"),)),)),
    )
    assert ended in prefixes(resent)


def test_other_words_are_another_conversation() -> None:
    assert prefixes([say("user", "hi")]) != prefixes([say("user", "ho")])
    assert prefixes([say("user", "hi")]) != prefixes([say("assistant", "hi")])


def test_empty_messages_and_system_prompts_do_not_count() -> None:
    assert prefixes([say("system", "x"), Message("assistant", ())]) == [START, START]


def test_results_count_by_call_and_text_whatever_the_role_that_carries_them() -> None:
    result = ToolResult("c1", (Text("42"),))
    assert prefixes([Message("tool", (result,))]) == prefixes([Message("user", (result,))])


def test_arguments_that_cannot_be_written_again_count_as_they_are() -> None:
    deep = '{"a":' * 300 + "1" + "}" * 300
    called = [Message("assistant", (ToolCall("c", "f", arguments),)) for arguments in (deep, f" {deep} ", "{half")]
    marks = [prefixes([message])[-1] for message in called]
    assert marks[0] == marks[1] != marks[2] != START
