"""How often and how long a rule holds."""

import pytest
from pytestqt.qtbot import QtBot

from callgate.ui.decision.rule_limits import RuleLimits
from callgate.ui.theme.theme import Theme

NOW = 1000.0


@pytest.fixture
def limits(qtbot: QtBot, theme: Theme) -> RuleLimits:
    limits = RuleLimits(theme, now=lambda: NOW)
    qtbot.addWidget(limits)
    return limits


def test_a_rule_has_no_limits_unless_they_are_chosen(limits: RuleLimits) -> None:
    assert (limits.uses, limits.expires) == (None, None)
    limits.uses_box.choose(5)
    limits.end_box.choose(3600.0)
    assert (limits.uses, limits.expires) == (5, NOW + 3600)
    limits.reset()
    assert (limits.uses, limits.expires) == (None, None)


def test_limits_that_are_no_choice_of_ours_are_kept(limits: RuleLimits) -> None:
    limits.show_limits(7, NOW + 1234)
    assert (limits.uses, limits.expires) == (7, NOW + 1234)
    assert limits.end_box.currentText() == "for 21 min more"
    limits.end_box.choose(None)
    assert limits.expires is None
    limits.show_limits(1, None)
    assert (limits.uses, limits.expires) == (1, None)
    assert "7 times" not in [limits.uses_box.itemText(row) for row in range(limits.uses_box.count())]
