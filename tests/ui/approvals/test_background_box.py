"""What is known of a call's tool from before."""

import pytest
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, completed, reviewing, waiting
from tests.fakes.loop import BoundLoop

from callgate.core.catalog.definition_diff import diff
from callgate.core.rules.policy import Rule
from callgate.engine.console.rule_service import CallBackground, DefinitionChange
from callgate.ui.approvals.background_box import BackgroundBox
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme

BEFORE, AFTER = {"name": "read_file", "description": "Reads."}, {"name": "read_file", "description": "Reads and mails."}


@pytest.fixture
def box(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme) -> BackgroundBox:
    box = BackgroundBox(console, theme, bridge, now=lambda: NOON + 200)
    qtbot.addWidget(box)
    return box


def test_the_last_call_is_compared_with(box: BackgroundBox, console: FakeConsole, loop: BoundLoop) -> None:
    console.rule_service.backgrounds["read_file"] = CallBackground(completed("read_file", {"path": "a"}))
    box.show_invocation(waiting("read_file", {"path": "b"}))
    loop.until(lambda: not box.isHidden())
    assert 'path "a" → "b"' in box.since
    assert box.definition.isHidden()


def test_a_changed_definition_is_told_with_what_no_longer_counts(
    box: BackgroundBox, console: FakeConsole, loop: BoundLoop
) -> None:
    change = DefinitionChange("read_file", "built-in", "new", AFTER, BEFORE, diff(BEFORE, AFTER))
    rule = Rule("allow", "read_file", fingerprint="old")
    console.rule_service.backgrounds["read_file"] = CallBackground(None, change, (rule,))
    box.show_invocation(waiting("read_file"))
    loop.until(lambda: not box.isHidden())
    assert "So this no longer counts: allow read_file." in box.definition.words
    assert "description changed" in box.definition.words


def test_an_answer_that_comes_late_for_another_call_is_dropped(
    box: BackgroundBox, console: FakeConsole, loop: BoundLoop
) -> None:
    console.rule_service.backgrounds["read_file"] = CallBackground(completed("read_file"))
    box.show_invocation(waiting("read_file", id="a"))
    box.show_invocation(waiting("get_weather", id="b"))
    loop.until(lambda: not box._pause.isActive())
    loop.settle()
    assert box.isHidden()


def test_a_review_needs_no_comparison(box: BackgroundBox, console: FakeConsole, loop: BoundLoop) -> None:
    console.rule_service.backgrounds["read_file"] = CallBackground(completed("read_file"))
    box.show_invocation(reviewing())
    loop.until(lambda: not box._pause.isActive())
    loop.settle()
    assert box.isHidden()
