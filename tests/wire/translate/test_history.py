import json

import pytest

from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.messages import Image, Json, Message, Opaque, Part, Reasoning, Text, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest, WireName
from callgate.wire.anthropic_messages.blocks import NOT_PROVEN
from callgate.wire.dialects import DIALECTS, PLAIN, Dialect
from callgate.wire.openai_responses import OpenAIResponses
from callgate.wire.signature_envelope import seal
from callgate.wire.translate import carries_foreign_proofs, translate


def lowered(
    messages: list[Message], target: WireName, *, wire: WireName = "anthropic", dialect: Dialect = PLAIN
) -> tuple[Message, ...]:
    return translate(ChatRequest(wire, "m", tuple(messages)), target, "m", dialect).request.messages


def turn(*parts: Part) -> Message:
    return Message("assistant", parts)


def result(call_id: str, text: str = "ok", **more: object) -> Message:
    return Message("tool", (ToolResult(call_id, (Text(text),), **more),))  # type: ignore[arg-type]


ASK = say("user", "go on")


def test_repeated_call_ids_become_distinct_and_results_answer_in_order() -> None:
    history = [
        turn(ToolCall("call_0", "f", "{}"), ToolCall("call_0", "g", "{}")),
        result("call_0", "of f"),
        result("call_0", "of g"),
        turn(ToolCall("call_0", "h", "{}")),
        result("call_0", "of h"),
    ]
    messages = lowered(history, "openai-chat", wire="gemini")
    calls = [call for message in messages for call in message.calls]
    results = [result for message in messages for result in message.results]
    assert [call.id for call in calls] == ["call_0", "call_0_d2", "call_0_d3"]
    assert [(found.call_id, found.name, found.text) for found in results] == [
        ("call_0", "f", "of f"),
        ("call_0_d2", "g", "of g"),
        ("call_0_d3", "h", "of h"),
    ]


def test_a_call_that_never_got_a_result_does_not_take_a_later_ones() -> None:
    history = [turn(ToolCall("call_0", "f", "{}")), ASK, turn(ToolCall("call_0", "g", "{}")), result("call_0")]
    messages = lowered(history, "openai-chat", wire="gemini")
    assert messages[-1].results[0].call_id == messages[-2].calls[0].id == "call_0_d2"


def test_a_made_up_id_that_is_taken_is_not_used() -> None:
    history = [turn(*(ToolCall(given, "f", "{}") for given in ("a", "a_d2", "a")))]
    assert [call.id for call in lowered(history, "gemini")[0].calls] == ["a", "a_d2", "a_d3"]


def test_ids_are_left_to_anthropics_own_codec() -> None:
    history = [turn(ToolCall("a", "f", "{}"), ToolCall("a", "g", "{}")), result("a"), result("a")]
    messages = lowered(history, "anthropic", wire="openai-chat")
    assert [call.id for call in messages[0].calls] == ["a", "a"]
    assert [(found.call_id, found.name) for m in messages for found in m.results] == [("a", "f"), ("a", "g")]


def test_calls_of_groups_and_free_form_calls_are_lowered_with_their_results() -> None:
    history = [
        turn(ToolCall("c", "patch", "*** a\n", "custom", "functions")),
        Message("tool", (ToolResult("c", (Text("done"),), variant="custom"),)),
    ]
    call_message, result_message = lowered(history, "gemini", wire="openai-responses")
    (call,) = call_message.calls
    assert (call.name, call.namespace, call.variant) == ("functions__patch", "", "function")
    assert json.loads(call.arguments) == {"input": "*** a\n"}
    assert (result_message.results[0].name, result_message.results[0].variant) == ("functions__patch", "function")


def test_free_form_calls_stay_so_at_openai_itself() -> None:
    history = [turn(ToolCall("c", "patch", "text", "custom")), result("c", variant="custom")]
    messages = lowered(history, "openai-chat", wire="openai-responses")
    assert messages[0].calls[0].variant == messages[1].results[0].variant == "custom"
    local = lowered(history, "openai-chat", wire="openai-responses", dialect=DIALECTS["vllm"])
    assert local[0].calls[0].variant == local[1].results[0].variant == "function"


def test_a_result_without_its_call_keeps_its_id_and_gets_a_name_that_fits() -> None:
    (message,) = lowered([result("c", name="a.b", variant="custom")], "anthropic", wire="gemini")
    assert message.results[0].call_id == "c"
    assert message.results[0].variant == "function"
    assert message.results[0].name.startswith("a_b_")


def test_a_sealed_proof_of_the_target_is_put_back_in_place() -> None:
    signature = seal("anthropic", "claude", {"signature": "proof", "id": "t1"})
    history = [turn(Reasoning("hm", signature, wire="openai-responses", id="rs_cg1"), Text("so")), ASK]
    assert lowered(history, "anthropic", wire="openai-responses")[0].parts == (
        Reasoning("hm", "proof", wire="anthropic", id="t1"),
        Text("so"),
    )


