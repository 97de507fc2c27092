"""Messages as contents."""

import pytest

from callgate.core.errors import Unspeakable
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
from callgate.wire.call_ids import NO_ID
from callgate.wire.gemini_generate.signatures import SKIP
from callgate.wire.gemini_generate.traits import ModelTraits, guess_traits
from callgate.wire.gemini_generate.write_contents import ContentWriter

OLD = guess_traits("gemini-2.5-flash")
NEW = guess_traits("gemini-3-pro")


def written(
    *messages: Message, same: bool = False, traits: ModelTraits = OLD, warnings: list[str] | None = None
) -> Json:
    said: list[str] = [] if warnings is None else warnings
    return [content.spelled() for content in ContentWriter(same, traits, said).write(messages)]


def calls(*ids: str, name: str = "f", **more: str) -> Message:
    return Message("assistant", tuple(ToolCall(id, name, '{"x":1}', **more) for id in ids))  # type: ignore[arg-type]


def result(id: str, text: str = "1") -> Message:
    return Message("tool", (ToolResult(id, (Text(text),)),))


def fc(id: str = "", signature: str = "") -> Json:
    inner: dict[str, Json] = {"id": id} if id else {}
    part: dict[str, Json] = {"functionCall": inner | {"name": "f", "args": {"x": 1}}}
    return part | ({"thoughtSignature": signature} if signature else {})


def fr(text: str = "1", id: str = "") -> Json:
    inner: dict[str, Json] = {"id": id} if id else {}
    return {"functionResponse": inner | {"name": "f", "response": {"output": text}}}


def test_all_responses_of_a_step_stand_in_one_content_in_the_order_of_the_calls() -> None:
    assert written(say("user", "q"), calls("a", "b"), result("b", "2"), result("a", "1"), say("user", "so?")) == [
        {"role": "user", "parts": [{"text": "q"}]},
        {"role": "model", "parts": [fc(), fc()]},
        {"role": "user", "parts": [fr("1"), fr("2"), {"text": "so?"}]},
    ]


def test_nothing_stands_between_calls_and_responses() -> None:
    contents = written(
        say("user", "q"),
        Message("assistant", (Text("first"), ToolCall("a", "f", '{"x":1}'), Text("then"))),
        say("assistant", "more"),
        say("system", "mind this"),
        result("a"),
    )
    assert contents == [
        {"role": "user", "parts": [{"text": "q"}]},
        {"role": "model", "parts": [{"text": "first"}, {"text": "then"}, {"text": "more"}, fc()]},
        {"role": "user", "parts": [fr(), {"text": "mind this"}]},
    ]


def test_identical_parallel_calls_and_repeated_ids_all_survive() -> None:
    assert written(
        say("user", "q"), calls("a", "a"), result("a", "1"), result("a", "2"), calls("a"), result("a", "3")
    ) == [
        {"role": "user", "parts": [{"text": "q"}]},
        {"role": "model", "parts": [fc(), fc()]},
        {"role": "user", "parts": [fr("1"), fr("2")]},
        {"role": "model", "parts": [fc()]},
        {"role": "user", "parts": [fr("3")]},
    ]


def test_sides_alternate() -> None:
    assert written(
        say("user", "a"), say("user", "b"), say("assistant", "c"), say("assistant", ""), say("user", "d")
    ) == [
        {"role": "user", "parts": [{"text": "a"}, {"text": "b"}]},
        {"role": "model", "parts": [{"text": "c"}]},
        {"role": "user", "parts": [{"text": "d"}]},
    ]


def test_ids_go_only_to_models_that_take_them() -> None:
    history = (say("user", "q"), calls("a"), result("a"))
    assert written(*history, traits=OLD)[1:] == [  # type: ignore[index,call-overload]
        {"role": "model", "parts": [fc()]},
        {"role": "user", "parts": [fr()]},
    ]
    assert written(*history, traits=NEW)[1:] == [  # type: ignore[index,call-overload]
        {"role": "model", "parts": [fc("a", SKIP)]},
        {"role": "user", "parts": [fr(id="a")]},
    ]


