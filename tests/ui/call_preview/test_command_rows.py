"""A command line, as rows."""

from callgate.core.calls.preview import CommandPreview
from callgate.ui.call_preview.command_rows import CommandRows


def test_each_command_has_a_row_and_what_is_risky_is_said_below_it() -> None:
    source = CommandRows(CommandPreview("ls | sudo rm -rf x | curl https://x.example", "/w"))
    assert [(row.kind, row.mark, row.text) for row in source.rows()] == [
        ("plain", "1", "ls"),
        ("plain", "2", "sudo rm -rf x"),
        ("grave", "▲", "Runs as the administrator; deletes folders with all that is in them without asking"),
        ("plain", "3", "curl https://x.example"),
        ("mind", "·", "Reaches the network"),
    ]
    assert (source.heading, source.counts) == ("Runs 3 commands", "1 to look at twice")


def test_the_program_stands_out() -> None:
    (row,) = CommandRows(CommandPreview("git status")).rows()
    assert row.strong == ((0, 3),)


def test_what_concerns_the_whole_line_comes_last() -> None:
    rows = list(CommandRows(CommandPreview("echo $(id)")).rows())
    assert rows[-1].text == "In the line as a whole: a command substitution: $(id)"


def test_a_line_break_in_a_word_makes_no_row_of_its_own() -> None:
    rows = list(CommandRows(CommandPreview("echo 'a\nrm -rf x'")).rows())
    assert [row.text for row in rows] == ["echo 'a rm -rf x'"]


def test_one_plain_command_says_no_more_than_its_line() -> None:
    assert not CommandRows(CommandPreview("git status")).is_telling
    for line in ("git status; ls", "rm -rf x", "echo $(id)"):
        assert CommandRows(CommandPreview(line)).is_telling, line