def test_redacted_thinking_is_put_back_without_text() -> None:
    signature = seal("anthropic", "claude", {"signature": "secret", "redacted": True})
    history = [turn(Reasoning("(hidden)", signature, wire="openai-responses"), Text("so")), ASK]
    messages = lowered(history, "anthropic", wire="openai-responses")
    assert messages[0].parts[0] == Reasoning("", "secret", True, "anthropic")


@pytest.mark.parametrize(
    "thought",
    [
        Reasoning("hm", seal("gemini", "g", {"signature": "proof"})),
        Reasoning("hm", seal("anthropic", "g", {})),
        Reasoning("hm", "cg1.broken"),
        Reasoning("hm", "proof", wire="gemini"),
        Reasoning("hm"),
        Reasoning(signature="secret", redacted=True, wire="gemini"),
    ],
)
def test_thinking_that_the_target_did_not_make_is_dropped(thought: Reasoning) -> None:
    assert lowered([turn(thought, Text("so")), ASK], "anthropic", wire="openai-chat")[0].parts == (Text("so"),)


def test_a_turn_of_nothing_but_foreign_thinking_is_dropped() -> None:
    assert lowered([turn(Reasoning("hm")), ASK], "gemini") == (ASK,)


def test_an_empty_message_is_left_to_the_codec() -> None:
    assert lowered([Message("user")], "openai-chat") == (Message("user"),)


def test_thinking_of_the_target_that_was_remembered_is_kept() -> None:
    thought = Reasoning("hm", "proof", wire="anthropic")
    assert lowered([turn(thought, Text("so")), ASK], "anthropic", wire="openai-chat")[0].parts[0] == thought


def test_a_server_that_wants_its_thinking_back_gets_the_text() -> None:
    history = [turn(Reasoning("hm", seal("gemini", "g", {}), id="x"), Text("so")), ASK]
    messages = lowered(history, "openai-chat", dialect=DIALECTS["deepseek"])
    assert messages[0].parts == (Reasoning("hm"), Text("so"))


def test_a_sealed_proof_that_a_chat_server_could_not_read_is_dropped() -> None:
    good = seal("openai-chat", "m", {"signature": '[{"type":"reasoning.text"}]'})
    history = [turn(Reasoning("a", good), Reasoning("b", seal("openai-chat", "m", {"signature": "}"})), Text("so"))]
    parts = lowered(history, "openai-chat")[0].parts
    assert [part.text for part in parts if isinstance(part, Reasoning)] == ["a"]


@pytest.mark.parametrize(
    ("given", "wire", "target", "dialect", "kept"),
    [
        ("proof", "gemini", "gemini", "", "proof"),
        (seal("gemini", "g", {"signature": "proof"}), "", "gemini", "", "proof"),
        (seal("anthropic", "g", {"signature": "proof"}), "", "gemini", "", ""),
        ("cg1.broken", "gemini", "gemini", "", ""),
        ("proof", "gemini", "openai-chat", "", ""),
        ("proof", "gemini", "openai-chat", "gemini-compat", "proof"),
        (seal("gemini", "g", {"signature": "proof"}), "", "openai-chat", "openrouter", "proof"),
    ],
)
def test_a_calls_proof_goes_only_to_who_made_it(
    given: str, wire: str, target: WireName, dialect: str, kept: str
) -> None:
    history = [turn(ToolCall("c", "f", "{}", signature=given, wire=wire)), result("c")]
    call = lowered(history, target, dialect=DIALECTS.get(dialect, PLAIN))[0].calls[0]
    assert (call.signature, call.wire) == (kept, "gemini" if kept else "")


def test_what_only_one_wire_has_is_dropped_from_the_history_with_a_warning() -> None:
    search: Json = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    history = [turn(Opaque("anthropic", search), Text("so")), ASK]
    found = translate(ChatRequest("anthropic", "m", tuple(history)), "openai-chat", "m")
    assert found.request.messages[0].parts == (Text("so"),)
    assert found.warnings == ("history: server_tool_use exists only in anthropic; left out",)


def test_the_targets_own_things_are_kept() -> None:
    search = Opaque("anthropic", {"type": "server_tool_use"})
    assert lowered([turn(search), ASK], "anthropic", wire="openai-chat")[0].parts == (search,)


def test_what_is_asked_now_is_never_dropped() -> None:
    upload = Message("user", (Opaque("anthropic", {"type": "container_upload"}), Text("read it")))
    with pytest.raises(Unspeakable, match="container_upload"):
        lowered([upload], "openai-chat")
    assert lowered([upload, turn(Text("done")), ASK], "openai-chat")[0].parts == (Text("read it"),)


def responses_input(*items: Json) -> ChatRequest:
    return OpenAIResponses().read_request({"model": "m", "input": list(items)})


HELLO: Json = {"role": "user", "content": "hello"}


