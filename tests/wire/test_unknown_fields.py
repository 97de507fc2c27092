"""Fields of a reply that nobody reads."""

from callgate.wire.unknown_fields import unread


def test_only_unknown_fields_that_say_something_are_found_with_their_place() -> None:
    value = {"known": 1, "none": None, "empty": [], "zero": 0, "said": {"deep": 1}, "more": "x"}
    assert unread(value, frozenset(("known",)), "a.b.") == [("a.b.said", {"deep": 1}), ("a.b.more", "x")]


def test_where_all_is_known_nothing_is_found() -> None:
    assert unread({"known": 1}, frozenset(("known", "other"))) == []
