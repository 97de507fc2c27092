"""What a rule would have done, before it is saved."""

import pytest
from PySide6.QtWidgets import QLabel, QListView, QToolButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, completed, denied
from tests.fakes.loop import BoundLoop

from callgate.core.rules.policy import Rule
from callgate.ui.bridge import Bridge
from callgate.ui.decision.back_test_box import BackTestBox
from callgate.ui.theme.theme import Theme


@pytest.fixture
def box(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme) -> BackTestBox:
    console.past = [
        *(completed("read_file", {"path": f"src/{n}.py"}, id=f"p{n}") for n in range(14)),
        denied("read_file", {"path": "src/keys.py"}, id="d1"),
        completed("search_text", id="s"),
    ]
    box = BackTestBox(console, bridge, theme, now=lambda: NOON + 60)
    qtbot.addWidget(box)
    box.resize(500, 200)
    return box


def _words(box: BackTestBox) -> str:
    return box.findChild(QLabel, "backTest").text()


def test_the_sentence_counts_what_would_have_been_allowed_and_was_refused(box: BackTestBox, loop: BoundLoop) -> None:
    box.try_rule(Rule("allow", "read_file", when="args.path:src/**"))
    assert box.isVisible() and "…" in _words(box)
    loop.until(lambda: "would have" in _words(box))
    assert _words(box) == "It would have allowed 15 past calls of 16, 1 of which was refused."
    assert box.findChild(QLabel, "backTest").property("tone") == "waiting"


def test_the_calls_are_listed_the_refused_ones_first(box: BackTestBox, loop: BoundLoop) -> None:
    box.try_rule(Rule("allow", "read_file"))
    loop.until(lambda: "would have" in _words(box))
    listed = box.findChild(QListView)
    assert not listed.isVisible()
    box.findChild(QToolButton).click()
    model = listed.model()
    assert listed.isVisible() and model.rowCount() == 15
    assert model.index(0, 0).data() == "denied  read_file  src/keys.py  ·  claude-code, 1 min ago"


def test_a_rule_that_covers_nothing_says_so(box: BackTestBox, console: FakeConsole, loop: BoundLoop) -> None:
    box.try_rule(Rule("deny", "other"))
    loop.until(lambda: _words(box) == "It covers none of 16 past calls.")
    console.past = []
    box.try_rule(Rule("deny", "another"))
    loop.until(lambda: _words(box) == "There are no past calls to try it on.")


def test_only_the_last_of_several_changes_is_asked_about(
    box: BackTestBox, console: FakeConsole, loop: BoundLoop
) -> None:
    for tool in ("a", "b", "read_file"):
        box.try_rule(Rule("allow", tool))
    loop.until(lambda: "would have" in _words(box))
    box.try_rule(Rule("allow", "read_file", uses=3, expires=1.0))
    assert "would have" in _words(box)
    assert [rule.tool for rule in console.back_tested] == ["read_file"]


def test_without_a_readable_rule_or_a_bridge_nothing_is_shown(
    box: BackTestBox, console: FakeConsole, theme: Theme, qtbot: QtBot
) -> None:
    box.try_rule(None)
    assert box.isHidden()
    alone = BackTestBox(console, None, theme)
    qtbot.addWidget(alone)
    alone.try_rule(Rule("allow"))
    assert alone.isHidden()