def test_a_reference_to_reasoning_is_dropped_silently() -> None:
    found = translate(responses_input(HELLO, {"type": "item_reference", "id": "rs_1"}, HELLO), "anthropic", "m")
    assert [message.text for message in found.request.messages] == ["hello", "hello"]
    assert found.warnings == ()


@pytest.mark.parametrize("reference", [{"type": "item_reference", "id": "msg_1"}, {"id": "fc_1"}])
def test_any_other_reference_is_refused(reference: Json) -> None:
    with pytest.raises(BadRequest, match="not found") as caught:
        translate(responses_input(HELLO, reference), "anthropic", "m")
    assert caught.value.fault.param == "input"


def test_items_of_responses_that_are_no_words_are_dropped_wherever_they_stand() -> None:
    request = responses_input(HELLO, {"type": "configuration_update", "id": "u"})
    found = translate(request, "openai-chat", "m")
    assert [message.text for message in found.request.messages] == ["hello"]
    assert found.warnings == ("history: configuration_update exists only in openai-responses; left out",)


def test_pictures_and_words_stay_as_they_are() -> None:
    message = Message("user", (Text("look", {"cache_control": {}}), Image(url="http://x/y.png")))
    assert lowered([message], "gemini") == (message,)


def test_thinking_that_comes_back_in_pieces_is_whole_again_for_the_provider_whose_proof_ends_it() -> None:
    proof = seal("anthropic", "claude", {"signature": "sig"})
    pieces = [Reasoning("Two "), Reasoning("tools."), Reasoning("", proof)]
    later = [Reasoning("not proven")]
    (spoken,) = lowered([turn(*pieces, Text("So."), *later)], "anthropic", wire="gemini")
    assert spoken.parts == (Reasoning("Two tools.", "sig", wire="anthropic"), Text("So."))


@pytest.mark.parametrize(
    ("part", "wire", "dialect", "foreign"),
    [
        (Reasoning("hm", seal("gemini", "m", {})), "anthropic", PLAIN, True),
        (ToolCall("c", "f", "{}", signature=seal("gemini", "m", {})), "openai-chat", PLAIN, True),
        (Reasoning("hm"), "anthropic", PLAIN, True),
        (Reasoning("hm"), "anthropic", DIALECTS["llama.cpp"], False),
        (Reasoning("hm", wire="openai-chat"), "openai-chat", PLAIN, False),
        (Reasoning("hm", "own", wire="anthropic"), "anthropic", PLAIN, False),
        (Text("cg1."), "anthropic", PLAIN, False),
        (
            Text("a", {"citations": [{"type": "web_search_result_location", "encrypted_index": "own"}]}),
            "anthropic",
            PLAIN,
            False,
        ),
        (
            Text("a", {"citations": [{"type": "web_search_result_location", "encrypted_index": NOT_PROVEN}]}),
            "anthropic",
            PLAIN,
            True,
        ),
    ],
)
def test_a_history_with_another_providers_thinking_is_told_from_one_without(
    part: Part, wire: WireName, dialect: Dialect, foreign: bool
) -> None:
    assert carries_foreign_proofs([ASK, turn(part, Text("So."))], wire, dialect) is foreign


LOCAL_SHELL: dict[str, Json] = {
    "type": "local_shell_call",
    "id": "lsh_1",
    "call_id": "c",
    "action": {"type": "exec", "command": ["ls"], "env": {}},
}


@pytest.mark.parametrize(
    "output",
    [
        {"type": "local_shell_call_output", "call_id": "c", "output": "a.py"},
        {"type": "function_call_output", "call_id": "c", "output": "a.py"},
    ],
)
@pytest.mark.parametrize("target", ["openai-chat", "anthropic", "gemini"])
def test_built_in_calls_of_responses_are_dropped_with_their_results(target: WireName, output: Json) -> None:
    found = translate(responses_input(HELLO, LOCAL_SHELL, output), target, "m")
    assert [message.text for message in found.request.messages] == ["hello"]
    assert "history: local_shell_call exists only in openai-responses; left out" in found.warnings
    assert len(found.warnings) == 2


def test_built_in_calls_stay_as_they_are_on_their_own_wire() -> None:
    output: Json = {"type": "function_call_output", "call_id": "c", "output": "a.py"}
    request = responses_input(HELLO, LOCAL_SHELL, output)
    found = translate(request, "openai-responses", "m")
    assert OpenAIResponses().write_request(found.request, PLAIN).body["input"] == [HELLO, LOCAL_SHELL, output]


@pytest.mark.parametrize("target", ["anthropic", "gemini", "openai-responses"])
def test_a_second_result_for_a_call_is_left_out_and_said_where_only_one_may_be(target: WireName) -> None:
    """OpenAI Chat bears it; all other services refuse the whole history for it."""
    history = [ASK, turn(ToolCall("a", "f", "{}")), result("a", "first"), result("a", "second")]
    done = translate(ChatRequest("openai-chat", "m", tuple(history)), target, "m")
    assert [found.text for message in done.request.messages for found in message.results] == ["first"]
    assert done.warnings == ("history: a second result for a was left out",)
