"""Colours survive; nothing else that a terminal would obey does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.text.terminal import LONGEST_LINE, Run, Style, is_colored, lines_of, plain


def words(text: str) -> list[str]:
    return ["".join(run.text for run in line) for line in lines_of(text)]


def test_colours_and_weights_are_kept_until_they_end() -> None:
    [line] = lines_of("\x1b[1;31mFAILED\x1b[0m one \x1b[38;5;196mred\x1b[39m \x1b[48;2;1;2;3mrgb\x1b[m")
    assert line == [
        Run("FAILED", Style("red", bold=True)),
        Run(" one "),
        Run("red", Style((255, 0, 0))),
        Run(" "),
        Run("rgb", Style(ground=(1, 2, 3))),
    ]


def test_a_colour_goes_on_in_the_next_line() -> None:
    assert [line[0].style.ink for line in lines_of("\x1b[92mone\ntwo")] == ["bright green", "bright green"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;title\x07after", ["after"]),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", ["link"]),
        ("up\x1b[2Aand\x1b[2Kgone", ["upandgone"]),
        ("10%\r50%\r100%\ndone", ["100%", "done"]),
        ("a\r\nb", ["a", "b"]),
        ("abc\b\bX", ["aX"]),
        ("\x1b[31", ["31"]),
        ("bell\x07", ["bell"]),
    ],
)
def test_everything_else_is_dropped(text: str, shown: list[str]) -> None:
    assert words(text) == shown


def test_what_cannot_be_seen_is_spelled_as_whoever_shows_it_wants() -> None:
    [line] = lines_of("a\x07b", lambda text: text.replace("\x07", "⟨bell⟩"))
    assert line == [Run("a⟨bell⟩b")]


@given(st.text(alphabet="ab\x1b[]0;31mKA\r\n\b\x07\\", max_size=60))
def test_no_escape_ever_reaches_the_screen(text: str) -> None:
    assert not any(letter in line for line in words(text) for letter in "\x1b\r\b\x07")


def test_an_endless_line_is_cut_for_the_screen() -> None:
    assert len(words("x" * LONGEST_LINE * 10)) > 1


def test_words_alone() -> None:
    assert plain("\x1b[1mbold\x1b[0m") == "bold"
    assert is_colored("\x1b[1mbold") and not is_colored("bold [1m")
