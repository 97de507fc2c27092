"""What was lost between two wires, in words for clients."""

from callgate.proxy.warned import MOST_WARNED, in_one_line, in_the_answer


def test_warnings_fit_into_a_header_whatever_they_say() -> None:
    said = in_one_line(["one\r\nset-cookie: a=b", "zwei Umläute", "x" * 9000])
    assert said.startswith("one?set-cookie: a=b; zwei Uml?ute; xxx") and len(said) == MOST_WARNED


def test_where_the_header_has_gone_the_answer_itself_says_it() -> None:
    assert in_the_answer({"id": 1}, "openai-chat", ["a", "b"]) == {"id": 1, "callgate_warnings": "a; b"}
    assert in_the_answer({"id": 1}, "gemini", ["a"]) == {"id": 1, "callgateWarnings": "a"}
    assert in_the_answer({"id": 1}, "gemini", []) == {"id": 1}
