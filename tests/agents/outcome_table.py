"""The table of agents, providers and outcomes that closes a run; its rows travel with the tests' own reports."""

from collections.abc import Iterator, Sequence

import pytest
from tests.fakes.translating import WIRES

ERRAND = "errand"
"""The property under which a test says what was tried, which agent, and which provider."""


def rows(reports: Sequence[object]) -> Iterator[str]:
    outcomes: dict[tuple[str, str], dict[str, str]] = {}
    for report in reports:
        if not isinstance(report, pytest.TestReport) or (report.when == "teardown" and report.passed):
            continue
        for name, value in report.user_properties:
            if name == ERRAND and isinstance(value, list | tuple):
                agent, tried, provider = value
                outcomes.setdefault((agent, tried), {})[provider] = _word(report)
    if outcomes:
        yield f"{'agent':28}{'errand':26}" + "".join(f"{wire:18}" for wire in WIRES)
    for (agent, tried), by_provider in sorted(outcomes.items()):
        yield f"{agent:28}{tried:26}" + "".join(f"{by_provider.get(wire, '-'):18}" for wire in WIRES)


def _word(report: pytest.TestReport) -> str:
    return {"passed": "ok", "skipped": "skipped"}.get(report.outcome, "FAILED")
