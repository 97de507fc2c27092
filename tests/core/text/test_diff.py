"""Comparing texts: complete, in order, and quick on texts that were made to be slow."""

import time

from hypothesis import given
from hypothesis import strategies as st

from callgate.core.text.diff import changed_words, text_diff

texts = st.lists(st.sampled_from(["a", "b", "c", "", "longer line"]), max_size=30).map("\n".join)


@given(texts, texts)
def test_the_lines_spell_out_both_texts(before: str, after: str) -> None:
    lines = list(text_diff(before, after).lines(None))
    assert [line.text for line in lines if line.kind != "added"] == list(text_diff(before, "").before)
    assert [line.text for line in lines if line.kind != "removed"] == list(text_diff(after, "").before)
    assert [line.old for line in lines if line.old] == list(range(1, len(text_diff(before, "").before) + 1))
    assert [line.new for line in lines if line.new] == list(range(1, len(text_diff(after, "").before) + 1))


@given(texts, texts)
def test_what_is_skipped_is_counted_and_unchanged(before: str, after: str) -> None:
    diff = text_diff(before, after)
    whole = [line for line in diff.lines(None) if line.kind == "same"]
    folded = list(diff.lines(1))
    kept = sum(line.kind == "same" for line in folded)
    assert kept + sum(line.count for line in folded) == len(whole)
    assert [line for line in folded if line.kind in ("added", "removed")] == [
        line for line in diff.lines(None) if line.kind in ("added", "removed")
    ]


def test_only_lines_near_a_change_are_shown_and_the_rest_is_one_note() -> None:
    before = "\n".join(map(str, range(100)))
    lines = list(text_diff(before, before.replace("50", "fifty")).lines())
    assert [(line.kind, line.text, line.count) for line in lines] == [
        ("skipped", "", 47),
        ("same", "47", 0),
        ("same", "48", 0),
        ("same", "49", 0),
        ("removed", "50", 0),
        ("added", "fifty", 0),
        ("same", "51", 0),
        ("same", "52", 0),
        ("same", "53", 0),
        ("skipped", "", 46),
    ]


def test_a_replaced_line_knows_what_replaces_it() -> None:
    removed, added = text_diff("let a = 1", "let b = 1").lines()
    assert (removed.twin, added.twin) == ("let b = 1", "let a = 1")


def test_words_that_differ_are_found_and_unlike_lines_are_left_alone() -> None:
    assert changed_words("return a + b", "return a - b") == ((9, 10),)
    assert changed_words("return a + b", "something else entirely !") == ()
    assert changed_words("x " * 1000, "y " * 1000) == ()


def test_large_texts_are_compared_by_their_unique_lines() -> None:
    lines = [f"line {number}" for number in range(20_000)]
    after = [*lines[:100], "new", *lines[100:15_000], *lines[15_010:]]
    diff = text_diff("\n".join(lines), "\n".join(after))
    assert (diff.added, diff.removed) == (1, 10)


def test_texts_without_unique_lines_take_no_time_to_speak_of() -> None:
    began = time.process_time()
    diff = text_diff("x\n" * 30_000, "".join("y\n" if number % 2 else "x\n" for number in range(30_000)))
    assert len(diff.before) - diff.removed == len(diff.after) - diff.added
    assert time.process_time() - began < 2
