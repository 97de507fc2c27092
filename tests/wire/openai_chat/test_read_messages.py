"""Messages, and that calls and their results belong together."""

import pytest

from callgate.core.errors import BadRequest, Fault
from callgate.core.json.fields import Fields
from callgate.core.messages import Json, Message, Reasoning, Refusal, Text, ToolCall, ToolResult
from callgate.wire.openai_chat.read_messages import read_messages

USER: dict[str, Json] = {"role": "user", "content": "hi"}


def called(*ids: str) -> dict[str, Json]:
    calls: list[Json] = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for id in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(id: str, content: Json = "ok") -> dict[str, Json]:
    return {"role": "tool", "tool_call_id": id, "content": content}


def read(*messages: Json) -> tuple[Message, ...]:
    return read_messages(Fields({"messages": list(messages)}))


def fault(*messages: Json) -> Fault:
    with pytest.raises(BadRequest) as caught:
        read(*messages)
    assert caught.value.fault.http_status == 400
    return caught.value.fault


def test_roles_and_names_are_kept() -> None:
    messages = read({"role": "system", "content": "s"}, {"role": "developer", "content": "d"}, {**USER, "name": "ada"})
    assert [(message.role, message.text, message.name) for message in messages] == [
        ("system", "s", ""),
        ("developer", "d", ""),
        ("user", "hi", "ada"),
    ]


def test_an_assistant_turn_is_thoughts_words_refusal_and_calls() -> None:
    turn: dict[str, Json] = {**called("c"), "content": "w", "refusal": "r", "reasoning_content": "t"}
    parts = read(USER, turn, result("c"))[1].parts
    assert [type(part) for part in parts] == [Reasoning, Text, Refusal, ToolCall]


def test_extra_keys_of_client_libraries_are_kept() -> None:
    turn: dict[str, Json] = {**called("c"), "parsed": None, "audio": None, "function_call": None, "annotations": []}
    message = read(USER, turn, result("c"))[1]
    assert message.extras == {"parsed": None, "audio": None, "annotations": []}
    assert message.calls == (ToolCall("c", "f", "{}"),)


def test_arguments_that_come_as_an_object_are_text() -> None:
    call: dict[str, Json] = {"id": "c", "type": "function", "function": {"name": "f", "arguments": {"a": "ü"}}}
    assert read(USER, {"role": "assistant", "tool_calls": [call]}, result("c"))[1].calls[0].arguments == '{"a":"ü"}'


@pytest.mark.parametrize(
    ("content", "text"), [("ok", "ok"), (None, ""), ("", ""), ({"a": 1}, '{"a":1}'), (5, "5"), (False, "false")]
)
def test_results_of_sloppy_clients_are_text(content: Json, text: str) -> None:
    assert read(USER, called("c"), result("c", content))[2].results[0].text == text


def test_an_unknown_part_of_a_result_is_kept_as_text() -> None:
    parts = read(USER, called("c"), result("c", [{"type": "text", "text": "a"}, {"type": "novel", "x": 1}]))[2].results
    assert parts[0].parts == (Text("a"), Text('{"type":"novel","x":1}'))


def test_results_may_come_in_any_order_and_ids_may_return_in_later_turns() -> None:
    messages = read(USER, called("a", "b"), result("b"), result("a"), called("a"), result("a"), USER)
    assert [r.call_id for m in messages for r in m.results] == ["b", "a", "a"]


def test_two_calls_with_one_id_need_two_results() -> None:
    assert read(USER, called("a", "a"), result("a"), result("a"))
    assert "did not have response messages: a" in fault(USER, called("a", "a"), result("a"), USER).message


@pytest.mark.parametrize("bad", [None, [], "hi", {}])
def test_messages_must_be_a_list_with_something_in_it(bad: Json) -> None:
    with pytest.raises(BadRequest) as caught:
        read_messages(Fields({} if bad is None else {"messages": bad}))
    assert caught.value.fault.param == "messages"


