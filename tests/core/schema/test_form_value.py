import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.schemas import ANYTHING

from callgate.core.schema.form_value import ABSENT, UnreadableJson, read_json, same, spelled, with_key


@pytest.mark.parametrize(
    ("a", "b"), [(1, 1.0), (1, True), (0, False), (0.0, -0.0), ("1", 1), (None, ABSENT), ([1], [1.0])]
)
def test_values_of_different_kinds_are_not_the_same(a: object, b: object) -> None:
    assert not same(a, b)  # type: ignore[arg-type]


def test_the_order_of_keys_does_not_make_values_differ() -> None:
    assert same({"a": [1, {"b": None}], "c": 2}, {"c": 2, "a": [1, {"b": None}]})


@given(ANYTHING)
def test_what_is_spelled_reads_back_as_exactly_the_same_value(value: object) -> None:
    assert same(read_json(spelled(value)), value)  # type: ignore[arg-type]
    assert same(read_json(spelled(value, 2)), value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "letter", ["\u200b", "\u00a0", "\u2028", "\u202e", "\x7f", "\ud800", "\ufe0f", "\u3164", "\U000e0041"]
)
def test_letters_that_no_screen_shows_are_escaped(letter: str) -> None:
    text = spelled({"k": f"a{letter}b"})
    assert letter not in text
    assert text.isascii()
    assert json.loads(text) == {"k": f"a{letter}b"}


def test_letters_of_other_languages_stay_readable() -> None:
    assert spelled("größe 名 ❤") == '"größe 名 ❤"'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "line 1, column 2"),
        ('{"a": 1, "a": 2}', '"a" stands twice'),
        ("NaN", "NaN is not JSON"),
        ("1e999", "too large"),
        ("[" * 100_000, "nested too deep"),
        ("9" * 5000, "Exceeds the limit"),
    ],
)
def test_a_text_that_is_no_json_is_refused_in_words(text: str, why: str) -> None:
    with pytest.raises(UnreadableJson, match=why):
        read_json(text)


def test_a_new_key_goes_where_the_schema_has_it_and_others_stay() -> None:
    value = {"x": 0, "c": 3, "a": 1}
    assert list(with_key(value, "b", 2, ("a", "b", "c"))) == ["x", "b", "c", "a"]
    assert list(with_key(value, "c", 9, ("a", "b", "c"))) == ["x", "c", "a"]
    assert list(with_key(value, "new", 9)) == ["x", "c", "a", "new"]
    assert with_key(value, "c", ABSENT) == {"x": 0, "a": 1}


@given(st.integers())
def test_integers_of_any_size_stay_what_they_are(value: int) -> None:
    assert read_json(spelled(value)) == value
