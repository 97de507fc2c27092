import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.expression import TEXT, BadPattern, Compare, FieldValue, MatchTimeout, Pattern, fields_of, needle_of
from callgate.core.match import parse


class Subject:
    def __init__(self, **values: FieldValue | tuple[FieldValue, ...]) -> None:
        self._values = values

    def values(self, field: str) -> tuple[FieldValue, ...]:
        found = self._values.get(field, ())
        return found if isinstance(found, tuple) else (found,)

    def text(self) -> str:
        return ""


def test_an_expression_tells_which_fields_it_looks_at() -> None:
    expression = parse("tool:a (args.x=1 or not command:b) word")
    assert fields_of(expression) == {"tool", "args.x", "command", TEXT}
    assert fields_of(parse("")) == frozenset()


def test_a_command_is_not_taken_for_one_path() -> None:
    # were it, `..` would swallow the words before it, and rm pass for ls
    assert not Compare("command", ":", "ls /tmp/*").holds(Subject(command="rm foo ../../ls /tmp/a"))


def test_any_of_several_values_is_enough() -> None:
    assert Compare("command", ":", "b*").holds(Subject(command=("a", "bc")))
    assert not Compare("command", ":", "b*").holds(Subject(command=()))


@pytest.mark.parametrize("pattern", ["(a|aa)+$", r"^(a+)+$", r"^(\w+\s?)*$"])
def test_a_catastrophic_pattern_is_stopped_within_its_bound(pattern: str) -> None:
    started = time.perf_counter()
    with pytest.raises(MatchTimeout, match=r"took longer than 0\.02 s"):
        Pattern(pattern).found_in("a" * 5000 + "!")
    assert time.perf_counter() - started < 0.5


def test_many_values_together_have_a_bound_too() -> None:
    values = ("a" * 26 + "!",) * 20_000
    started = time.perf_counter()
    with pytest.raises(MatchTimeout):
        Compare("command", "~", "^(a|a?)+$").holds(Subject(command=values))
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize("pattern", ["(", "a{99999999999999999999}", "(" * 1000 + ")" * 1000, "x" * 5000])
def test_a_pattern_that_cannot_be_compiled_is_refused_as_such(pattern: str) -> None:
    with pytest.raises(BadPattern):
        Pattern(pattern)


@pytest.mark.parametrize(
    ("expression", "needle"),
    [
        ("command:'git push*'", ("command", "git push")),
        ("args.name=main", ("args.name", "main")),
        ("args.n=5", None),  # 5.0 is 5 too
        ("args.path:/tmp/**", None),  # compared with `..` taken out
        ("command:*x", None),
        ("not command:git", None),
        ("command:git or command:ls", None),
        ("args.n>3 and command:ls*", ("command", "ls")),
        ("word", None),
    ],
)
def test_a_needle_is_named_only_where_it_must_be_in_a_value(expression: str, needle: tuple[str, str] | None) -> None:
    assert needle_of(parse(expression)) == needle


@given(st.from_regex(r"[ab*?]{1,5}", fullmatch=True), st.sampled_from([":", "="]), st.lists(st.text("ab1", max_size=6)))
def test_without_its_needle_an_expression_never_holds(value: str, operator: str, values: list[str]) -> None:
    expression = parse(f"command{operator}{value}")
    needle = needle_of(expression)
    if needle is not None and needle[1] not in "\0".join(values):
        assert not expression.holds(Subject(command=tuple(values)))
