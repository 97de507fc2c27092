"""Tries of a turn: one is shown, the others are folded with all that followed from them."""

from callgate.ui.conversation.branches import Branches


def grown() -> Branches:
    """a → b → d, and a → c, the second try."""
    branches = Branches()
    for one, parent in (("a", ""), ("b", "a"), ("d", "b"), ("c", "a")):
        branches.add(one, parent)
    return branches


def test_nothing_is_folded_until_something_is_chosen() -> None:
    assert grown().folded() == (frozenset(), frozenset())
    assert grown().tries("c") == ("b", "c") and grown().is_chosen("b") and grown().is_chosen("c")


def test_the_others_go_with_their_descendants_and_only_the_try_itself_is_named() -> None:
    branches = grown()
    branches.choose("c")
    assert branches.folded() == (frozenset({"b", "d"}), frozenset({"b"}))
    branches.choose("b")
    assert branches.folded() == (frozenset({"c"}), frozenset({"c"}))
    branches.choose_all("b")
    assert branches.folded() == (frozenset(), frozenset())


def test_a_folded_try_within_a_folded_try_is_not_named() -> None:
    branches = grown()
    branches.add("e", "b")
    branches.choose("e")
    branches.choose("c")
    assert branches.folded() == (frozenset({"b", "d", "e"}), frozenset({"b"}))


def test_what_was_chosen_is_taken_over_where_it_still_exists() -> None:
    branches = grown()
    branches.restore({"a": "b", "x": "gone"})
    assert branches.chosen == {"a": "b"}


def test_an_exchange_is_taken_in_once() -> None:
    branches = grown()
    assert branches.add("c", "a") == ("b", "c")
