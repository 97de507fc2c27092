"""Message items of a stream: their words, and the rest of the item with the first of them."""

from itertools import count

from callgate.core.deltas import PartArrived, RefusalDelta, TextDelta
from callgate.core.messages import Refusal, Text
from callgate.wire.openai_responses.marks import ITEM
from callgate.wire.openai_responses.partial_messages import LATE_TEXT, PartialMessages

BEGUN = {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "status": "in_progress"}
KEPT = {"id": "msg_1", "type": "message", "status": "completed"}
UNANNOUNCED = "words were not announced by response.content_part.added"


def making() -> PartialMessages:
    numbers = count()
    return PartialMessages(lambda: next(numbers))


def test_the_first_words_of_an_item_carry_the_rest_of_it_and_no_others_do() -> None:
    messages, repairs = making(), list[str]()
    messages.begin(0, BEGUN)
    messages.announce(0, {"content_index": 0})
    first = messages.grow(0, "output_text", {"content_index": 0, "delta": "Hel"}, repairs)
    assert first == [PartArrived(0, Text("", {ITEM: KEPT})), TextDelta(0, "Hel")]
    assert messages.grow(0, "output_text", {"content_index": 0, "delta": "lo"}, repairs) == [TextDelta(0, "lo")]
    assert messages.said(0, "refusal", {"content_index": 1, "refusal": "No"}, repairs) == [RefusalDelta(1, "No")]
    assert repairs == [LATE_TEXT]


def test_an_item_that_was_never_begun_is_known_at_its_end() -> None:
    messages, repairs = making(), list[str]()
    whole = {**BEGUN, "content": [{"type": "refusal", "refusal": "No"}], "status": "completed"}
    assert messages.end(0, whole, repairs) == [PartArrived(0, Refusal("", {ITEM: KEPT})), RefusalDelta(0, "No")]
    assert repairs == [LATE_TEXT]


def test_words_that_nobody_announced_are_a_repair_and_empty_ones_are_nothing() -> None:
    messages, repairs = making(), list[str]()
    assert messages.grow(0, "output_text", {"delta": ""}, repairs) == []
    assert messages.grow(0, "output_text", {"delta": "Hi"}, repairs) == [TextDelta(0, "Hi")]
    assert repairs == [UNANNOUNCED, UNANNOUNCED]
