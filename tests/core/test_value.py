"""Values are made cheaply, compared by what they hold, and changed by nobody: the type checker sees to that."""

from dataclasses import replace

import pytest

from callgate.core.value import value


@value
class Place:
    name: str
    number: int = 0


def test_values_are_alike_where_they_hold_the_same() -> None:
    assert Place("a", 1) == Place("a", 1) != Place("a", 2)
    assert {Place("a"), Place("a")} == {Place("a")}


def test_a_value_has_only_its_own_fields() -> None:
    with pytest.raises(AttributeError):
        Place("a").unknown = 1  # type: ignore[attr-defined]


def test_another_value_is_made_from_one_and_leaves_it_as_it_was() -> None:
    place = Place("a", 1)
    assert replace(place, number=2) == Place("a", 2)
    assert place == Place("a", 1)


def test_the_type_checker_is_told_that_values_are_frozen() -> None:
    told = vars(value)["__dataclass_transform__"]
    assert {**told, **told["kwargs"]}["frozen_default"] is True
