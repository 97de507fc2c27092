import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.text.fuzzy import EXACT, INSIDE, LOOSE, START, WORD, Fuzzy, spaced


def _score(word: str, name: str) -> int:
    return Fuzzy.of(word).score(name.lower(), spaced(name))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("read_file", " read file"),
        ("readFile", " read file"),
        ("git-status", " git status"),
        ("HTTPGet2", " httpget2"),
        ("__x__", " x"),
    ],
)
def test_a_name_is_taken_apart_into_its_words(name: str, words: str) -> None:
    assert spaced(name).split() == words.split()
    assert spaced(name).startswith(" ")


def test_the_better_a_word_fits_the_higher_it_scores() -> None:
    assert _score("read_file", "read_file") == EXACT
    assert _score("read", "read_file") == START
    assert _score("file", "read_file") == WORD
    assert _score("ile", "read_file") == INSIDE
    assert 0 < _score("rdf", "read_file") < LOOSE
    assert _score("rf", "read_file") == LOOSE > _score("rdf", "read_file")


def test_letters_in_order_must_begin_where_a_word_begins() -> None:
    assert _score("rf", "readFile")
    assert _score("ef", "read_file") == 0
    assert _score("fr", "read_file") == 0
    assert _score("z", "read_file") == 0


def test_letters_far_apart_are_a_coincidence() -> None:
    assert _score("abz", "ab" + "c" * 60 + "z") == 0
    assert _score("abz", "abc_z")


def test_two_letters_are_the_beginnings_of_words() -> None:
    assert _score("rd", "read_file") == 0 and _score("gi", "get_all_issues") == 0
    assert _score("ga", "get_all_issues") and _score("ai", "get_all_issues")


@pytest.mark.parametrize(
    ("word", "name", "spans"),
    [
        ("file", "read_file", ((5, 4),)),
        ("rdf", "read_file", ((0, 1), (3, 1), (5, 1))),
        ("rf", "readFile", ((0, 1), (4, 1))),
        ("ReAd", "read_file", ((0, 4),)),
        ("zz", "read_file", ()),
    ],
)
def test_the_letters_that_fit_are_known_by_their_places(word: str, name: str, spans: tuple) -> None:
    assert Fuzzy.of(word).spans(name) == spans


@given(st.text(max_size=12), st.text(max_size=24))
def test_places_lie_in_the_name_and_spell_the_word(word: str, name: str) -> None:
    end = 0
    for start, length in Fuzzy.of(word).spans(name):
        assert start >= end and start + length <= len(name)
        end = start + length
