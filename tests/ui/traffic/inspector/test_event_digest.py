"""Of an event only what is new is told, with the end of its path."""

from callgate.core.messages import Json
from callgate.ui.traffic.inspector.event_digest import digest

BEFORE: Json = {
    "id": "chatcmpl-1",
    "model": "m",
    "choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}],
}
AFTER: Json = {"id": "chatcmpl-1", "model": "m", "choices": [{"index": 0, "delta": {"content": "Hello"}}]}


def test_what_the_event_before_said_is_left_out() -> None:
    assert digest(AFTER, BEFORE) == 'delta.content "Hello"'
    assert digest(AFTER, AFTER) == "", "it says the same again"


def test_an_event_of_another_kind_is_told_whole() -> None:
    told = digest({"type": "message_stop"}, {"type": "message_delta", "usage": {"output_tokens": 3}})
    assert told == 'type "message_stop"'
    assert digest({"type": "a", "n": 1}, None) == 'type "a"  n 1'


def test_what_is_no_structure_has_no_digest() -> None:
    assert digest("[DONE]", AFTER) == "" and digest(None, AFTER) == ""


def test_a_huge_event_is_not_told_to_its_end() -> None:
    assert digest({str(n): n for n in range(500)}, {}).count("  ") == 59


def test_a_half_letter_is_told_somehow() -> None:
    assert "ud83d" in digest({"text": "\ud83d"}, {})
