"""A rule that was just saved can be taken back, wherever it was saved."""

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, waiting

from callgate.core.events import RulesChanged
from callgate.core.invocation import Decision
from callgate.core.policy import Rule
from callgate.ui.bridge import Bridge
from callgate.ui.saved_notice import SavedNotice
from callgate.ui.theme import Theme


@pytest.fixture
def notice(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme) -> SavedNotice:
    console.rule_list = [Rule("allow", "old", id="old", origin="always")]
    notice = SavedNotice(console, theme)
    qtbot.addWidget(notice)
    bridge.batch.connect(notice.apply)
    return notice


def test_a_decision_that_became_a_rule_is_told_and_undone(
    notice: SavedNotice, console: FakeConsole, bridge: Bridge, qtbot: QtBot
) -> None:
    console.change(waiting("read_file"))
    console.decide("inv_1", Decision("approve", scope="always", when="args.path:src/**"), "queue")
    bridge.flush()
    qtbot.waitUntil(notice.isVisible)
    assert notice.words == "Saved: allow read_file of built-in when args.path fits src/**"
    undo = notice.findChild(QPushButton, "undoButton")
    assert undo is not None
    undo.click()
    assert [rule.id for rule in console.rules()] == ["old"]
    bridge.flush()
    assert notice.isHidden()


def test_it_leaves_when_the_rule_is_gone_already(
    notice: SavedNotice, console: FakeConsole, bridge: Bridge, qtbot: QtBot
) -> None:
    console.change(waiting("read_file"))
    console.decide("inv_1", Decision("deny", scope="session"), "dialog")
    bridge.flush()
    qtbot.waitUntil(notice.isVisible)
    console.remove_rule(console.rules()[-1].id)
    bridge.flush()
    assert notice.isHidden()


def test_a_rule_that_no_decision_made_is_not_told(
    notice: SavedNotice, console: FakeConsole, bridge: Bridge, qapp: QApplication
) -> None:
    console.change(waiting("read_file"))
    console.decide("inv_1", Decision("approve"), "dialog")
    console.add_rule(Rule("allow", "other_tool"), "session")
    bridge.flush()
    qapp.processEvents()
    assert notice.isHidden()


def test_where_it_is_not_the_place_it_says_nothing(
    notice: SavedNotice, console: FakeConsole, bridge: Bridge, qapp: QApplication
) -> None:
    notice.tell_when(lambda: False)
    console.change(waiting("read_file"))
    console.decide("inv_1", Decision("approve", scope="always"), "dialog")
    bridge.flush()
    qapp.processEvents()
    assert notice.isHidden()


def test_rules_that_nobody_just_saved_are_not_told(notice: SavedNotice, console: FakeConsole, bridge: Bridge) -> None:
    read_again = (
        *console.rules(),
        Rule("deny", "a", id="a", origin="always"),
        Rule("deny", "b", id="b", origin="always"),
    )
    console.play([RulesChanged(read_again, 0.0)])
    console.play([RulesChanged((*read_again, Rule("deny", id="c")), 0.0)])
    bridge.flush()
    assert notice.isHidden()
