"""Words read by a table: arity, bundles, abbreviations and what belongs to which word."""

import shlex
from typing import Any

import pytest

from callgate.core.shell.invocation import effects_of
from callgate.core.shell.program_table import Table

PROGRAM: dict[str, Any] = {
    "names": ["prog"],
    "harmless": "-q --quiet -n= --number= --color=? -#",
    "writes": "-o= --output=",
    "runs": "--exec=",
    "asks": {"--force": "deletes everything"},
    "operands": "reads* writes",
}


def found(line: str, **more: Any) -> list[tuple[str, str, int, int]]:
    words = shlex.split(line)
    table = Table.model_validate({**PROGRAM, **more})
    return [(one.kind, one.text, one.word, one.start) for one in effects_of(table, words)]


@pytest.mark.parametrize(
    ("line", "effects"),
    [
        ("prog", []),
        ("prog -q -n 5 --color --color=always -5", []),
        ("prog -qn5 -qn 5", []),
        ("prog a b", [("file", "b", 2, 0)]),
        ("prog -- -x", [("file", "-x", 2, 0)]),
        ("prog -n", []),
        ("prog -o x", [("file", "x", 2, 0)]),
        ("prog -qox", [("file", "x", 1, 3)]),
        ("prog --output=x", [("file", "x", 1, 9)]),
        ("prog --out=x", [("file", "x", 1, 6)]),
        ("prog --out x", [("file", "x", 2, 0)]),
        ("prog --exe 'a b'", [("command", "a b", 2, 0)]),
        ("prog --forc", [("unknown", "--forc", 1, 0)]),
        ("prog --force", [("unknown", "--force", 1, 0)]),
        ("prog --quie", [("unknown", "--quie", 1, 0)]),
        ("prog --quiet=x", [("unknown", "--quiet=x", 1, 0)]),
        ("prog -z", [("unknown", "-z", 1, 0)]),
        ("prog -qz", [("unknown", "-qz", 1, 0)]),
    ],
)
def test_words_are_read_as_the_program_reads_them(line: str, effects: list[tuple[str, str, int, int]]) -> None:
    assert found(line) == effects


def test_options_end_at_the_first_operand_where_the_program_says_so() -> None:
    assert found("prog a -z", options_first=True) == [("file", "-z", 2, 0)]


def test_a_mode_changes_what_operands_are() -> None:
    modes = [{"when": "-q", "operands": "reads*"}]
    assert found("prog -q a b", modes=modes) == []
    assert found("prog a b", modes=modes) == [("file", "b", 2, 0)]


def test_one_dash_and_a_word_is_an_option_of_some_programs() -> None:
    single = {"dashes": "single", "writes": "-out="}
    for line in ("prog -out x", "prog -out=x", "prog --out x"):
        assert [one[:2] for one in found(line, **single)] == [("file", "x")]


def test_a_pattern_may_become_an_option() -> None:
    table = Table.model_validate(PROGRAM)
    (one,) = effects_of(table, ["prog", "--", "*"], globbed={2})
    assert one.kind == "file"
    assert [one.kind for one in effects_of(table, ["prog", "*", "x"], globbed={1})] == ["unknown", "file"]
