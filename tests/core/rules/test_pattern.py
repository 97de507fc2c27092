import time

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.depth import examples

from callgate.core.rules.glob import MatchTimeout
from callgate.core.rules.pattern import DEEPEST, BadPattern, Pattern, required_literal


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(a|aa)+$", "a" * 5000 + "!"),
        (r"^(a+)+$", "a" * 5000 + "!"),
        (r"^(\w+\s?)*$", "a" * 5000 + "!"),
        ("(a|aa)" * 20 + "c", "a" * 41),  # without any repetition
        ("(?:abcdefghijkl){e<=7}", "z" * 20_000),
        ("a(?R)?b|(?R)", "a" * 100),
    ],
)
def test_a_catastrophic_pattern_is_stopped_within_its_bound(pattern: str, text: str) -> None:
    started = time.thread_time()
    with pytest.raises(MatchTimeout, match=r"took longer than 0\.02 s"):
        Pattern(pattern).found_in(text)
    assert time.thread_time() - started < 0.2


@pytest.mark.parametrize("unit", ["a?", "a??", "[ab]?", "(?:a|b|ab)", "a{0,1}", "(?:a+)?", "a*", "(a?)?", "(?=a*)"])
@pytest.mark.parametrize("count", [5, 30, 300])
def test_however_a_pattern_is_repeated_it_ends_in_time(unit: str, count: int) -> None:
    started = time.thread_time()
    for text in ("a" * 30, "ab" * 200):
        try:
            Pattern(unit * count + "c").found_in(text)
        except (MatchTimeout, BadPattern):
            continue
    assert time.thread_time() - started < 0.5


@pytest.mark.parametrize("pattern", ["(", "a{99999999999999999999}", "(" * 1000 + ")" * 1000, "x" * 5000])
def test_a_pattern_that_cannot_be_compiled_is_refused_as_such(pattern: str) -> None:
    with pytest.raises(BadPattern):
        Pattern(pattern)


def test_a_pattern_that_would_take_for_ever_to_compile_is_refused_at_the_place() -> None:
    nested = "(?:" * 20 + "a" + "){1,9}" * 20
    started = time.thread_time()
    with pytest.raises(BadPattern, match="nested too deeply") as caught:
        Pattern(f"[(]{nested}")
    assert time.thread_time() - started < 0.1
    assert caught.value.position == len("[(]") + 3 * DEEPEST


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        ("^git push", "git push"),
        (r"rm\s+-rf", "-rf"),
        (r"^git\ log(?=\s|$)", "git log"),
        ("ab?cd", "cd"),
        ("ab*", "a"),
        ("ab+c", "ab"),
        ("ab{2,3}c", "a"),
        ("abc|d", ""),
        ("x(abc|d)yy", "yy"),
        ("(?i)abc", ""),
        ("(?a)abc", "abc"),
        ("x(?a)abc", ""),
        ("ab(?i:cd)", ""),
        (r"\x41\u0042", ""),
        (r"\p{Lu}a", ""),
        (r"a\.b[xyz]c", "a.b"),
        ("[abc]", ""),
        ("aa{|", ""),
        ("abc{e<=1}", ""),
        ("", ""),
    ],
)
def test_what_must_be_there_is_told_where_it_is_certain(pattern: str, literal: str) -> None:
    assert required_literal(pattern) == literal
    assert Pattern(pattern).literal == literal


pieces = st.sampled_from(
    ["a", "b", "ab", ".", "a?", "b*", "a+", "a{0,2}", "b{2}", "(a|b)", "(?:ab)?", "(?=a)", "(?!b)", "[ab]", "[^a]",
     "|", "^", "$", r"\.", r"\w", r"\b", "(?i)", "(?<n>a)", r"\x61", "{", "}"]
)  # fmt: skip


@settings(max_examples=examples(400))
@given(st.lists(pieces, min_size=1, max_size=6).map("".join), st.text("abAB.{} ", max_size=8))
def test_nothing_is_found_where_the_literal_is_missing(pattern: str, text: str) -> None:
    try:
        compiled = Pattern(pattern)
    except BadPattern:
        return
    if compiled.found_in(text):
        assert compiled.literal in text
    assert compiled.found_in(text) == (regex.search(pattern, text) is not None)
