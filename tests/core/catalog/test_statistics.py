"""Numbers are put together without losing or doubling any."""

import pytest

from callgate.core.catalog.prices import PriceTable, read_prices
from callgate.core.catalog.statistics import (
    CallCount,
    RoundCount,
    Statistics,
    TimeRange,
    Wait,
    by_agent,
    by_model,
    calls_per_tool,
    cost_of,
    cost_over_time,
    share_below,
    wait_histogram,
)
from callgate.core.messages import Usage

PRICES = read_prices({"dear": {"input": 10, "output": 20}, "cheap": {"input": 1, "output": 2}})
COUNTED = Statistics(
    TimeRange(0, 300, 3),
    (
        RoundCount(0, "a", "dear", "x", 2, 1, 0, Usage(1_000_000, 0)),
        RoundCount(2, "b", "cheap", "x", 1, 0, 0, Usage(0, 1_000_000)),
        RoundCount(2, "b", "unpriced", "x", 1, 0, 0, Usage(5, 5)),
    ),
    (
        CallCount(0, "a", "dear", "read", "built-in", 5, 1, 1, 1),
        CallCount(1, "b", "cheap", "read", "built-in", 2),
        CallCount(1, "b", "cheap", "write", "git", 1),
    ),
    tuple(Wait(0, "a", "dear", "read", seconds) for seconds in (0.5, 3.0, 3.5, 400.0)),
)


def test_calls_are_counted_per_tool() -> None:
    read, write = calls_per_tool(COUNTED)
    assert (read.tool, read.calls, read.denied, read.failed, read.cancelled, read.went_well) == ("read", 7, 1, 1, 1, 4)
    assert (write.tool, write.source, write.calls) == ("write", "git", 1)


def test_cost_counts_what_has_a_price() -> None:
    assert cost_of(COUNTED.rounds, PRICES) == pytest.approx(12)
    assert cost_of(COUNTED.rounds[2:], PRICES) is None
    assert cost_of(COUNTED.rounds, PriceTable(())) is None
    assert cost_over_time(COUNTED, PRICES) == {"dear": (10, 0, 0), "cheap": (0, 0, 2)}


def test_agents_and_models_are_counted_apart() -> None:
    agents = {party.name: party for party in by_agent(COUNTED, PRICES)}
    assert (agents["a"].rounds, agents["a"].failed, agents["a"].calls, agents["a"].cost) == (2, 1, 5, 10)
    assert (agents["b"].rounds, agents["b"].calls, agents["b"].usage.output) == (2, 3, 1_000_005)
    models = {party.name: party.cost for party in by_model(COUNTED, PRICES)}
    assert models == {"dear": 10, "cheap": 2, "unpriced": None}


def test_one_agent_or_one_model_can_be_picked() -> None:
    assert COUNTED.agents == ("a", "b") and COUNTED.models == ("cheap", "dear", "unpriced")
    only = COUNTED.only("b", "cheap")
    assert (len(only.rounds), len(only.calls), len(only.waits)) == (1, 2, 0)
    assert COUNTED.only() == COUNTED


def test_waits_fall_between_their_edges() -> None:
    assert wait_histogram(COUNTED.waits) == (1, 2, 0, 0, 0, 0, 1)
    assert sum(wait_histogram(COUNTED.waits)) == len(COUNTED.waits)
    waits = [wait.seconds for wait in COUNTED.waits]
    assert (share_below(waits, 0.5), share_below(waits, 0.95), share_below([], 0.5)) == (3.0, 400.0, None)


def test_numbers_outside_the_range_are_not_drawn() -> None:
    assert COUNTED.spread([(0, 1.0), (2, 2.0), (2, 1.0), (3, 9.0), (-1, 9.0)]) == (1.0, 0.0, 3.0)
    assert COUNTED.range.width == 100 and COUNTED.range.start_of(2) == 200
