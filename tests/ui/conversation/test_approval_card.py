"""While a person must decide, everything that is decided on is there, and the verbs with it."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.samples import reviewing, sample_tools, waiting

from callgate.core.calls.binding import Binding, BoundTool, change_between
from callgate.core.catalog.definition_diff import diff
from callgate.core.rules.policy import TraceLine, Verdict
from callgate.core.rules.rule import SUSPENDED
from callgate.engine.console.rule_service import CallBackground, DefinitionChange
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.approval_card import ApprovalCard
from callgate.ui.decision.click_guard import GuardedButton
from callgate.ui.theme.theme import Theme


@pytest.fixture
def asking(qtbot: QtBot, theme: Theme) -> Iterator[ApprovalCard]:
    card = QWidget()
    qtbot.addWidget(card)
    card.resize(700, 500)
    asking = ApprovalCard(FakeConsole(), theme, card)
    asking.resize(680, 480)
    card.show()
    yield asking


def test_short_arguments_fit_and_long_ones_scroll(asking: ApprovalCard) -> None:
    asking.show_invocation(waiting(arguments={"a": 1}))
    asking.fit(680)
    short = asking.arguments.text.height()
    asking.show_invocation(waiting(arguments={f"key_{number}": number for number in range(100)}, id="inv_2"))
    asking.fit(680)
    assert short < asking.arguments.text.height() <= 320
    assert "key_99" in asking.arguments.text.toPlainText()


def test_hidden_characters_are_warned_of(asking: ApprovalCard, qtbot: QtBot) -> None:
    asking.show_invocation(waiting(arguments={"command": "ls \u202e"}))
    qtbot.waitUntil(lambda: asking.findChild(QWidget, "oddWarning").isVisible(), timeout=3000)


def test_a_result_to_review_is_shown_instead_of_the_arguments(asking: ApprovalCard) -> None:
    asking.show_invocation(reviewing())
    assert asking.arguments.title.text() == "Result"
    assert asking.arguments.text.toPlainText() == "secret = 1"


def test_the_editor_takes_the_place_of_the_text(asking: ApprovalCard) -> None:
    asking.show_invocation(waiting())
    asking.bar.editing.emit(True)
    assert asking.arguments.isHidden()
    asking.bar.editing.emit(False)
    assert not asking.arguments.isHidden()


def test_a_tool_that_has_changed_is_compared_before_it_is_decided(
    qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme, loop: BoundLoop
) -> None:
    before, after = {"name": "read_file", "description": "Reads."}, {"name": "read_file", "description": "Mails."}
    change = DefinitionChange("read_file", "built-in", "new", after, before, diff(before, after))
    console.rule_service.backgrounds["read_file"] = CallBackground(None, change)
    card = QWidget()
    qtbot.addWidget(card)
    asking = ApprovalCard(console, theme, card, bridge)
    verdict = Verdict("ask", "no rule matched", trace=(TraceLine("allow read_file", SUSPENDED, "always"),))
    asking.show_invocation(replace(waiting("read_file"), verdict=verdict))
    loop.until(lambda: not asking.definition.isHidden())
    assert "has changed since you last approved it" in asking.definition.words
    asking.bar.set_seen(True)
    approve = asking.findChild(GuardedButton, "approveButton")
    assert approve is not None and "Hold" in approve.accessibleName()
    asking.show_invocation(waiting("read_file", id="inv_other"))
    assert asking.definition.isHidden()


def test_a_tool_that_is_not_what_it_was_is_told_of_with_the_difference(asking: ApprovalCard) -> None:
    first = BoundTool(Binding("f1", "e1", ("MCP server srv", "python old.py")), {"description": "Tidies up."})
    now = BoundTool(Binding("f2", "e2", ("MCP server srv", "python new.py")), {"description": "Deletes everything."})
    change = change_between(first, now, "waiting")
    asking.show_invocation(replace(waiting(), change=change))
    assert "changed while the call was waiting" in asking.change.words
    shown = "\n".join(section.text.toPlainText() for section in asking.change.diff.sections)
    assert "python old.py" in shown and "python new.py" in shown and "Deletes everything." in shown
    asking.show_invocation(replace(waiting(), change=change_between(first, None, "waiting")))
    assert "was removed" in asking.change.words and not asking.change.diff.sections
    approve = asking.findChild(GuardedButton, "approveButton")
    assert approve is not None and approve.isHidden()
    asking.show_invocation(waiting())
    assert asking.change.isHidden() and not approve.isHidden()


def test_a_call_whose_tool_changes_under_the_hand_has_to_be_looked_at_anew(asking: ApprovalCard, qtbot: QtBot) -> None:
    asking.show_invocation(waiting())
    approve = asking.findChild(GuardedButton, "approveButton")
    assert approve is not None
    qtbot.waitUntil(approve.isEnabled, timeout=3000)
    asking.show_invocation(replace(waiting(), executor="another"))
    assert not approve.isEnabled()


def test_the_card_says_what_is_known_of_the_very_tool_that_will_run(qtbot: QtBot, asking: ApprovalCard) -> None:
    console = asking._console
    assert isinstance(console, FakeConsole)
    console.tool_list = list(sample_tools())
    asking.show_invocation(waiting("read_file"))
    qtbot.waitUntil(lambda: signs(asking) == ["Declared read-only"], timeout=3000)
    asking.show_invocation(waiting("read_file", owner="client", id="inv_2"))
    unseen = "Unknown: runs in the agent, where Callgate cannot see it"
    qtbot.waitUntil(lambda: signs(asking) == [unseen], timeout=3000)
    asking.show_invocation(reviewing(id="inv_3"))
    assert asking.hints.isHidden(), "it has run"


def signs(asking: ApprovalCard) -> list[str]:
    return [label.text() for label in asking.hints.findChildren(QLabel) if label.isVisible() and label.text()]
