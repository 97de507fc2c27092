"""Events are led to their items, also where a server leaves out or changes what tells them apart."""

from typing import Any

from callgate.wire.openai_responses.announced import Announced

ADDED, DONE, TEXT = "output_item.added", "output_item.done", "output_text.delta"


def item(id: str) -> dict[str, Any]:
    return {"item": {"id": id}}


def test_an_event_belongs_to_the_item_at_its_place() -> None:
    announced, repairs = Announced(), list[str]()
    announced.add(0, "msg_1")
    announced.add(3, "fc_1")
    assert announced.find(TEXT, {"output_index": 0, "item_id": "msg_1"}, repairs) == 0
    assert announced.next == 4
    assert not repairs


def test_without_a_place_it_belongs_to_the_item_of_its_id_else_to_the_last_one() -> None:
    announced, repairs = Announced(), list[str]()
    assert announced.find(ADDED, item("msg_1"), repairs) == 0
    announced.add(0, "msg_1")
    assert announced.find(ADDED, item("fc_1"), repairs) == 1, "one that begins is never one that is there"
    announced.add(1, "fc_1")
    assert announced.find(TEXT, {"item_id": "msg_1"}, repairs) == 0
    assert announced.find(TEXT, {}, repairs) == 1
    assert announced.find(DONE, item("fc_2"), repairs) == 2
    assert set(repairs) == {
        "an event of an item had no output_index",
        "an item was not announced by response.output_item.added",
    }


def test_another_id_is_a_repair() -> None:
    announced, repairs = Announced(), list[str]()
    announced.add(0, "msg_1")
    assert announced.find(TEXT, {"output_index": 0, "item_id": "msg_2"}, repairs) == 0
    assert repairs == ["an item's id was changed"]


def test_events_of_unknown_kinds_need_no_item() -> None:
    repairs: list[str] = []
    assert Announced().find("novel.delta", {"output_index": 5, "item_id": "x"}, repairs) == 5
    assert not repairs


def test_the_final_response_must_list_every_item_that_ended_under_its_id() -> None:
    announced = Announced()
    announced.add(0, "msg_1")
    assert not announced.are_told_in([{"id": "msg_1"}]), "it has not ended"
    announced.end(0)
    assert announced.are_told_in([{"id": "msg_1"}])
    assert announced.are_told_in([{"id": "rs_1"}, {"id": "msg_1"}]), "more than was streamed"
    assert not announced.are_told_in([])
    assert not announced.are_told_in([{"id": "msg_2"}])
