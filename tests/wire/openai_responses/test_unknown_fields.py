"""What a response says beside what is read of it."""

from callgate.wire.openai_responses.unknown_fields import unread_item, unread_response


def test_fields_of_items_and_of_their_content_are_found() -> None:
    item = {
        "type": "message",
        "id": "msg_1",
        "phase": "commentary",
        "content": [{"type": "output_text", "text": "a", "mood": 1}, {"type": "hologram"}],
    }
    assert unread_item(item) == [
        ("output.message.phase", "commentary"),
        ("output.message.content.output_text.mood", 1),
        ("output.message.content.hologram", True),
    ]


def test_an_item_that_comes_whole_is_named_as_a_whole_elsewhere() -> None:
    assert unread_item({"type": "web_search_call", "action": {"query": "a"}}) == []


def test_what_a_response_repeats_of_its_request_is_nothing_new() -> None:
    response = {"id": "r", "tools": [1], "temperature": 1, "service_tier": "flex", "usage": {"input_tokens": 1, "x": 2}}
    assert unread_response(response) == [("service_tier", "flex"), ("usage.x", 2)]
