"""A file before and after, as rows."""

from callgate.core.calls.preview import DiffPreview
from callgate.ui.call_preview.diff_rows import DiffRows


def shown(preview: DiffPreview, *, whole: bool = False) -> list[str]:
    return [f"{row.mark}|{row.text}" for row in DiffRows(preview).rows(whole=whole)]


def test_numbers_and_signs_stand_at_the_edge() -> None:
    rows = shown(DiffPreview("a", "one\ntwo\nthree", "one\nTWO\nthree"))
    assert rows == ["1 1  |one", "2   −|two", "  2 +|TWO", "3 3  |three"]


def test_of_a_fragment_no_line_numbers_are_claimed() -> None:
    source = DiffRows(DiffPreview("a", "one", "two", fragment=True))
    assert [row.mark for row in source.rows()] == [" −", " +"]
    assert source.heading == "Changes a part of: a"


def test_headings_tell_what_becomes_of_the_file() -> None:
    assert DiffRows(DiffPreview("a", "", "x")).heading == "Writes a new file: a"
    assert DiffRows(DiffPreview("a", "x", "")).heading == "Empties: a"
    assert DiffRows(DiffPreview("a", "x", "", deletes=True)).heading == "Deletes a"
    assert DiffRows(DiffPreview("a\u202eb", "x", "y")).heading == "Changes: a⟨U+202E RLO⟩b"


def test_counts_tell_how_much_changes() -> None:
    assert DiffRows(DiffPreview("a", "x\ny", "x\nz\nw")).counts == "+2  −1"
    assert DiffRows(DiffPreview("a", "x", "x")).counts == "nothing changes"


def test_unchanged_lines_are_left_out_until_all_are_wanted() -> None:
    text = "\n".join(map(str, range(40)))
    preview = DiffPreview("a", text, f"{text}\nend")
    assert DiffRows(preview).can_unfold
    assert len(shown(preview)) == 5
    assert len(shown(preview, whole=True)) == 41


def test_windows_line_breaks_are_no_noise_but_mixed_ones_are_shown() -> None:
    assert shown(DiffPreview("a", "x\r\ny\r\n", "x\r\nz\r\n"))[-1] == "  2 +|z"
    assert shown(DiffPreview("a", "x\n", "x\r\n"))[-1] == "  1 +|x⟨U+000D CR⟩"


def test_a_missing_last_line_break_is_told() -> None:
    assert shown(DiffPreview("a", "x\ny\n", "x\nz"))[-1] == "|The last line no longer ends with a line break."


def test_a_very_long_line_is_cut_for_the_screen_and_complete() -> None:
    rows = list(DiffRows(DiffPreview("a", "", "x" * 5000)).rows())
    assert [len(row.text) for row in rows] == [2000, 2000, 1000]
    assert [bool(row.mark) for row in rows] == [True, False, False]


def test_hidden_characters_are_revealed_in_lines_and_their_twins() -> None:
    _, row = DiffRows(DiffPreview("a", "ab", "a\u200bb")).rows()
    assert row.text == "a⟨U+200B ZWSP⟩b"
