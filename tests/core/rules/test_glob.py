import time

import pytest

from callgate.core.rules.glob import Glob, MatchTimeout, collapsed, compiled, glob_matches


@pytest.mark.parametrize(
    ("glob", "text", "fits"),
    [
        ("read_file", "read_file", True),
        ("read_file", "read_files", False),
        ("read_*", "read_", True),
        ("*", "", True),
        ("get_?", "get_ab", False),
        ("src/*", "src/a/b", False),
        ("src/**", "src/a/b", True),
        ("src/**/x", "src/x", True),
        ("src/**/x", "srcx", False),
        ("**/x", "x", True),
        ("a*", "b", False),
        ("git *", "git a/b", True),
        ("a.b", "axb", False),
    ],
)
def test_globs_mean_what_they_say(glob: str, text: str, fits: bool) -> None:
    assert Glob(glob).matches(text) is fits
    assert glob_matches(glob, text) is fits


def test_a_glob_of_many_stars_is_stopped_in_time() -> None:
    started = time.perf_counter()
    with pytest.raises(MatchTimeout):
        Glob("*a" * 30 + "b").matches("a" * 4000)
    assert time.perf_counter() - started < 1


def test_a_glob_is_compiled_once() -> None:
    assert compiled("a*b") is compiled("a*b")


@pytest.mark.parametrize("path", ["a/b", "/a/b", "https://h/a", ""])
def test_a_plain_path_stays_as_it_is(path: str) -> None:
    assert collapsed(path) == path
