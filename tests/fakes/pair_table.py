"""The table of client and provider pairs that closes a test run; its rows travel with the tests' own reports."""

from collections.abc import Iterator, Sequence

import pytest

PAIR = "pair of wires"
"""The property under which a test says which client, which provider, and whether it streamed."""


def rows(reports: Sequence[pytest.TestReport]) -> Iterator[str]:
    outcomes: dict[tuple[str, str, bool], str] = {}
    for report in reports:
        for name, value in report.user_properties:
            if name == PAIR and isinstance(value, list):
                client, provider, stream = value
                outcomes[client, provider, stream] = "ok" if report.passed else "FAILED"
    pairs = sorted({(client, provider) for client, provider, _ in outcomes})
    if pairs:
        yield f"{'client':20}{'provider':18}{'plain':8}stream"
    for client, provider in pairs:
        plain, streamed = (outcomes.get((client, provider, stream), "-") for stream in (False, True))
        yield f"{client:20}{provider:18}{plain:8}{streamed}"
