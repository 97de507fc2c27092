"""Ids for calls that have none."""

from callgate.wire.gemini_generate.ids import TurnIds


def ids(place: str, *names: str, signature: str = "") -> list[str]:
    turn = TurnIds(place)
    turn.saw(signature)
    return [turn.next(name) for name in names]


def test_the_same_place_gives_the_same_ids() -> None:
    assert ids("0", "f", "g") == ids("0", "f", "g")


def test_ids_differ_by_turn_order_and_name() -> None:
    first = ids("0", "f", "f", "g")
    assert len({*first, *ids("1", "f", "f", "g")}) == 6
    assert all(id.startswith("call_") and len(id) == 29 for id in first)


def test_a_signature_names_a_turn_wherever_it_stands() -> None:
    assert ids("a reply", "f", "g", signature="sig") == ids("a request", "f", "g", signature="sig")


def test_a_signature_that_was_encoded_anew_is_the_same_signature() -> None:
    assert ids("a", "f", signature="ab+/cQ==") == ids("b", "f", signature="ab-_cQ")
