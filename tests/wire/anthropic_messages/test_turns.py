"""Histories in the shape that the provider demands."""

from callgate.core.messages import Image, Json, Message, Opaque, Reasoning, Refusal, Text, ToolCall, ToolResult, say
from callgate.wire.anthropic_messages.turns import Turn, TurnWriter, lacks_thinking
from callgate.wire.dialects import PLAIN, Dialect


def _turns(*messages: Message, same: bool = False, dialect: Dialect = PLAIN) -> list[Turn]:
    return TurnWriter(same, dialect, []).write(messages)


def _spelled(*messages: Message, same: bool = False) -> list[Json]:
    return [turn.spelled() for turn in _turns(*messages, same=same)]


def _result(id: str, text: str) -> Json:
    return {"type": "tool_result", "tool_use_id": id, "content": text}


def _tool(id: str, text: str) -> Message:
    return Message("tool", (ToolResult(id, (Text(text),)),))


def _calling(*ids: str) -> Message:
    return Message("assistant", tuple(ToolCall(id, "f", "{}") for id in ids))


def test_results_and_what_the_user_adds_are_one_message_with_the_results_first() -> None:
    spelled = _spelled(
        _calling("a", "b"),
        say("system", "be quick"),
        _tool("a", "1"),
        Message("user", (Text("look"), Image(url="https://e.org/a.png"))),
        _tool("b", "2"),
    )
    assert spelled[1] == {
        "role": "user",
        "content": [
            _result("a", "1"),
            _result("b", "2"),
            {"type": "text", "text": "be quick"},
            {"type": "text", "text": "look"},
            {"type": "image", "source": {"type": "url", "url": "https://e.org/a.png"}},
        ],
    }
    assert len(spelled) == 2


def test_an_assistants_words_come_before_its_calls() -> None:
    message = Message("assistant", (ToolCall("a", "f", ""), Text(""), Text("after"), Refusal("no")))
    (turn,) = _spelled(message)
    assert turn == {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "after"},
            {"type": "text", "text": "no"},
            {"type": "tool_use", "id": "a", "name": "f", "input": {}},
        ],
    }


def test_messages_of_one_side_are_joined() -> None:
    spelled = _spelled(say("user", "a"), say("user", "b"), say("assistant", "c"), _calling("x"), _tool("x", "1"))
    assert [turn["role"] for turn in spelled] == ["user", "assistant", "user"]  # type: ignore[index,call-overload]


def test_the_same_wire_keeps_its_messages_and_its_order() -> None:
    spelled = _spelled(
        say("user", "a"),
        say("user", "b"),
        say("system", "c"),
        Message("assistant", (ToolCall("x", "f", "{}"), Text("after")), extras={"k": 1}),
        _tool("x", "1"),
        say("user", "d"),
        say("user", "e"),
        same=True,
    )
    assert spelled == [
        {"role": "user", "content": "a"},
        {"role": "user", "content": "b"},
        {"role": "system", "content": "c"},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "x", "name": "f", "input": {}},
                {"type": "text", "text": "after"},
            ],
            "k": 1,
        },
        {"role": "user", "content": [_result("x", "1"), {"type": "text", "text": "d"}]},
        {"role": "user", "content": "e"},
    ]


def test_ids_are_made_fit_and_unique_alike_in_calls_and_results() -> None:
    first, answer, second, again = _spelled(
        _calling("f.x:0"), _tool("f.x:0", "1"), _calling("f.x:0"), _tool("f.x:0", "2")
    )
    ids = [turn["content"][0]["id"] for turn in (first, second)]  # type: ignore[index,call-overload]
    answered = [turn["content"][0]["tool_use_id"] for turn in (answer, again)]  # type: ignore[index,call-overload]
    assert ids == answered
    assert len(set(ids)) == 2


def test_only_thinking_with_this_wires_proof_is_sent() -> None:
    parts = (
        Reasoning("foreign", "Ao", wire="gemini"),
        Reasoning("unsigned"),
        Reasoning("envelope", "cg1.x"),
        Reasoning("ours", "Eq", wire="anthropic"),
        Reasoning(signature="Em", redacted=True, wire="anthropic"),
    )
    (turn,) = _turns(Message("assistant", parts))
    assert turn.blocks == [
        {"type": "thinking", "thinking": "ours", "signature": "Eq"},
        {"type": "redacted_thinking", "data": "Em"},
    ]


def test_a_server_that_wants_its_thinking_back_gets_it_unsigned_too() -> None:
    (turn,) = _turns(Message("assistant", (Reasoning("hm"), Text("a"))), dialect=Dialect(replay_reasoning=True))
    assert turn.blocks[0] == {"type": "thinking", "thinking": "hm", "signature": ""}


def test_a_turn_with_nothing_left_to_say_is_not_sent() -> None:
    assert _spelled(say("user", "a"), Message("assistant", (Reasoning("x"), Text("")))) == [
        {"role": "user", "content": "a"}
    ]


def test_what_cannot_be_said_is_named() -> None:
    warnings: list[str] = []
    parts = (Image(data="x"), Opaque("gemini", {"type": "executableCode"}), Text("a"))
    TurnWriter(False, PLAIN, warnings).write([Message("assistant", parts)])
    assert warnings == [
        "messages: image in an assistant message left out",
        "messages: executableCode of gemini left out",
    ]


def test_a_round_that_began_without_thinking_is_noticed() -> None:
    thought = Reasoning("t", "Eq", wire="anthropic")
    call = ToolCall("a", "f", "{}")
    ask, answer = say("user", "q"), _tool("a", "1")
    assert lacks_thinking(_turns(ask, Message("assistant", (call,)), answer))
    assert lacks_thinking(_turns(Message("assistant", (Text("x"), call)), answer))
    assert not lacks_thinking(_turns(ask, Message("assistant", (thought, call)), answer))
    assert not lacks_thinking(_turns(ask, say("assistant", "no calls")))
    assert not lacks_thinking(_turns(ask, Message("assistant", (call,)), answer, say("assistant", "done"), ask))


def test_a_later_step_of_a_round_that_began_with_thinking_needs_none() -> None:
    begun = Message("assistant", (Reasoning("t", "Eq", wire="anthropic"), ToolCall("a", "f", "{}")))
    assert not lacks_thinking(_turns(say("user", "q"), begun, _tool("a", "1"), _calling("b"), _tool("b", "2")))


def test_turns_between_which_nothing_was_said_are_one() -> None:
    assert _spelled(say("user", "a"), say("assistant", ""), say("user", "b")) == [
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
    ]
