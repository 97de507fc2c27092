"""What a reply says beside what is read of it."""

from callgate.wire.anthropic_messages.unknown_fields import unread_block, unread_message, unread_usage


def test_fields_of_a_message_and_of_its_end_are_found() -> None:
    message = {
        "id": "m",
        "container": {"id": "c"},
        "stop_reason": "refusal",
        "stop_details": {"type": "refusal", "explanation": "no", "category": "cyber"},
    }
    assert unread_message(message) == [("container", {"id": "c"}), ("stop_details.category", "cyber")]


def test_an_end_that_nobody_knows_yet_is_found() -> None:
    assert unread_message({"stop_reason": "bored"}) == [("stop_reason", "bored")]


def test_fields_of_blocks_are_found_unless_the_block_comes_whole() -> None:
    assert unread_block({"type": "tool_use", "id": "t", "caller": {"type": "direct"}}) == [
        ("content.tool_use.caller", {"type": "direct"})
    ]
    assert unread_block({"type": "server_tool_use", "anything": 1}) == []
    assert unread_block({"type": "text", "text": "", "citations": [{"type": "x", "page": 3}]}) == [
        ("content.text.citations.page", 3)
    ]


def test_what_usage_counts_beside_tokens_is_found() -> None:
    assert unread_usage({"input_tokens": 1, "server_tool_use": {"n": 1}}) == [("usage.server_tool_use", {"n": 1})]
    assert unread_usage(None) == []
