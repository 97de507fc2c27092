"""Messages of any wire, put where this one takes them."""

from callgate.core.messages import (
    File,
    Image,
    Json,
    Message,
    Opaque,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    ToolResult,
    say,
)
from callgate.core.request import ChatRequest, WireName
from callgate.wire.dialects import DIALECTS, PLAIN, Dialect
from callgate.wire.openai_chat.write_messages import call_id, write_messages

PICTURE = Image("image/png", "AAAA")
WRITTEN_PICTURE: dict[str, Json] = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def write(
    *messages: Message,
    wire: WireName = "anthropic",
    dialect: Dialect = PLAIN,
    warnings: list[str] | None = None,
) -> list[Json]:
    return write_messages(ChatRequest(wire, "m", messages), dialect, [] if warnings is None else warnings)


def test_blocks_of_a_system_prompt_become_one_text() -> None:
    system = Message("system", (Text("a"), Text("b", {"cache_control": {}})))
    assert write(system) == [{"role": "system", "content": "a\n\nb"}]
    assert write(Message("system", (Text(""),)), say("user", "q")) == [{"role": "user", "content": "q"}]


def test_developers_are_the_system_where_the_role_is_unknown() -> None:
    assert write(say("developer", "d"), wire="openai-chat") == [{"role": "developer", "content": "d"}]
    assert write(say("developer", "d"), wire="openai-chat", dialect=DIALECTS["vllm"]) == [
        {"role": "system", "content": "d"}
    ]


def test_results_inside_a_user_message_come_first_each_in_its_own() -> None:
    results = Message("user", (ToolResult("1", (Text("x"),)), ToolResult("2"), Text("and?")))
    assert write(results) == [
        {"role": "tool", "tool_call_id": "1", "content": "x"},
        {"role": "tool", "tool_call_id": "2", "content": ""},
        {"role": "user", "content": "and?"},
    ]


def test_pictures_in_results_follow_the_last_result() -> None:
    written = write(
        Message("tool", (ToolResult("1", (Text("see"), PICTURE)),)),
        Message("tool", (ToolResult("2", (PICTURE,)),)),
        say("user", "so?"),
    )
    assert [message["role"] for message in written] == ["tool", "tool", "user", "user"]  # type: ignore[index,call-overload]
    assert written[0] == {"role": "tool", "tool_call_id": "1", "content": "see"}
    assert written[1] == {"role": "tool", "tool_call_id": "2", "content": "The result is attached to the next message."}
    assert written[2] == {
        "role": "user",
        "content": [
            {"type": "text", "text": "Attached to the result of 1:"},
            WRITTEN_PICTURE,
            {"type": "text", "text": "Attached to the result of 2:"},
            WRITTEN_PICTURE,
        ],
    }


def test_a_failed_result_says_so_in_words() -> None:
    failed = ToolResult("1", (Text("no such file"),), is_error=True)
    said = ToolResult("2", (Text("Error: gone"),), is_error=True)
    contents = [message["content"] for message in write(Message("user", (failed, said)))]  # type: ignore[index,call-overload]
    assert contents == ["Error: no such file", "Error: gone"]


def test_ollama_gets_results_as_strings() -> None:
    result = Message("tool", (ToolResult("1", (Text("a"), Text("b"))),))
    assert write(result, wire="openai-chat", dialect=DIALECTS["ollama"]) == [
        {"role": "tool", "tool_call_id": "1", "content": "a\nb"}
    ]


def test_text_between_calls_is_joined_before_them() -> None:
    turn = Message("assistant", (Text("a"), ToolCall("1", "f", ""), Text("b"), ToolCall("2", "g", '{"x":1}')))
    assert write(turn) == [
        {
            "role": "assistant",
            "content": "ab",
            "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}},
                {"id": "2", "type": "function", "function": {"name": "g", "arguments": '{"x":1}'}},
            ],
        }
    ]


