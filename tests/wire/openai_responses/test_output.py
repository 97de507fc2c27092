"""The items of a reply as a client gets them."""

from typing import Any

import pytest

from callgate.core.messages import FinishReason, Image, Message, Opaque, Part, Reasoning, Refusal, Text, ToolCall
from callgate.core.request import ChatResponse, Choice
from callgate.wire.openai_responses.output import call_status, output_items, usable_signature


def items_of(*parts: Part, finish: FinishReason = "stop", detail: str = "") -> list[Any]:
    return list(output_items(ChatResponse("resp_1", "m", (Choice(Message("assistant", parts), finish, detail),))))


def test_words_beside_each_other_share_an_item() -> None:
    items = items_of(Text("a"), Refusal("b"), ToolCall("c", "f", "{}"), Text("d"))
    assert [item["type"] for item in items] == ["message", "function_call", "message"]
    assert len(items[0]["content"]) == 2
    assert len({item["id"] for item in items}) == 3


def test_nothing_is_made_of_nothing() -> None:
    assert items_of(Text(""), Reasoning(), Opaque("gemini", {}), Reasoning(signature="x", wire="anthropic")) == []
    assert output_items(ChatResponse("r", "m", ())) == []


def test_a_picture_is_a_generated_image() -> None:
    (item,) = items_of(Image("image/webp", "AAAA"))
    assert (item["type"], item["output_format"], item["result"]) == ("image_generation_call", "webp", "AAAA")


def test_the_last_words_of_a_cut_reply_are_incomplete() -> None:
    items = items_of(Text("a"), ToolCall("c", "f", '{"x'), Text("b"), finish="length")
    assert [item["status"] for item in items] == ["completed", "incomplete", "incomplete"]


def test_an_explanation_is_said_once() -> None:
    assert items_of(Text("No."), finish="refusal", detail="policy")[0]["content"][1]["refusal"] == "policy"
    assert len(items_of(Refusal("No."), finish="refusal", detail="policy")[0]["content"]) == 1


@pytest.mark.parametrize(
    ("signature", "wire", "expected"),
    [("s", "openai-responses", "s"), ("s", "anthropic", ""), ("cg1.s", "anthropic", "cg1.s"), ("s", "", "")],
)
def test_a_signature_is_given_only_to_who_can_use_it(signature: str, wire: str, expected: str) -> None:
    assert usable_signature(signature, wire) == expected


def test_free_text_is_always_whole() -> None:
    assert (call_status("custom", "{"), call_status("function", "{"), call_status("function", "{}")) == (
        "completed",
        "incomplete",
        "completed",
    )
