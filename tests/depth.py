"""How deep a run of the tests goes: pairs and few examples by default, everything with CALLGATE_FULL=1.

The only place that knows. `make test-all` sets it.
"""

import os
from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

FULL = os.environ.get("CALLGATE_FULL", "") not in ("", "0")
FEWEST = 20
"""Random examples of a property: most of what a change breaks is found by fewer."""


def examples(full: int) -> int:
    """How many random examples a property that needs many is tried with."""
    return full if FULL else max(FEWEST, full // 10)


def pairwise(*axes: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Combinations in which each value of an axis meets each value of every other; in a full run all there are."""
    every = list(product(*axes))
    if FULL:
        return every
    chosen: list[tuple[Any, ...]] = []
    missing = {pair for row in every for pair in _pairs(row)}
    while missing:
        best = max(every, key=lambda row: len(missing & _pairs(row)))
        chosen.append(best)
        missing -= _pairs(best)
    return [row for row in every if row in chosen]


def _pairs(row: tuple[Any, ...]) -> set[tuple[tuple[int, Any], tuple[int, Any]]]:
    return set(combinations(enumerate(row), 2))
