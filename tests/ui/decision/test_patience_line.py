"""How long the agent will still wait."""

import time
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, completed, waiting

from callgate.core.rules.policy import Verdict
from callgate.ui.decision.patience_line import PatienceLine
from callgate.ui.theme.theme import Theme


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


def test_a_call_that_was_shown_late_says_since_when_and_how_long(line: PatienceLine) -> None:
    late = replace(waiting(), deferred=True, seen_at=NOON, deadline=NOON + 30)
    line.show_invocation(late)
    assert not line.isHidden()
    clock = time.strftime("%H:%M", time.localtime(NOON))
    assert line.words == f"Not shown until {clock} · auto-denies 30 s after it was shown"
    line.show_invocation(replace(late, verdict=Verdict("ask", "", at_deadline="allow"), client_until=NOON + 95))
    assert "auto-allows 30 s" in line.words and "stops waiting in 1:35" in line.words


def test_a_call_that_was_not_shown_says_that_it_waits_for_that(line: PatienceLine) -> None:
    line.show_invocation(replace(waiting(), deferred=True, deadline=NOON + 900))
    assert line.words == "Not shown yet: it waits until you can see it"
    line.show_invocation(replace(waiting(), seen_at=NOON, deadline=NOON + 300))
    assert line.isHidden()
