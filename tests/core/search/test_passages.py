"""Texts are cut so that nothing is lost and no word is halved."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.store.samples import a_conversation, of_the_program, started

from callgate.core.events import RoundEnded
from callgate.core.messages import File, Message, Text
from callgate.core.search.passages import LONGEST, MOST, passages, spaced, unspaced


def cut(text: str) -> list[str]:
    event = RoundEnded("e", "c", 1, Message("assistant", (Text(text),)), "stop", None, 1.0)
    return [passage.text for passage in passages(event)]


def test_a_long_text_is_cut_between_words() -> None:
    words = [f"word{number}" for number in range(3000)]
    pieces = cut(" ".join(words))
    assert all(len(piece) <= LONGEST for piece in pieces)
    assert " ".join(pieces).split() == words


def test_a_text_without_end_is_cut_off() -> None:
    assert len(cut("x" * (LONGEST * (MOST + 5)))) == MOST


def test_empty_texts_and_deltas_are_no_passages() -> None:
    assert cut("  \n ") == []
    assert [event.kind for event in a_conversation() if passages(event)] == [
        "exchange_started", "invocation", "round_ended",
    ]  # fmt: skip
    assert [event.kind for event in of_the_program() if passages(event)] == ["fault"]


def test_what_was_attached_is_found_by_its_name() -> None:
    event = replace(started(), fresh=(Message("user", (File(name="report.pdf"),)),))
    assert [passage.text for passage in passages(event)] == ["report.pdf"]


@given(st.text())
def test_gaps_can_be_taken_out_again(text: str) -> None:
    assert unspaced(spaced(text)) == unspaced(text)
