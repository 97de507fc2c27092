import time

import pytest

from callgate.core.rules.expression import TEXT, Compare, FieldValue, MatchTimeout, fields_of
from callgate.core.rules.match import parse


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


def test_many_values_together_have_a_bound_too() -> None:
    values = ("a" * 26 + "!",) * 20_000
    started = time.perf_counter()
    with pytest.raises(MatchTimeout):
        Compare("command", "~", "^(a|a?)+$").holds(Subject(command=values))
    assert time.perf_counter() - started < 1
