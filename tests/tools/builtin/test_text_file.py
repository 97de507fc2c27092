import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.tools.builtin.source import ToolProblem
from callgate.tools.builtin.text_file import MOST_TEXT, TextForm, edited, read_text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"plain\n",
        "gr\u00fc\u00df \U0001f600\n".encode(),
        codecs.BOM_UTF8 + b"marked\r\n",
        codecs.BOM_UTF16_LE + "wide\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "wide\n".encode("utf-16-be"),
        b"gr\xfc\xdf in Latin-1\n",
        b"mixed\r\nendings\nand\rmore",
    ],
)
def test_a_text_that_is_read_and_written_is_the_same_bytes(data: bytes) -> None:
    text, form = read_text(data, "f")
    assert form.write(text) == data


@given(st.binary(max_size=200))
def test_any_bytes_survive_or_are_refused(data: bytes) -> None:
    try:
        text, form = read_text(data, "f")
    except ToolProblem:
        return
    assert form.write(text) == data


@pytest.mark.parametrize(
    ("data", "newline"),
    [(b"a\nb\n", "\n"), (b"a\r\nb\r\n", "\r\n"), (b"a\r\nb\n", ""), (b"a", "")],
)
def test_the_line_ending_is_known_where_there_is_only_one(data: bytes, newline: str) -> None:
    assert read_text(data, "f")[1].newline == newline


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\x89PNG\x00\x01", "binary file"),
        (codecs.BOM_UTF8 + b"\xff\xfe", "marked as utf-8"),
        (b"x" * (MOST_TEXT + 1), "too large"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, says: str) -> None:
    with pytest.raises(ToolProblem, match=says):
        read_text(data, "f")


def test_a_sign_that_the_encoding_cannot_hold_is_refused() -> None:
    _, form = read_text(b"gr\xfc\xdf", "f")
    with pytest.raises(ToolProblem, match=r"cannot hold .*U\+20AC"):
        form.write("\u20ac")


def test_one_occurrence_is_replaced() -> None:
    assert edited("a b c", TextForm(), "b", "x", replace_all=False, shown="f") == "a x c"


def test_several_occurrences_are_named_by_line_unless_all_are_meant() -> None:
    with pytest.raises(ToolProblem, match=r"found 2 times in f \(lines 1, 3\)"):
        edited("x\ny\nx\n", TextForm(), "x", "z", replace_all=False, shown="f")
    assert edited("x\ny\nx\n", TextForm(), "x", "z", replace_all=True, shown="f") == "z\ny\nz\n"


def test_a_text_that_is_not_there_is_said_to_be_missing() -> None:
    with pytest.raises(ToolProblem, match="was not found in f; nothing"):
        edited("abc", TextForm(), "xyz", "", replace_all=True, shown="f")
    with pytest.raises(ToolProblem, match="other white space"):
        edited("if x:\n    go()\n", TextForm(), "if x:\n\tgo()", "", replace_all=False, shown="f")


@pytest.mark.parametrize(("old", "new", "says"), [("", "x", "is empty"), ("a", "a", "are the same")])
def test_an_edit_that_changes_nothing_is_refused(old: str, new: str, says: str) -> None:
    with pytest.raises(ToolProblem, match=says):
        edited("abc", TextForm(), old, new, replace_all=False, shown="f")


def test_an_edit_written_with_plain_newlines_fits_a_file_with_others() -> None:
    text, form = read_text(b"a\r\nb\r\nc\r\n", "f")
    assert edited(text, form, "a\nb", "x\ny\nz", replace_all=False, shown="f") == "x\r\ny\r\nz\r\nc\r\n"
