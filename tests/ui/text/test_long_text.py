"""Bytes of any kind and length are shown without stalling and without lying."""

import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot
from tests.fakes.loop import BoundLoop

from callgate.ui.text.long_text import PORTION, LongText, as_letters, hex_lines, is_binary
from callgate.ui.theme.theme import Theme

LONGEST_STALL = 0.25
"""Far above the 50 ms that are promised: this machine may be busy with other things."""


@pytest.fixture
def text(qtbot: QtBot, theme: Theme) -> LongText:
    text = LongText(theme, "Raw")
    qtbot.addWidget(text)
    text.resize(500, 300)
    text.show()
    return text


def test_text_is_shown_with_what_is_hidden_revealed(text: LongText) -> None:
    text.show_bytes("ab\u202ecd\n<b>no markup</b>".encode())
    assert text.text.toPlainText() == "ab⟨U+202E RLO⟩cd\n<b>no markup</b>"


def test_a_few_bytes_that_are_no_text_are_spelled(text: LongText) -> None:
    text.show_bytes(b'{"name": "caf\xe9"}')
    assert text.text.toPlainText() == '{"name": "caf\\xe9"}'


def test_binary_is_shown_as_hexadecimal(text: LongText) -> None:
    text.show_bytes(b"\x00\x01PNG" + bytes(range(200, 216)))
    assert text.text.toPlainText().splitlines()[0].startswith("00000000  00 01 50 4e 47 c8")
    assert "··PNG" in text.text.toPlainText()


def test_megabytes_come_in_slices_and_in_portions(text: LongText, loop: BoundLoop) -> None:
    data = ("x" * 5000 + "\n").encode() * (5 * PORTION // 5001)
    began = time.perf_counter()
    text.show_bytes(data)
    assert time.perf_counter() - began < LONGEST_STALL
    loop.until(lambda: text.is_loaded)
    assert text.more.isVisible() and "MB left" in text.more.text()
    shown = len(text.text.toPlainText())
    text.more.click()
    loop.until(lambda: text.is_loaded)
    assert len(text.text.toPlainText()) > shown


def test_what_only_grew_is_continued_where_one_reads(text: LongText) -> None:
    text.show_bytes(b"data: 1\n")
    text.show_bytes(b"data: 1\ndata: 2\n")
    assert "data: 1" in text.text.toPlainText() and "data: 2" in text.text.toPlainText()
    text.show_bytes(b"other")
    assert text.text.toPlainText() == "other"


def test_a_portion_never_cuts_a_letter(text: LongText, loop: BoundLoop) -> None:
    text.show_bytes(("é" * PORTION).encode())
    loop.until(lambda: text.is_loaded)
    text.more.click()
    loop.until(lambda: text.is_loaded)
    assert "\\x" not in text.text.toPlainText()


@given(st.binary(max_size=300))
def test_hexadecimal_lines_hold_every_byte(data: bytes) -> None:
    told = b"".join(bytes.fromhex(line[10:58]) for line in hex_lines(data))
    assert told == data


@given(st.text(max_size=200))
def test_text_is_never_taken_for_binary_unless_it_holds_a_zero(letters: str) -> None:
    data = letters.encode("utf-8", "replace")
    assert is_binary(data) == (b"\0" in data) or letters.count("\ufffd") > 3
    if not is_binary(data):
        assert as_letters(data).encode() == data


def test_noise_is_binary() -> None:
    assert is_binary(os.urandom(4096))
