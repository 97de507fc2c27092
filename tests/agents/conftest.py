"""Each errand has a station of its own; what became of all of them is told at the end."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.agents.framework import Scripts, scripts
from tests.agents.outcome_table import rows
from tests.agents.outing import Outing, outing

ASKED = '[gate]\nclient_tools = "ask"\n'
DENIED = ASKED + '\n[[rules]]\nverdict = "deny"\ntool = "*"\nnote = "Not today."\n'


@pytest.fixture
def errands(tmp_path: Path) -> Iterator[Outing]:
    with outing(tmp_path) as opened:
        yield opened


@pytest.fixture
def asked_errands(tmp_path: Path) -> Iterator[Outing]:
    with outing(tmp_path, ASKED) as opened:
        yield opened


@pytest.fixture
def denied_errands(tmp_path: Path) -> Iterator[Outing]:
    with outing(tmp_path, DENIED) as opened:
        yield opened


@pytest.fixture(scope="session")
def running_scripts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripts]:
    with scripts(tmp_path_factory.mktemp("frameworks")) as opened:
        yield opened


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in rows([report for kind in terminalreporter.stats.values() for report in kind]):
        terminalreporter.write_line(line)
