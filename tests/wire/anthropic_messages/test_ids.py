"""Ids of calls."""

from callgate.wire.anthropic_messages.ids import CallIds, fit_id, is_message_id


def test_a_fitting_id_is_never_changed() -> None:
    assert fit_id("toolu_01-A_b") == "toolu_01-A_b"


def test_an_unfitting_id_always_becomes_the_same_fitting_one() -> None:
    assert fit_id("functions.read:0") == fit_id("functions.read:0")
    assert fit_id("functions.read:0") != fit_id("functions.read:1")
    assert fit_id(fit_id("functions.read:0")) == fit_id("functions.read:0")
    assert fit_id("functions.read:0").startswith("call_")
    assert fit_id("")


def test_repeated_ids_are_told_apart_and_results_consume_them_in_order() -> None:
    ids = CallIds()
    assert [ids.call("call_0"), ids.call("call_0")] == ["call_0", "call_0_d2"]
    assert [ids.result("call_0"), ids.result("call_0")] == ["call_0", "call_0_d2"]
    ids.new_turn()
    assert ids.call("call_0") == "call_0_d3"
    assert ids.result("call_0") == "call_0_d3"


def test_a_result_never_answers_a_call_of_an_earlier_turn() -> None:
    ids = CallIds()
    ids.call("a")
    ids.new_turn()
    second = ids.call("a")
    assert ids.result("a") == second


def test_a_made_up_id_never_meets_a_real_one() -> None:
    ids = CallIds()
    assert [ids.call(id) for id in ("a", "a_d2", "a")] == ["a", "a_d2", "a_d3"]


def test_only_the_wires_own_message_ids_are_known() -> None:
    assert is_message_id("msg_01X")
    assert not is_message_id("chatcmpl-1")
    assert not is_message_id("msg_")
