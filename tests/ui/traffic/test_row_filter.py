"""The quick way of filtering gives the very answers of the expression language."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.samples import sample_conversation
from tests.fakes.traffic import afternoon

from callgate.core.rules.match import MatchTimeout, parse
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.row import TrafficRow
from callgate.ui.traffic.row_filter import fits, fitting


def all_rows() -> list[TrafficRow]:
    fold = ExchangeFold()
    fold.apply_all(afternoon(40))
    fold.apply_all(sample_conversation())
    return [row for group in fold.groups.values() for row in group]


ROWS = all_rows()
TERMS = (
    "tool:run_*", "source:built-in", "agent=codex", "agent:*code*", "model~^claude", "endpoint:anthropic", "status=200",
    "status:failed", "status=429", "state:Completed", "state:Waiting*", "decision:deny", "decision:person", "dur>5s",
    "dur<=2s", "tokens>10k", "cost>0.01", "args.path:src/**", "args.command~pytest", "result.lines=42",
    "result.text:ok", "weather", "'rate limit'", "CODEX", "nothing-has-this",
)  # fmt: skip
EXPRESSIONS = st.recursive(
    st.sampled_from(TERMS),
    lambda inner: (
        st.builds("({} and {})".format, inner, inner)
        | st.builds("({} or {})".format, inner, inner)
        | st.builds("not ({})".format, inner)
    ),
    max_leaves=5,
)


@given(EXPRESSIONS)
def test_filtering_many_is_asking_each(text: str) -> None:
    expression = parse(text)
    assert fitting(expression, ROWS) == [row for row in ROWS if expression.holds(row)]
    assert [row for row in ROWS if fits(expression, row)] == fitting(expression, ROWS)


@pytest.mark.parametrize("term", [term for term in TERMS if term != "nothing-has-this"])
def test_every_field_finds_something_and_not_everything(term: str) -> None:
    found = fitting(parse(term), ROWS)
    assert 0 < len(found) < len(ROWS) or term == "source:built-in"


def test_nothing_typed_shows_everything() -> None:
    assert fitting(parse(""), ROWS) == ROWS


def test_a_pattern_that_takes_too_long_is_reported() -> None:
    with pytest.raises(MatchTimeout):
        fitting(parse("agent~'(a|aa)+$'"), [_with_agent(ROWS[0], "a" * 60 + "b")])


def test_a_slow_pattern_is_not_asked_of_rows_that_are_settled() -> None:
    rows = [_with_agent(ROWS[0], "a" * 60 + "b")]
    assert fitting(parse("agent=codex and agent~'(a|aa)+$'"), rows) == []
    assert fitting(parse("agent:a* or agent~'(a|aa)+$'"), rows) == rows
    assert fitting(parse("not (agent=codex and agent~'(a|aa)+$')"), rows) == rows


def _with_agent(row: TrafficRow, agent: str) -> TrafficRow:
    return replace(row, agent=agent, facts=replace(row.facts, agent=(agent,)))
