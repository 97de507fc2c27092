"""A rule that was just saved can be taken back, wherever it was saved."""

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, waiting

from callgate.core.calls.invocation import Allow, Decision, Settle, advance
from callgate.core.events import RulesChanged
from callgate.core.messages import Text, ToolResult
from callgate.core.rules.policy import Rule, Verdict
from callgate.ui.bridge import Bridge
from callgate.ui.decision.saved_notice import SavedNotice
from callgate.ui.theme.theme import Theme


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


def by_rule(console: FakeConsole, number: int, tool: str, owner: str, step: Allow | Settle) -> None:
    """A call that waits, and that a rule settles."""
    call = waiting(tool, id=f"inv_{number}", owner=owner)
    console.change(call)
    console.change(advance(call, step, 1.0))


def allow(rule_id: str) -> Allow:
    verdict = Verdict("allow", "a rule", rule="allow", rule_id=rule_id, rule_ids=(rule_id,))
    return Allow("LmServicePerTool", "rule", verdict, scope="turn")


def test_it_says_how_many_waiting_calls_were_released_and_what_could_be_returned(
    notice: SavedNotice, console: FakeConsole, bridge: Bridge, qtbot: QtBot
) -> None:
    by_rule(console, 2, "write_file", "gate", allow("rule_1"))
    by_rule(console, 3, "write_file", "gate", allow("rule_1"))
    by_rule(console, 4, "run_command", "gate", allow("rule_1"))
    by_rule(console, 5, "Write", "client", allow("rule_1"))
    by_rule(console, 6, "Write", "client", allow("another"))
    console.change(waiting("write_file"))
    console.decide("inv_1", Decision("approve", scope="session"), "dialog")
    bridge.flush()
    qtbot.waitUntil(notice.isVisible)
    assert notice.words.endswith("Released 4 waiting calls.")
    console.unstarted = ("inv_2", "inv_3")
    undo = notice.findChild(QPushButton, "undoButton")
    assert undo is not None
    undo.click()
    bridge.flush()
    assert [rule.id for rule in console.rules()] == ["old"]
    assert notice.isVisible() and notice.words == (
        "Rule removed. 2 calls are waiting again. Can't be returned, released to the agent already: Write. "
        "Can't be returned, started already: run_command."
    )
    assert undo.isHidden()


def test_calls_that_a_new_rule_denied_are_counted_and_can_not_be_returned(
    notice: SavedNotice, console: FakeConsole, bridge: Bridge, qtbot: QtBot
) -> None:
    verdict = Verdict("deny", "a rule", rule_id="rule_1", rule_ids=("rule_1",))
    denied = Settle(ToolResult("call_2", (Text("no"),), is_error=True), "Denied", "rule", verdict)
    by_rule(console, 2, "read_file", "gate", denied)
    by_rule(console, 3, "read_file", "gate", denied)
    console.change(waiting("read_file"))
    console.decide("inv_1", Decision("deny", scope="session"), "dialog")
    bridge.flush()
    qtbot.waitUntil(notice.isVisible)
    assert notice.words.endswith("Denied 2 waiting calls.")
    undo = notice.findChild(QPushButton, "undoButton")
    assert undo is not None
    undo.click()
    assert notice.words == "Rule removed. Can't be returned, denied already: read_file (2)."


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
