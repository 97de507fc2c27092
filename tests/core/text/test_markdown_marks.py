"""Titles read as words, and nothing that is no Markdown loses a letter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.text.markdown_marks import without_marks


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Why does `test_sync` fail on CI?", "Why does test_sync fail on CI?"),
        ("Explain **why** it *only* fails ~~here~~ there", "Explain why it only fails here there"),
        ("# Review\n\nLook at ``a`b``", "Review\n\nLook at a`b"),
        ("> quoted\n- first\n* second", "quoted\nfirst\nsecond"),
        ("See [the log](https://ci.example/1) and ![plot](x.png)", "See the log and plot"),
        ("```python\nprint(1)\n```", "\nprint(1)\n"),
    ],
)
def test_marks_are_taken_away(text: str, words: str) -> None:
    assert without_marks(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "read_file and get_* of snake_case_names",
        "2 * 3 * 4 = 24",
        "#read_file do it",
        "C# and F#",
        "a ` alone, and rm -rf *.py *.txt",
        "a[0] and f(x)",
        "list[int](x y)",
        "__init__",
        "-1 + 2",
    ],
)
def test_what_is_no_mark_stays(text: str) -> None:
    assert without_marks(text) == text


@given(st.text(alphabet="ab *`_#>[]()~-\n", max_size=60))
def test_no_word_is_ever_lost(text: str) -> None:
    kept = without_marks(text)
    letters = [letter for letter in text if letter in "ab"]
    assert [letter for letter in kept if letter in "ab"] == letters or "](" in text
