import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callgate.ui.tools.query import Query, Term, excerpt, finds_tag, highlights, names, read_query, words_in


def _terms(text: str) -> list[tuple[str, str, bool]]:
    return [(term.kind, term.value, term.negated) for term in read_query(text).terms]


def test_parts_are_told_apart() -> None:
    assert _terms('  Read get_* tag:files -source:git used:>5 "two words" -x') == [
        ("word", "read", False),
        ("glob", "get_*", False),
        ("tag", "files", False),
        ("source", "git", True),
        ("used", ">5", False),
        ("text", "two words", False),
        ("word", "x", True),
    ]


def test_values_with_blanks_are_quoted() -> None:
    assert _terms('source:"a person" agent:"open') == [("source", "a person", False), ("agent", "open", False)]


def test_nothing_typed_is_an_empty_query() -> None:
    assert read_query("   ").is_empty


def test_a_part_without_its_value_yet_hides_nothing() -> None:
    assert read_query("tag: source: - -tag:").terms in ((), (Term("word", "-", False, "-"),))
    assert read_query("lint:").is_empty


def test_a_colon_that_is_no_field_is_text() -> None:
    assert _terms("http://x a:b") == [("word", "http://x", False), ("word", "a:b", False)]


def test_a_query_can_be_written_without_one_of_its_parts() -> None:
    query = read_query('read tag:files -"two words"')
    assert str(query) == 'read tag:files -"two words"'
    assert str(query.without(query.terms[1])) == 'read -"two words"'


def test_names_fit_from_their_start_or_as_a_whole_with_wildcards() -> None:
    assert names("fi", "files") and not names("le", "files")
    assert names("*les", "files") and not names("f?", "files")
    assert names("a[b]*", "a[b]c")


@pytest.mark.parametrize(
    ("name", "text", "ranges"),
    [
        ("read_file", "file", [(5, 4)]),
        ("read_file", "re fi", [(0, 2), (5, 2)]),
        ("read_file", "read ad_", [(0, 5)]),
        ("read_file", "rdf", [(0, 1), (3, 1), (5, 1)]),
        ("get_weather", "get_*", [(0, 4)]),
        ("get_weather", "-get", []),
        ("get_weather", "zzz", []),
    ],
)
def test_the_typed_words_are_marked_in_the_name(name: str, text: str, ranges: list[tuple[int, int]]) -> None:
    assert highlights(name, read_query(text)) == ranges


@settings(deadline=None)
@given(st.text(max_size=20), st.text(max_size=20))
def test_marks_always_lie_inside_of_the_name_in_order(name: str, text: str) -> None:
    end = 0
    for start, length in highlights(name, read_query(text)):
        assert start >= end and length > 0 and start + length <= len(name)
        end = start + length


@given(st.text(max_size=40))
def test_anything_can_be_typed(text: str) -> None:
    assert isinstance(read_query(text), Query)


def test_a_tag_that_explains_the_match_is_known() -> None:
    assert finds_tag("files", read_query("fi"))
    assert finds_tag("files", read_query("tag:files"))
    assert not finds_tag("files", read_query("-tag:files"))
    assert not finds_tag("edit", read_query("tag:files"))


TOLD = ("", "Reads one file of the workspace,\nand tells how many lines it has in all, blank ones included.")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("read", ""),
        ("rdf", ""),
        ("tag:files", ""),
        ("file workspace", "…one file of the workspace, and tells how many lines it has in all, blank ones included."),
        ("lines", "…workspace, and tells how many lines it has in all, blank ones included."),
        ("nowhere", ""),
    ],
)
def test_a_tool_found_by_what_is_told_of_it_says_where(typed: str, shown: str) -> None:
    assert excerpt("read_file", TOLD, read_query(typed)) == shown


def test_words_are_marked_in_a_sentence_letter_for_letter() -> None:
    assert words_in("Reads lines of a line", read_query("line reads")) == [(0, 5), (6, 4), (17, 4)]
    assert words_in("nothing", read_query("line")) == []
