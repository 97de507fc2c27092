"""What a client names by id is found in the body and replaced, and nothing else is."""

from typing import Any

from callgate.core.messages import say
from callgate.core.request import ChatRequest
from callgate.wire.openai_responses.chaining import ResponseChaining

CHAINING = ResponseChaining()
ITEM = {"type": "message", "id": "msg_1", "role": "assistant"}


def test_references_are_found_with_or_without_their_type_and_replaced_where_the_item_is_known() -> None:
    said = {"role": "user", "content": "hi", "id": "msg_9"}
    body: dict[str, Any] = {"input": [{"id": "msg_1"}, {"type": "item_reference", "id": "rs_2"}, said, "text"]}
    assert CHAINING.references(body) == ["msg_1", "rs_2"]
    resolved = CHAINING.resolved(body, {"msg_1": ITEM})
    assert resolved["input"] == [ITEM, {"type": "item_reference", "id": "rs_2"}, said, "text"]
    assert CHAINING.references({"input": "hi"}) == CHAINING.references({}) == []


def test_a_reply_is_kept_unless_the_client_says_no() -> None:
    request = ChatRequest("openai-responses", "m", (say("user", "hi"),))
    assert CHAINING.keeps(request)
    assert not CHAINING.keeps(ChatRequest("openai-responses", "m", (), store=False))


def test_an_unknown_reply_is_named() -> None:
    assert "resp_x" in CHAINING.unknown("resp_x").fault.message
