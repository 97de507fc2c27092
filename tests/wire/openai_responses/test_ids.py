"""Ids follow from what they name."""

from callgate.wire.openai_responses.ids import call_id, fitting, is_ours, item_id, response_id


def test_a_fitting_response_id_is_kept_and_others_are_derived() -> None:
    assert response_id("resp_abc") == "resp_abc"
    assert response_id("chatcmpl-1") == response_id("chatcmpl-1") != response_id("chatcmpl-2")
    assert response_id("chatcmpl-1").startswith("resp_")
    assert response_id("") != response_id("")


def test_item_ids_are_stable_short_and_recognised() -> None:
    first = item_id("rs", "resp_1", 0)
    assert first == item_id("rs", "resp_1", 0) != item_id("rs", "resp_1", 1)
    assert is_ours(first)
    assert fitting(first, "rs")
    assert not is_ours("rs_68af")
    assert not fitting("toolu_1", "fc")


def test_only_overlong_call_ids_change() -> None:
    assert call_id("functions.f:0") == "functions.f:0"
    assert call_id("x" * 65) == call_id("x" * 65) != call_id("y" * 65)
