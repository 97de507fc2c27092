"""What a person types as a name or tags is kept in a tidy form."""

from callgate.core.marks import LONGEST_NAME, MOST_TAGS, read_name, read_tags


def test_a_name_is_one_line_and_not_endless() -> None:
    assert read_name("  Two\n words ") == "Two words"
    assert len(read_name("x" * 999)) == LONGEST_NAME


def test_tags_are_words_each_once() -> None:
    assert read_tags("Bug, #later  bug,,x") == ("bug", "later", "x")
    assert read_tags(" , ") == ()
    assert len(read_tags(" ".join(map(str, range(99))))) == MOST_TAGS