def test_an_id_that_was_derived_here_is_not_given_back_to_the_same_wire() -> None:
    call = Message("assistant", (ToolCall("a", "f", '{"x":1}', signature="c2ln", wire="gemini", extras={NO_ID: True}),))
    assert written(say("user", "q"), call, result("a"), same=True, traits=NEW)[1:] == [  # type: ignore[index,call-overload]
        {"role": "model", "parts": [fc("", "c2ln")]},
        {"role": "user", "parts": [fr()]},
    ]


def test_the_first_call_of_every_step_since_the_user_spoke_is_signed() -> None:
    contents = written(
        say("user", "old"),
        calls("a"),
        result("a"),
        say("assistant", "done"),
        say("user", "new"),
        calls("b", "c"),
        result("b"),
        result("c"),
        Message("assistant", (ToolCall("d", "f", '{"x":1}', signature="c2ln", wire="gemini"),)),
        result("d"),
        calls("e", signature="EqQB", wire="anthropic"),
        result("e"),
        traits=NEW,
    )
    models = [content["parts"] for content in contents if content["role"] == "model"]  # type: ignore[union-attr,index,call-overload]
    assert models == [
        [fc("a")],
        [{"text": "done"}],
        [fc("b", SKIP), fc("c")],
        [fc("d", "c2ln")],
        [fc("e", SKIP)],
    ]


def test_older_models_get_no_stand_in_for_a_signature() -> None:
    assert SKIP not in str(written(say("user", "q"), calls("a"), result("a"), traits=OLD))


def test_only_the_wires_own_thinking_is_sent() -> None:
    message = Message(
        "assistant",
        (
            Reasoning("foreign", "EqQB", wire="anthropic"),
            Reasoning("unsigned"),
            Reasoning("own", "c2ln", wire="gemini"),
            Reasoning(signature="x", redacted=True, wire="anthropic"),
            Text("ok"),
        ),
    )
    own: Json = {"text": "own", "thought": True, "thoughtSignature": "c2ln"}
    assert written(message) == [{"role": "model", "parts": [own, {"text": "ok"}]}]
    [content] = written(message, same=True)  # type: ignore[misc]
    assert {"text": "unsigned", "thought": True} in content["parts"]  # type: ignore[index,operator,call-overload]


def test_what_others_cannot_read_is_left_out_and_named() -> None:
    warnings: list[str] = []
    contents = written(
        Message("user", (Text("q"), Opaque("anthropic", {"type": "container_upload"}))),
        Message("assistant", (Image("image/png", "iVBO"), Refusal("No."), Opaque("gemini", {"executableCode": {}}))),
        warnings=warnings,
    )
    assert contents == [
        {"role": "user", "parts": [{"text": "q"}]},
        {"role": "model", "parts": [{"text": "No."}, {"executableCode": {}}]},
    ]
    assert len(warnings) == 2


def test_media_in_results_stands_after_all_responses_for_older_models() -> None:
    history = (
        say("user", "q"),
        calls("a", "b"),
        Message("tool", (ToolResult("a", (Text("1"), Image("image/png", "iVBO"))),)),
        Message("tool", (ToolResult("b", (Text("2"), File("application/pdf", "JVBE"))),)),
    )
    assert written(*history)[2] == {  # type: ignore[index,call-overload]
        "role": "user",
        "parts": [
            fr("1"),
            fr("2"),
            {"inlineData": {"mimeType": "image/png", "data": "iVBO"}},
            {"inlineData": {"mimeType": "application/pdf", "data": "JVBE"}},
        ],
    }


def test_a_result_without_a_call_is_refused() -> None:
    with pytest.raises(Unspeakable) as caught:
        written(say("user", "q"), result("gone"))
    assert caught.value.fault.param == "messages"


def test_a_signature_on_text_goes_back_on_the_same_text() -> None:
    signed = Message("assistant", (Text("a", {"thoughtSignature": "c2ln", "citations": []}), Text("b", {"x": 1})))
    assert written(signed) == [{"role": "model", "parts": [{"text": "a", "thoughtSignature": "c2ln"}, {"text": "b"}]}]
