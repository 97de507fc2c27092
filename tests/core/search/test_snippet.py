"""A hit is shown with the words around it, marked where it stands."""

from hypothesis import given
from hypothesis import strategies as st

from callgate.core.search.query import Word
from callgate.core.search.snippet import LENGTH, snippet


def marked(text: str, *words: Word) -> list[str]:
    shown = snippet(text, words)
    return [shown.text[start:end] for start, end in shown.hits]


def test_a_hit_deep_in_a_text_is_near_the_beginning_of_its_snippet() -> None:
    shown = snippet("filler " * 100 + "the needle is here " + "filler " * 100, [Word("need")])
    assert shown.first == "need"
    assert shown.text.startswith("…") and shown.text.endswith("…")
    assert shown.hits[0][0] < 40


def test_words_are_marked_whatever_their_case_and_accents() -> None:
    assert marked("Crème BRÛLÉE and creme", Word("creme"), Word("brulee")) == ["Crème", "BRÛLÉE", "creme"]


def test_only_beginnings_of_words_count_and_whole_words_where_quoted() -> None:
    assert marked("test attest testing", Word("test")) == ["test", "test"]
    assert marked("test testing", Word("test", exact=True)) == ["test"]


def test_punctuation_between_the_words_of_a_phrase_is_passed_over() -> None:
    assert marked("call read_file now", Word("read file", exact=True)) == ["read_file"]
    assert marked("call read file now", Word("read_f")) == ["read f"]


def test_a_text_without_the_words_shows_its_beginning_on_one_line() -> None:
    shown = snippet("one\n\n  two\tthree", [Word("zebra")])
    assert (shown.text, shown.hits, shown.first) == ("one two three", (), "")
    assert snippet("x", []).text == "x"


@given(st.text(max_size=400), st.text(max_size=20))
def test_marks_lie_within_the_text(text: str, word: str) -> None:
    shown = snippet(text, [Word(word)])
    assert len(shown.text) <= LENGTH + 2
    assert all(0 <= start < end <= len(shown.text) for start, end in shown.hits)


def test_what_is_markdown_is_shown_without_its_marks() -> None:
    text = "The clock **before** the `lock`"
    found = snippet(text, [Word("lock")], markdown=True)
    assert found.text == "The clock before the lock" and found.first == "lock"
    assert "**before**" in snippet(text, [Word("lock")]).text
