import pytest
import tree_sitter_bash
from tree_sitter import Language, Parser

from callgate.core.shell.words import Word, read_word, shown, text_of, without_steps_up

BASH = Language(tree_sitter_bash.language())


def word(raw: str) -> Word:
    node = Parser(BASH).parse(f"x {raw}".encode()).root_node.children[0].children[1]
    return read_word(node, text_of(node))


@pytest.mark.parametrize(
    ("raw", "literal", "text"),
    [
        ("a", "a", "a"),
        ("'a b'", "a b", "'a b'"),
        ('"a"', "a", "a"),
        ('"a\\"b"', 'a"b', "'a\"b'"),
        ("a\\*", "a*", "'a*'"),
        ("'*'", "*", "'*'"),
        ("*.py", "*.py", "*.py"),
        ("'..'/x", "../x", "../x"),
        ('src/".."/x', "src/../x", "x"),
        ("''", "", "''"),
        ("$HOME/x", "$HOME/x", "$HOME/x"),
    ],
)
def test_a_word_has_one_meaning_and_one_spelling(raw: str, literal: str, text: str) -> None:
    read = word(raw)
    assert (read.literal, read.text, read.concerns) == (literal, text, ())


@pytest.mark.parametrize(
    ("raw", "certain"), [("a", True), ("'*'", True), ("*", False), ("$HOME", False), ("a\\?", True)]
)
def test_what_depends_on_the_moment_is_not_certain(raw: str, certain: bool) -> None:
    assert word(raw).is_certain is certain


def test_a_pattern_behind_an_escaped_sign_is_still_a_pattern() -> None:
    assert word("src/.?\\/x").concerns


@pytest.mark.parametrize(
    ("text", "plain"), [("a/../b", "b"), ("./a/../b", "./b"), ("./a/../../b", "../b"), ("a..b", "a..b"), ("./a", "./a")]
)
def test_steps_up_are_resolved_and_a_leading_dot_stays(text: str, plain: str) -> None:
    assert without_steps_up(text) == plain


def test_a_long_piece_is_shortened_where_it_is_told_of() -> None:
    assert shown("a  \n b") == "a b"
    assert len(shown("x" * 200)) == 60
