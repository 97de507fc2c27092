"""Contents as messages, and that responses belong to calls."""

import pytest
from tests.wire.samples_gemini_generate import call, model, user

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import Json, Message, Reasoning, Text
from callgate.wire.call_ids import NO_ID
from callgate.wire.gemini_generate.read_contents import read_contents

ASK = user({"text": "q"})


def response(name: str, id: str = "", said: str = "1") -> dict[str, Json]:
    inner: dict[str, Json] = {"name": name, "response": {"output": said}}
    return {"functionResponse": inner | ({"id": id} if id else {})}


def read(*contents: Json) -> list[Message]:
    return read_contents(Fields({"contents": list(contents)}))


def test_roles_are_read_and_a_missing_one_is_the_users() -> None:
    messages = read({"parts": [{"text": "a"}]}, model({"text": "b"}), {"role": "user", "parts": {"text": "c"}})
    assert [(message.role, message.text) for message in messages] == [("user", "a"), ("assistant", "b"), ("user", "c")]


def test_a_run_of_chunks_is_one_turn_and_empty_ones_vanish() -> None:
    messages = read(
        ASK,
        model({"text": "Hel"}),
        model({"text": "lo"}),
        model({"text": ""}),
        model({"text": "", "thoughtSignature": "c2ln"}),
        {"role": "model"},
        user({"text": "next"}),
    )
    assert len(messages) == 3
    assert messages[1].parts == (Text("Hel"), Text("lo"), Text("", {"thoughtSignature": "c2ln"}))


def test_a_turn_of_nothing_but_empty_text_is_no_message() -> None:
    assert [message.role for message in read(ASK, model({"text": ""}), ASK)] == ["user", "user"]


def test_responses_find_their_calls_by_id_in_any_order() -> None:
    messages = read(
        ASK, model(call("f", {}, "a"), call("f", {}, "b")), user(response("f", "b", "2"), response("f", "a", "1"))
    )
    assert [(m.results[0].call_id, m.results[0].text) for m in messages[2:]] == [("b", "2"), ("a", "1")]


def test_responses_without_id_find_their_calls_by_name_and_order() -> None:
    messages = read(
        ASK,
        model(call("f", {}), call("g", {}), call("f", {})),
        model({"text": ""}),
        user(response("g", said="2"), response("f", said="1"), response("f", said="3")),
    )
    first, second, third = messages[1].calls
    assert len({first.id, second.id, third.id}) == 3
    assert [(m.results[0].call_id, m.results[0].text) for m in messages[2:]] == [
        (second.id, "2"),
        (first.id, "1"),
        (third.id, "3"),
    ]


def test_an_id_that_the_client_made_up_counts_only_for_a_call_without_one() -> None:
    messages = read(ASK, model(call("f", {})), user(response("f", "f-1699999")))
    assert messages[2].results[0].call_id == messages[1].calls[0].id
    with pytest.raises(BadRequest) as caught:
        read(ASK, model(call("f", {}, "a")), user(response("f", "f-1699999")))
    assert caught.value.fault.param == "contents[2].parts[0].functionResponse.id"


def test_the_id_that_was_given_in_the_answer_is_matched_without_one_in_the_response() -> None:
    messages = read(ASK, model(call("f", {}, "toolu_1")), user(response("f")))
    assert messages[2].results[0].call_id == "toolu_1"


def test_the_same_history_gives_the_same_ids_and_other_turns_others() -> None:
    turn = [model(call("f", {})), user(response("f"))]
    short, long = read(ASK, *turn), read(ASK, *turn, *turn)
    assert short[1].calls[0].id == long[1].calls[0].id
    assert long[1].calls[0].id != long[3].calls[0].id
    assert long[1].calls[0].extras == {NO_ID: True}


def test_responses_come_right_after_the_calls_whatever_stands_between() -> None:
    messages = read(ASK, model(call("f", {}, "a")), user({"text": "wait"}), user(response("f", "a"), {"text": "so?"}))
    assert [message.role for message in messages] == ["user", "assistant", "tool", "user", "user"]
    assert [message.text for message in messages[3:]] == ["wait", "so?"]


def test_thoughts_and_unknown_fields_of_a_content_are_kept() -> None:
    messages = read({**ASK, "novel": 1}, {**model({"text": "hm", "thought": True}), "novel": 2})
    assert messages[0].extras == {"novel": 1}
    assert messages[1] == Message("assistant", (Reasoning("hm"),), extras={"novel": 2})


@pytest.mark.parametrize(
    ("contents", "param"),
    [
        ([], "contents"),
        ([user()], "contents[0].parts"),
        ([{"role": "user"}], "contents[0].parts"),
        ([{"role": "assistant", "parts": []}], "contents[0].role"),
        (["hi"], "contents[0]"),
        ([user("hi")], "contents[0].parts[0]"),
        ([{"parts": "hi"}], "contents[0].parts"),
        ([user(response("f"))], "contents[0].parts[0].functionResponse.name"),
        ([ASK, model(call("f", {})), user(response("g"))], "contents[2].parts[0].functionResponse.name"),
        ([ASK, model(call("f", {})), user(response("f"), response("f"))], "contents[2].parts[1].functionResponse.name"),
        ([ASK, model(call("f", {}), call("g", {})), user(response("f"))], "contents[1].parts[1]"),
        ([ASK, model(call("f", {})), ASK], "contents[1].parts[0]"),
        ([ASK, model(call("f", {})), ASK, model({"text": "a"})], "contents[1].parts[0]"),
        ([user(call("f", {}))], "contents[0].parts[0]"),
        ([ASK, model(response("f"))], "contents[1].parts[0]"),
    ],
)
def test_what_breaks_the_rules_is_refused_by_name(contents: list[Json], param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read(*contents)
    assert caught.value.fault.param == param


def test_a_history_may_end_with_calls() -> None:
    assert read(ASK, model(call("f", {})))[-1].calls
