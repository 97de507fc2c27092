import pytest

from callgate.core.shell.lexing import (
    is_blank,
    is_one_word,
    separates,
    strange_character,
    too_intricate,
    unquoted_lines,
)


@pytest.mark.parametrize(
    "raw", ["a", "a\\ b", "'a b'", '"a b"', "a'b'\"c\"", "${a b}", "$(a b)", "\\'", '"a\\"b"', "é"]
)
def test_one_word_is_one_word(raw: str) -> None:
    assert is_one_word(raw)


@pytest.mark.parametrize(
    "raw", ["", "a b", "a;b", "a\nb", "'a", '"a', "a\\", "a\\\nb", "a|b", "a`b`", "(a)", "$(a", "a>b"]
)
def test_anything_else_is_not(raw: str) -> None:
    assert not is_one_word(raw)


def test_gaps_are_blanks_and_continued_lines() -> None:
    assert is_blank(" \t\n") and is_blank(" \\\n ") and is_blank("")
    assert not is_blank("\r") and not is_blank("\u00a0") and not is_blank("x")
    assert separates(" ") and separates(" \\\n")
    assert not separates("") and not separates("\\\n") and not separates("\n")


@pytest.mark.parametrize(
    ("text", "name"), [("a\tb\n", ""), ("a\x00", "U+0000"), ("a\u202eb", "U+202E"), ("\ud800", "U+D800")]
)
def test_characters_that_cannot_be_seen_are_named(text: str, name: str) -> None:
    assert strange_character(text) == name


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\nb", [(0, "a"), (2, "b")]),
        ("a 'x\ny' b\nc", [(0, "a 'x\ny' b"), (10, "c")]),
        ('a "x\ny"\nc', [(0, 'a "x\ny"'), (8, "c")]),
        ("a \\\nb", [(0, "a \\\nb")]),
        ("a &&\nb | \nc", [(0, "a &&\nb | \nc")]),
        ("a '\nb", [(0, "a '\nb")]),
    ],
)
def test_lines_are_cut_where_a_command_ends(text: str, lines: list[tuple[int, str]]) -> None:
    assert unquoted_lines(text) == lines


def test_a_line_of_signs_is_too_intricate() -> None:
    assert too_intricate("|" * 301) and not too_intricate("a" * 9000)
