"""How long the agent will still wait."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, completed, waiting

from callgate.ui.patience_line import PatienceLine
from callgate.ui.theme import Theme


@pytest.fixture
def line(qtbot: QtBot, theme: Theme) -> PatienceLine:
    line = PatienceLine(theme, now=lambda: NOON)
    qtbot.addWidget(line)
    return line


def test_it_counts_down_and_becomes_urgent(line: PatienceLine) -> None:
    line.show_invocation(replace(waiting(), client_until=NOON + 95))
    assert not line.isHidden()
    assert line.words == "claude-code stops waiting in 1:35"
    line.show_invocation(replace(waiting(), client_until=NOON + 20))
    assert line._words.property("tone") == "danger"
    line.show_invocation(replace(waiting(), client_until=NOON - 1))
    assert "has probably stopped waiting" in line.words


def test_where_nothing_is_known_or_nothing_waits_it_says_nothing(line: PatienceLine) -> None:
    line.show_invocation(waiting())
    assert line.isHidden()
    line.show_invocation(replace(completed(), client_until=NOON + 95))
    assert line.isHidden()
    line.show_invocation(None)
    assert line.isHidden()
