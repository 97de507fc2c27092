"""The scopes of a decision, in words."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from callgate.ui.decision.scope_box import ScopeBox
from callgate.ui.theme.theme import Theme


def test_it_offers_every_scope_and_starts_with_the_narrowest(qtbot: QtBot, theme: Theme) -> None:
    box = ScopeBox(theme)
    qtbot.addWidget(box)
    assert [box.itemData(row) for row in range(box.count())] == [
        "once",
        "turn",
        "conversation",
        "session",
        "workspace",
        "always",
    ]
    assert all(box.itemData(row, Qt.ItemDataRole.ToolTipRole) for row in range(box.count()))
    assert box.scope == "once"
    box.choose("always")
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


def test_a_turn_is_offered_only_where_there_is_one(qtbot: QtBot, theme: Theme) -> None:
    box = ScopeBox(theme)
    qtbot.addWidget(box)
    box.show_turn(True)
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.scope == "turn"
    box.show_turn(False)
    assert box.scope == "once", "what can't be had any more is not kept chosen"
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.scope == "conversation", "the keyboard passes over it"
