"""The scopes of a decision, in words."""

from pytestqt.qtbot import QtBot

from callgate.ui.scope_box import ScopeBox
from callgate.ui.theme import Theme


def test_it_offers_every_scope_and_starts_with_the_narrowest(qtbot: QtBot, theme: Theme) -> None:
    box = ScopeBox(theme)
    qtbot.addWidget(box)
    assert [box.itemData(row) for row in range(box.count())] == ["once", "session", "workspace", "always"]
    assert box.scope == "once"
    box.setCurrentIndex(3)
    assert box.scope == "always"
    box.reset()
    assert box.scope == "once"


def test_it_can_be_drawn_enabled_and_not(qtbot: QtBot, theme: Theme) -> None:
    box = ScopeBox(theme)
    qtbot.addWidget(box)
    enabled = box.grab().toImage()
    box.setEnabled(False)
    assert box.grab().toImage() != enabled


def test_a_call_that_no_rule_can_allow_offers_nothing_lasting_and_says_why(qtbot: QtBot, theme: Theme) -> None:
    box = ScopeBox(theme)
    qtbot.addWidget(box)
    box.offer(True, grantable=False)
    assert not box.isEnabled() and "No rule can allow" in box.toolTip()
    box.offer(True, grantable=True)
    assert box.isEnabled()
