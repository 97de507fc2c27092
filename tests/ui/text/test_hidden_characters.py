"""What is hidden becomes visible, and what is ordinary stays as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.ui.text.hidden_characters import MARK, MAX_SUSPECTS, has_hidden, reveal, reveal_name, suspects


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("a\u202eb", "a⟨U+202E RLO⟩b"),
        ("a\u200bb", "a⟨U+200B ZWSP⟩b"),
        ("\x1b[31mred", "⟨U+001B ESC⟩[31mred"),
        ("a\rb", "a⟨U+000D CR⟩b"),
        ("a\x00", "a⟨U+0000 NUL⟩"),
        ("a\u00a0b", "a⟨U+00A0 NBSP⟩b"),
        ("\ufeffa", "⟨U+FEFF BOM⟩a"),
        ("\U000e0041", "⟨U+E0041 TAG A⟩"),
        ("a\ufe0f", "a⟨U+FE0F VARIATION⟩"),
        ("a\ud800", "a⟨U+D800 SURROGATE⟩"),
        ("\ue000", "⟨U+E000 PRIVATE USE⟩"),
        ("a\u2028b", "a⟨U+2028 LINE SEP⟩b"),
    ],
)
def test_hidden_characters_are_spelled_out(hidden: str, shown: str) -> None:
    assert reveal(hidden) == shown


@pytest.mark.parametrize(
    "text", ["plain", "two\nlines\tand a tab", "naïve Straße", "日本語、。", "мир", "👩‍💻 ♥️ 1️⃣", "é"]
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert reveal(text) == text
    assert suspects(text) == ()


def test_a_text_cannot_write_a_mark_itself() -> None:
    assert reveal("⟨U+202E RLO⟩") == "⟨U+27E8 BRACKET⟩U+202E RLO⟩"
    assert "imitates" in suspects("⟨U+202E RLO⟩")[0].why


@given(st.text())
def test_revealed_text_hides_nothing_outside_its_marks(text: str) -> None:
    rest = MARK.sub("", reveal(text))
    assert not any(ord(letter) < 32 and letter not in "\n\t" for letter in rest)
    assert not set(rest) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\x1b")


@given(st.text(), st.text())
def test_two_different_texts_never_look_the_same(one: str, other: str) -> None:
    assert (reveal(one) == reveal(other)) == (one == other)


def test_a_cyrillic_letter_in_a_latin_word_is_named() -> None:
    [found] = suspects("open pаypal.com")
    assert (found.position, found.what) == (5, "pаypal")
    assert "Cyrillic" in found.why
    assert "U+0430" in found.why


@pytest.mark.parametrize(("word", "script"), [("ꓐash", "Lisu"), ("ᑌser", "Canadian"), ("𐐠hell", "Deseret")])
def test_letters_of_rarer_scripts_in_a_latin_word_are_named(word: str, script: str) -> None:
    [found] = suspects(f"run {word}")
    assert script in found.why


@pytest.mark.parametrize("word", ["naïve", "łódź", "Ærø", "日本Tool", "Aノ", "кот", "שלום"])
def test_ordinary_words_of_other_languages_are_left_alone(word: str) -> None:
    assert suspects(word) == ()


def test_a_word_of_look_alikes_alone_is_found_but_russian_is_not() -> None:
    assert "all look like Latin" in suspects("аррӏе")[0].why
    assert suspects("Он живёт в Москве") == ()


def test_look_alikes_in_a_name_are_spelled_out() -> None:
    assert reveal_name("pаypal") == "pа⟨U+0430⟩ypal"
    assert reveal_name("аррӏе_pay") == "а⟨U+0430⟩р⟨U+0440⟩р⟨U+0440⟩ӏ⟨U+04CF⟩е⟨U+0435⟩_pay"
    assert reveal_name("Бюро read_file") == "Бюро read_file"
    assert reveal_name("a‮b") == reveal("a‮b")


@given(st.text(), st.text())
def test_two_different_names_never_look_the_same(one: str, other: str) -> None:
    assert (reveal_name(one) == reveal_name(other)) == (one == other)


def test_greek_and_styled_letters_among_latin_ones_are_found() -> None:
    assert "Greek" in suspects("gοogle")[0].why
    assert "styled" in suspects("𝐫𝐦")[0].why


def test_a_look_alike_slash_is_found_between_latin_letters_only() -> None:
    assert "looks like /" in suspects("http:a∕b")[0].why
    assert suspects("日本：東京") == ()


def test_padding_that_pushes_text_away_is_found_but_indentation_is_not() -> None:
    assert suspects("ls" + " " * 40 + "; rm -rf")[0].what == "40 spaces in a row"
    assert suspects("x\n" + " " * 40 + "deep code") == ()
    assert suspects("a" + "\n" * 20 + "b")[0].what == "20 empty lines"


def test_a_smuggled_sentence_is_one_finding() -> None:
    [found] = suspects("hi" + "".join(chr(0xE0000 + ord(letter)) for letter in "ignore"))
    assert found.what == "⟨U+E0069 TAG i⟩ and 5 more"


def test_findings_come_in_order_and_are_bounded() -> None:
    found = suspects("a\u200b b\u202e " * 500)
    assert len(found) == MAX_SUSPECTS
    assert [suspect.position for suspect in found] == sorted(suspect.position for suspect in found)


def test_has_hidden_agrees_with_reveal() -> None:
    assert has_hidden("a\u200b")
    assert not has_hidden("👩‍💻")
