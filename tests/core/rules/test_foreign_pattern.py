"""What passes means the same on both sides; node, where it is there, is asked itself."""

import json
import shutil
import subprocess
import warnings

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.depth import examples

from callgate.core.rules.foreign_pattern import read_pattern

NODE = shutil.which("node")


@pytest.mark.parametrize(
    ("pattern", "dialect", "fits", "not_fits"),
    [
        (r"^git (status|log\b.*)$", "JavaScript", "git log -p", "git push"),
        (r"^ls$", "JavaScript", "ls", "ls\n"),
        (r"^a{,3}$", "JavaScript", "a{,3}", "aaa"),
        (r"^\w+$", "JavaScript", "abc", "é"),
        (r"^\w+$", "Rust", "é", "-"),
        (r"^[[]$", "JavaScript", "[", "]"),
        (r"rm(?!\w)", "JavaScript", "rm -x", "rmx"),
        (r"(?<verb>push)$", "JavaScript", "git push", "git pull"),
        (r"(?P<verb>push)$", "Rust", "git push", "git pull"),
        (r"\Als\z", "Rust", "ls", "ls\n"),
        (r"(?i)^LS", "Rust", "ls", "xls"),
        (r"a+?b{2,}", "Rust", "aabb", "ab"),
    ],
)
def test_what_is_read_means_the_same(pattern: str, dialect: str, fits: str, not_fits: str) -> None:
    ours = regex.compile(read_pattern(pattern, dialect))  # type: ignore[arg-type]
    assert ours.search(fits)
    assert not ours.search(not_fits)


@pytest.mark.parametrize(
    ("pattern", "dialect", "says"),
    [
        (r"(a)\1", "JavaScript", r"\\1, at character 4"),
        (r"[^]*rm", "JavaScript", "an empty set"),
        (r"\p{L}", "JavaScript", r"\\p"),
        (r"[a--b]", "JavaScript", "-- in a set"),
        (r"a++", "JavaScript", "a repetition of a repetition"),
        (r"*a", "JavaScript", "a repetition of nothing"),
        (r"(?i:a)", "JavaScript", r"\(\?i:"),
        (r"[a", "JavaScript", "never closed"),
        (r"ls(?!of)", "Rust", r"\(\?!o"),
        (r"(a)\1", "Rust", r"\\1"),
        (r"a{", "Rust", "counts nothing"),
        (r"[[:alpha:]]", "Rust", "a set within a set"),
        (r"a|*", "Rust", "a repetition of nothing"),
        ("\\", "Rust", "not read alike"),
        (r"[\b]", "JavaScript", r"\\b"),
    ],
)
def test_what_may_mean_something_else_is_refused_by_name(pattern: str, dialect: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_pattern(pattern, dialect)  # type: ignore[arg-type]


def test_case_is_left_alone_where_it_is_not_known_alike() -> None:
    with pytest.raises(ValueError, match="without regard to case"):
        read_pattern("É", "JavaScript", "i")
    assert regex.compile(read_pattern("rm", "JavaScript", "i")).search("RM")


@settings(max_examples=examples(400), deadline=None)
@given(pattern=st.text("ab|()[]{}^$*+?\\.-,<:=!dwsbB1&", max_size=10))
def test_what_is_read_can_be_compiled_without_a_warning(pattern: str) -> None:
    """A set that one day may mean something else is a warning of the library's, and warnings are errors."""
    for dialect in ("JavaScript", "Rust"):
        try:
            ours = read_pattern(pattern, dialect)  # type: ignore[arg-type]
        except ValueError:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                regex.compile(ours)
            except regex.error:
                continue


@pytest.mark.skipif(NODE is None, reason="node is not here")
def test_node_reads_them_alike() -> None:
    parts = ["a", "b", ".", "^", "$", "|", "(a)", "(?:b|a)", "[ab-]", "[^a]", "a*", "b+?", r"\b", r"\w", r"\S", "{,2}"]
    texts = ["", "a", "b", "ab", "ba\n", "a b", "-", "é", "a{,2}", "aab", "bb\nab"]
    patterns = [f"{one}{two}{three}" for one in parts for two in parts for three in ("", "$", "?")]
    script = (
        "const [p,t]=JSON.parse(require('fs').readFileSync(0));console.log(JSON.stringify(p.map(x=>{try{const r="
        "new RegExp(x);return t.map(y=>r.test(y))}catch(e){return null}})))"
    )
    asked = json.dumps([patterns, texts])
    done = subprocess.run([str(NODE), "-e", script], input=asked, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    compared = 0
    for pattern, theirs in zip(patterns, json.loads(done.stdout), strict=True):
        try:
            ours = regex.compile(read_pattern(pattern, "JavaScript"))
        except ValueError:
            continue
        assert theirs is not None, pattern
        assert [ours.search(text) is not None for text in texts] == theirs, pattern
        compared += 1
    assert compared > 300