@pytest.mark.parametrize(
    ("message", "param"),
    [
        (5, "messages[0]"),
        ({"content": "hi"}, "messages[0].role"),
        ({"role": 5, "content": "hi"}, "messages[0].role"),
        ({"role": "robot", "content": "hi"}, "messages[0].role"),
        ({"role": "user"}, "messages[0].content"),
        ({"role": "system", "content": None}, "messages[0].content"),
        ({"role": "user", "content": 5}, "messages[0].content"),
        ({"role": "user", "content": "hi", "name": 5}, "messages[0].name"),
        ({"role": "assistant", "tool_calls": {}}, "messages[0].tool_calls"),
        ({"role": "assistant", "tool_calls": [{"type": "function"}]}, "messages[0].tool_calls[0].id"),
        ({"role": "assistant", "tool_calls": [{"id": ""}]}, "messages[0].tool_calls[0].id"),
        ({"role": "assistant", "tool_calls": [{"id": "c", "type": "x"}]}, "messages[0].tool_calls[0].type"),
        ({"role": "assistant", "tool_calls": [{"id": "c"}]}, "messages[0].tool_calls[0].function"),
        (
            {"role": "assistant", "tool_calls": [{"id": "c", "function": {"arguments": "{}"}}]},
            "messages[0].tool_calls[0].function.name",
        ),
        (
            {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": 5}}]},
            "messages[0].tool_calls[0].function.arguments",
        ),
    ],
)
def test_a_malformed_message_is_refused_by_field(message: Json, param: str) -> None:
    assert fault(message).param == param


def test_a_result_without_an_id_is_refused() -> None:
    assert fault(USER, called("c"), {"role": "tool", "content": "ok"}).param == "messages[2].tool_call_id"


def test_a_result_without_a_call_is_refused_in_the_providers_words() -> None:
    problem = fault(USER, result("c"))
    assert problem.message == (
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
    )
    assert problem.param == "messages.[1].role"
    assert fault(USER, called("c"), result("c"), USER, result("c")).param == "messages.[4].role"


def test_a_result_of_an_unknown_call_is_refused() -> None:
    problem = fault(USER, called("c"), result("other"))
    assert "'other' not found" in problem.message
    assert problem.param == "messages[2].tool_call_id"


@pytest.mark.parametrize("after", [[USER], [], [{"role": "assistant", "content": "so"}]])
def test_a_call_without_a_result_is_refused_in_the_providers_words(after: list[Json]) -> None:
    problem = fault(USER, called("call_x", "call_y"), result("call_x"), *after)
    assert problem.message == (
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
        "The following tool_call_ids did not have response messages: call_y"
    )
    assert problem.param == "messages[1].tool_calls"


def test_an_old_call_and_its_result_share_an_id_that_does_not_change() -> None:
    history: list[Json] = [
        USER,
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "one"},
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "two"},
    ]
    first, again = read(*history), read(*history)
    ids = [call.id for message in first for call in message.calls]
    assert [r.call_id for message in first for r in message.results] == ids
    assert ids[0] != ids[1]
    assert first == again


def test_an_old_result_without_its_call_is_refused() -> None:
    assert fault(USER, {"role": "function", "name": "f", "content": "x"}).param == "messages[1].role"


def test_thoughts_and_their_proofs_are_read_under_all_their_names() -> None:
    details: list[Json] = [{"type": "reasoning.encrypted", "data": "x"}]
    turn = read({"role": "assistant", "content": "a", "reasoning": "why", "reasoning_details": details})[0]
    thought = turn.parts[0]
    assert isinstance(thought, Reasoning)
    assert (thought.text, thought.signature) == ("why", '[{"type":"reasoning.encrypted","data":"x"}]')


def test_geminis_proof_of_a_call_is_read_where_google_puts_it() -> None:
    turn = called("c")
    turn["tool_calls"][0]["extra_content"] = {"google": {"thought_signature": "sig"}}  # type: ignore[index]
    call = read(USER, turn, result("c"))[1].calls[0]
    assert (call.signature, call.wire) == ("sig", "gemini")
    assert isinstance(read(USER, turn, result("c"))[2].parts[0], ToolResult)
