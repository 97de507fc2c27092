"""Items open, fill and close in order, each with one added and one done."""

from collections.abc import Mapping

from callgate.core.deltas import CallStarted
from callgate.core.messages import Json
from callgate.wire.openai_responses.ledger import Ledger
from callgate.wire.openai_responses.open_items import OpenItems


class Told:
    """Open items whose events are kept."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.ledger = Ledger()
        self.open = OpenItems(self.ledger, self.emit)

    def emit(self, kind: str, fields: Mapping[str, Json]) -> bytes:
        self.events.append(kind.removeprefix("response."))
        self.ledger.note({"type": kind, **fields})
        return b"x"


def test_a_new_part_of_the_same_message_gets_its_own_content() -> None:
    told = Told()
    told.open.words(0, "output_text", "a")
    told.open.words(1, "output_text", "b")
    told.open.words(2, "refusal", "c")
    told.open.close_all("completed")
    (item,) = told.ledger.finished_items()
    assert isinstance(item, dict)
    assert item["content"] == [
        {"type": "output_text", "annotations": [], "logprobs": [], "text": "a"},
        {"type": "output_text", "annotations": [], "logprobs": [], "text": "b"},
        {"type": "refusal", "refusal": "c"},
    ]
    assert told.events.count("output_item.added") == told.events.count("output_item.done") == 1


def test_a_call_closes_the_words_before_it_and_stays_open_beside_others() -> None:
    told = Told()
    told.open.words(0, "output_text", "a")
    told.open.start_call(CallStarted(1, "c1", "f"))
    told.open.start_call(CallStarted(2, "c2", "g", "custom"))
    told.open.arguments(2, "free")
    told.open.arguments(1, "{}")
    told.open.end_call(2, "free")
    assert [record.done for record in told.ledger.items.values()] == [True, False, True]
    told.open.close_all("completed")
    assert len(told.ledger.finished_items()) == 3


def test_deltas_of_unknown_calls_are_not_written() -> None:
    told = Told()
    assert told.open.arguments(3, "x") + told.open.end_call(3, "x") + told.open.sign(3, "", "") == b""
    assert told.events == []


def test_an_id_is_not_given_twice() -> None:
    told = Told()
    told.open.start_call(CallStarted(0, "c1", "f", item_id="fc_1"))
    told.open.start_call(CallStarted(1, "c2", "f", item_id="fc_1"))
    told.open.close_all("completed")
    assert len({record.id for record in told.ledger.items.values()}) == 2


def test_a_signature_without_words_is_an_item_of_its_own() -> None:
    told = Told()
    told.open.sign(0, "cg1.x", "")
    assert told.events == ["output_item.added", "output_item.done"]


def test_a_signature_that_comes_too_late_makes_no_second_item() -> None:
    told = Told()
    told.open.reasoning(0, "Hm", "rs_1")
    told.open.words(1, "output_text", "So")
    assert told.open.sign(0, "gAAAA", "rs_1") == b""