def test_an_assistant_that_only_calls_or_refuses_has_null_content_where_it_is_borne() -> None:
    turn = Message("assistant", (ToolCall("1", "f", "{}"),))
    assert write(turn)[0]["content"] is None  # type: ignore[index,call-overload]
    assert write(turn, dialect=DIALECTS["ollama"])[0]["content"] == ""  # type: ignore[index,call-overload]
    assert write(Message("assistant", (Refusal("no"),))) == [{"role": "assistant", "content": None, "refusal": "no"}]
    assert write(Message("assistant")) == [{"role": "assistant", "content": ""}]


def test_thoughts_of_another_wire_are_sent_only_where_they_are_demanded() -> None:
    turn = Message("assistant", (Reasoning("hm", "sig", wire="anthropic"), Text("a")))
    assert write(turn) == [{"role": "assistant", "content": "a"}]
    assert write(turn, dialect=DIALECTS["deepseek"]) == [
        {"role": "assistant", "content": "a", "reasoning_content": "hm"}
    ]
    assert write(say("assistant", "a"), dialect=DIALECTS["kimi"]) == [
        {"role": "assistant", "content": "a", "reasoning_content": ""}
    ]


def test_proofs_of_this_wire_go_back_even_if_the_client_speaks_another() -> None:
    turn = Message("assistant", (Reasoning("hm", '[{"type":"reasoning.encrypted","data":"x"}]', wire="openai-chat"),))
    assert write(turn)[0]["reasoning_details"] == [{"type": "reasoning.encrypted", "data": "x"}]  # type: ignore[index,call-overload]


def test_geminis_proof_goes_back_to_its_compatible_service_only() -> None:
    turn = Message("assistant", (ToolCall("1", "f", "{}", signature="sig", wire="gemini"),))
    call = write(turn, dialect=DIALECTS["gemini-compat"])[0]["tool_calls"][0]  # type: ignore[index,call-overload]
    assert call["extra_content"] == {"google": {"thought_signature": "sig"}}  # type: ignore[index,call-overload]
    assert "extra_content" not in write(turn)[0]["tool_calls"][0]  # type: ignore[index,call-overload,operator]


def test_what_an_assistant_cannot_say_here_is_left_out_with_a_warning() -> None:
    warnings: list[str] = []
    turn = Message("assistant", (Text("a"), Opaque("anthropic", {}), PICTURE, File(data="x")))
    assert write(turn, warnings=warnings) == [{"role": "assistant", "content": "a"}]
    assert len(warnings) == 3


def test_ids_that_are_too_long_are_shortened_the_same_way_everywhere() -> None:
    long = "x" * 65
    assert call_id(long, own=True) == long
    assert call_id("call_1", own=False) == "call_1"
    short = call_id(long, own=False)
    assert len(short) == 29
    written = write(
        Message("assistant", (ToolCall(long, "f", "{}"),)), Message("user", (ToolResult(long, (Text("x"),)),))
    )
    assert written[0]["tool_calls"][0]["id"] == short == written[1]["tool_call_id"]  # type: ignore[index,call-overload]


def test_nothing_stands_between_calls_and_their_results() -> None:
    calls = Message("assistant", (ToolCall("a", "f", "{}"), ToolCall("b", "f", "{}")))
    results = [Message("tool", (ToolResult(name, (Text(name),)),)) for name in ("a", "b")]
    written = write(say("user", "q"), calls, results[0], say("system", "by the way"), results[1], say("user", "go on"))
    assert [message["role"] for message in written] == ["user", "assistant", "tool", "tool", "system", "user"]  # type: ignore[index,call-overload]


def test_a_failed_result_of_a_picture_or_of_nothing_says_so_too() -> None:
    shown = ToolResult("a", (PICTURE,), is_error=True)
    empty = ToolResult("b", (), is_error=True)
    said = [message["content"] for message in write(Message("tool", (shown,)), Message("tool", (empty,)))[:2]]  # type: ignore[index,call-overload]
    assert said == ["Error: The result is attached to the next message.", "Error: the tool failed."]


def test_pictures_in_instructions_are_shown_right_behind_them() -> None:
    assert write(Message("developer", (Text("like this:"), PICTURE)), wire="openai-responses") == [
        {"role": "developer", "content": "like this:"},
        {"role": "user", "content": [WRITTEN_PICTURE]},
    ]


def test_a_request_without_any_words_is_still_a_request() -> None:
    assert write() == [{"role": "user", "content": ""}]
