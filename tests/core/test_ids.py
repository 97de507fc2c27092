"""Identifiers."""

import re

from callgate.core.ids import new_id


def test_an_id_says_what_it_is_of_and_has_the_length_of_openais_own() -> None:
    assert re.fullmatch(r"call_[A-Za-z0-9]{24}", new_id("call"))


def test_no_two_are_the_same_and_every_letter_occurs() -> None:
    ids = {new_id("x") for _ in range(1_000)}
    assert len(ids) == 1_000
    assert len(set("".join(one.removeprefix("x_") for one in ids))) == 62
