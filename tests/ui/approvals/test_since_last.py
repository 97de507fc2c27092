"""What is different from the last call of the same tool."""

import pytest
from tests.fakes.console import NOON, completed, denied, skipped, timed_out, waiting

from callgate.core.calls.invocation import Invocation
from callgate.ui.approvals.since_last import since_last


def test_the_same_call_again_is_said_to_be_that() -> None:
    said = since_last(completed("read_file", {"path": "a"}), waiting("read_file", {"path": "a"}), NOON + 200)
    assert said == "The same as the last call (allowed 3 min ago)."


def test_each_kind_of_change_is_told() -> None:
    before, after = {"path": "a", "limit": 3, "old": 1}, {"path": "b", "limit": 3, "new": [1]}
    said = since_last(completed("read_file", before), waiting("read_file", after), NOON + 10)
    assert 'path "a" → "b"' in said
    assert "old left out" in said
    assert "new added: [1]" in said


def test_many_changes_are_counted_and_long_values_cut() -> None:
    before = {f"k{number}": 1 for number in range(9)}
    after = {**{f"k{number}": 2 for number in range(9)}, "k0": "x" * 500}
    said = since_last(completed("t", before), waiting("t", after), NOON)
    assert said.endswith("6 more")
    assert len(said) < 250
    assert "k8" in since_last(completed("t", before), waiting("t", after), NOON, 50)


@pytest.mark.parametrize(
    ("last", "word"), [(denied("t"), "denied"), (skipped("t"), "skipped"), (timed_out("t"), "timed out")]
)
def test_it_tells_what_became_of_the_last_one(last: Invocation, word: str) -> None:
    assert f"({word} " in since_last(last, waiting("t", {"a": 1}), NOON)


def test_what_is_no_json_or_very_large_is_only_said_to_differ() -> None:
    for text in ("no json", '{"a": "' + "x" * 300_000 + '"}'):
        said = since_last(completed("t", {"a": 1}), waiting("t", text), NOON)
        assert said.startswith("Other arguments than in the last call")


def test_hidden_characters_are_revealed() -> None:
    said = since_last(completed("t", {"a": "x"}), waiting("t", {"a": "x\u202e"}), NOON)
    assert "U+202E" in said and "\u202e" not in said
