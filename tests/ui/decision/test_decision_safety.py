"""What was not meant decides nothing: unarmed, stale, unseen, typed elsewhere."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, completed, sample_tools, waiting
from tests.fakes.decision_stage import CTRL, LEFT, Stage

from callgate.ui.decision.decision import DecisionBar
from callgate.ui.theme.theme import Theme


@pytest.fixture
def stage(qtbot: QtBot, console: FakeConsole, theme: Theme) -> Stage:
    return Stage(qtbot, console, theme)


@pytest.fixture
def guarded(qtbot: QtBot, console: FakeConsole, theme: Theme) -> Callable[[int], Stage]:
    return lambda arm_ms: Stage(qtbot, console, theme, arm_ms)


# ---- the safety of the hand ----------------------------------------------------------------------------------------


def test_nothing_can_be_pressed_before_the_bar_is_armed(qtbot: QtBot, guarded: Callable[[int], Stage]) -> None:
    stage = guarded(80)
    stage.wait(waiting())
    assert not stage.button("approveButton").isEnabled()
    stage.click("approveButton")
    stage.bar.setFocus()
    QTest.keyClick(stage.bar, Qt.Key.Key_Return, CTRL)
    assert stage.decided == []
    qtbot.waitUntil(lambda: stage.button("approveButton").isEnabled(), timeout=2000)


def test_the_next_call_has_to_be_armed_again(qtbot: QtBot, guarded: Callable[[int], Stage]) -> None:
    stage = guarded(60)
    stage.wait(waiting())
    qtbot.waitUntil(lambda: stage.button("approveButton").isEnabled(), timeout=2000)
    stage.bar.show_invocation(waiting(id="inv_2"))
    assert not stage.button("approveButton").isEnabled()


def test_the_focus_leaves_the_button_when_the_next_call_comes(stage: Stage) -> None:
    stage.wait(waiting())
    stage.button("approveButton").setFocus(Qt.FocusReason.TabFocusReason)
    stage.bar.show_invocation(waiting(id="inv_2"))
    assert not stage.button("approveButton").hasFocus()
    assert stage.bar.hasFocus()


def test_plain_enter_and_space_on_the_bar_decide_nothing(stage: Stage) -> None:
    stage.wait(waiting())
    stage.bar.setFocus()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
        QTest.keyClick(stage.bar, key)
    assert stage.decided == []


def test_ctrl_backspace_denies_at_once(stage: Stage) -> None:
    stage.wait(waiting())
    stage.bar.setFocus()
    QTest.keyClick(stage.bar, Qt.Key.Key_Backspace, CTRL)
    assert [(decision.verb, decision.reason) for decision in stage.decided] == [("deny", "")]


def test_shift_click_on_deny_denies_at_once_and_words_begun_before_are_not_sent(stage: Stage) -> None:
    stage.wait(waiting())
    stage.click("denyButton")
    QTest.keyClicks(stage.reason, "half a rea")
    QTest.keyClick(stage.reason, Qt.Key.Key_Escape)
    QTest.mouseClick(stage.button("denyButton"), LEFT, Qt.KeyboardModifier.ShiftModifier)
    assert [(decision.verb, decision.reason) for decision in stage.decided] == [("deny", "")]


def test_a_denial_that_would_save_a_rule_shows_it_first(stage: Stage) -> None:
    stage.wait(waiting("read_file", {"path": "src/a.py"}))
    stage.scope.setCurrentIndex(3)
    stage.bar.setFocus()
    QTest.keyClick(stage.bar, Qt.Key.Key_Backspace, CTRL)
    assert (stage.bar.mode, stage.decided) == ("deny", [])
    assert stage.label("rulePreview").startswith("Saves the rule: deny read_file")


def test_ctrl_enter_in_a_denial_does_nothing_and_enter_denies(stage: Stage) -> None:
    stage.wait(waiting())
    stage.click("denyButton")
    QTest.keyClicks(stage.reason, "no")
    QTest.keyClick(stage.reason, Qt.Key.Key_Return, CTRL)
    assert (stage.bar.mode, stage.decided) == ("deny", [])
    assert stage.label("decisionStatus") == "Ctrl+Enter does nothing in a denial. Enter denies."
    QTest.keyClick(stage.reason, Qt.Key.Key_Return)
    assert [(decision.verb, decision.reason) for decision in stage.decided] == [("deny", "no")]


def test_what_decides_nothing_works_before_it_is_armed(guarded: Callable[[int], Stage]) -> None:
    for name, mode in (("denyButton", "deny"), ("editButton", "edit"), ("answerButton", "answer")):
        stage = guarded(60_000)
        stage.wait(waiting())
        stage.click(name)
        assert stage.bar.mode == mode
        QTest.keyClick(stage.reason, Qt.Key.Key_Return)
        assert stage.decided == []


def test_a_parked_call_offers_nothing_but_to_be_taken_over(stage: Stage) -> None:
    stage.wait(waiting())
    taken: list[str] = []
    stage.bar.wanted_here.connect(taken.append)
    stage.bar.set_live(False, "dialog")
    assert stage.label("parkedWords") == "In the dialog"
    assert not stage.button("approveButton").isVisible() and not stage.button("denyButton").isVisible()
    stage.bar.setFocus()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Backspace, Qt.Key.Key_E):
        QTest.keyClick(stage.bar, key, CTRL)
    assert (stage.decided, stage.bar.mode) == ([], "verbs")
    stage.click("decideHere")
    assert taken == ["inv_1"]
    stage.bar.set_live(True)
    stage.click("approveButton")
    assert [decision.verb for decision in stage.decided] == ["approve"]


def test_ctrl_backspace_in_the_reason_field_deletes_a_word(stage: Stage) -> None:
    stage.wait(waiting())
    stage.click("denyButton")
    QTest.keyClicks(stage.reason, "one two")
    QTest.keyClick(stage.reason, Qt.Key.Key_Backspace, CTRL)
    assert stage.reason.text() == "one "
    assert stage.decided == []


def test_ctrl_enter_in_the_answer_sends_the_answer(stage: Stage) -> None:
    stage.wait(waiting())
    stage.click("answerButton")
    QTest.keyClick(stage.answer, Qt.Key.Key_Return, CTRL)
    assert stage.decided == []
    QTest.keyClicks(stage.answer, "yes")
    QTest.keyClick(stage.answer, Qt.Key.Key_Return, CTRL)
    assert [decision.verb for decision in stage.decided] == ["answer"]


def test_until_all_was_shown_approve_only_shows_the_rest(stage: Stage) -> None:
    stage.wait(waiting())
    stage.bar.set_seen(False)
    asked: list[int] = []
    stage.bar.show_requested.connect(lambda: asked.append(1))
    assert stage.button("approveButton").accessibleName() == "Show the rest"
    stage.click("approveButton")
    assert (asked, stage.decided) == ([1], [])
    stage.bar.set_seen(True)
    stage.click("approveButton")
    assert [decision.verb for decision in stage.decided] == ["approve"]


def test_no_button_is_a_default_button(stage: Stage) -> None:
    assert not [b.objectName() for b in stage.bar.findChildren(QPushButton) if b.autoDefault() or b.isDefault()]


# ---- stale decisions -----------------------------------------------------------------------------------------------


def test_a_decision_that_comes_too_late_says_so_and_harms_nothing(stage: Stage) -> None:
    stage.wait(waiting())
    stage.console.too_late = True
    stage.click("approveButton")
    assert stage.label("decisionStatus") == "Already decided"
    assert not stage.button("approveButton").isEnabled()


def test_a_call_that_changed_behind_the_screen_must_be_looked_at_again(stage: Stage) -> None:
    stage.wait(waiting(arguments={"command": "ls"}))
    stage.console.change(waiting(arguments={"command": "rm -rf /"}))
    stage.click("approveButton")
    assert stage.console.waiting()[0].is_waiting
    assert "has changed" in stage.label("decisionStatus")
    assert stage.bar.invocation == stage.console.waiting()[0]


def test_a_call_that_no_longer_waits_cannot_be_decided(stage: Stage) -> None:
    stage.bar.show_invocation(completed())
    assert not stage.button("approveButton").isEnabled()
    stage.bar.setFocus()
    QTest.keyClick(stage.bar, Qt.Key.Key_Return, CTRL)
    stage.bar.show_invocation(None)
    QTest.keyClick(stage.bar, Qt.Key.Key_Return, CTRL)
    assert stage.decided == []


def test_a_hostile_rule_text_is_shown_as_plain_text(stage: Stage) -> None:
    stage.wait(waiting("<b>run</b>\u202e", {"x": "<i>y</i>"}))
    stage.scope.choose("workspace")
    assert stage.label("rulePreview").startswith("Saves the rule: allow <b>run</b>⟨U+202E RLO⟩ of built-in when")
    preview = stage.bar.findChild(QLabel, "rulePreview")
    assert preview.textFormat() == Qt.TextFormat.PlainText


# ---- calls that may do harm ----------------------------------------------------------------------------------------


@pytest.fixture
def risky(stage: Stage) -> Stage:
    stage.console.tool_list = list(sample_tools())
    stage.wait(waiting("write_file", {"path": "src/a.py", "content": "x"}))
    return stage


def test_a_click_is_not_enough_for_a_call_that_may_do_harm(risky: Stage) -> None:
    assert risky.button("approveButton").accessibleName() == "Hold to approve"
    risky.click("approveButton")
    assert risky.decided == []
    assert risky.label("decisionStatus") == "Press and hold."


def test_holding_the_button_approves(risky: Stage, qtbot: QtBot) -> None:
    button = risky.button("approveButton")
    QTest.mousePress(button, LEFT)
    qtbot.waitUntil(lambda: bool(risky.decided), timeout=3000)
    QTest.mouseRelease(button, LEFT)
    assert [decision.verb for decision in risky.decided] == ["approve"]


def test_neither_the_shortcut_nor_assistive_technology_approves_it_at_once(risky: Stage) -> None:
    risky.bar.setFocus()
    QTest.keyClick(risky.bar, Qt.Key.Key_Return, CTRL)
    assert risky.decided == [] and risky.typed_name.hasFocus()
    risky.button("approveButton").click()
    assert risky.decided == []


def test_the_typed_name_approves_with_enter(risky: Stage) -> None:
    QTest.keyClicks(risky.typed_name, "write_fil")
    QTest.keyClick(risky.typed_name, Qt.Key.Key_Return)
    assert risky.decided == []
    QTest.keyClicks(risky.typed_name, "e")
    assert risky.button("approveButton").accessibleName() == "Approve"
    QTest.keyClick(risky.typed_name, Qt.Key.Key_Return)
    assert [decision.verb for decision in risky.decided] == ["approve"]


def test_denying_a_risky_call_needs_no_ceremony(risky: Stage) -> None:
    risky.click("denyButton")
    risky.click("denyButton")
    assert [decision.verb for decision in risky.decided] == ["deny"]


def test_edited_arguments_of_a_risky_call_need_the_same(risky: Stage) -> None:
    risky.click("editButton")
    risky.editor.setPlainText('{"path": "src/b.py", "content": "y"}')
    assert risky.button("approveButton").accessibleName() == "Hold to approve edited"
    QTest.keyClick(risky.editor, Qt.Key.Key_Return, CTRL)
    assert risky.decided == []


def test_the_focus_never_hops_to_the_button_of_another_call(stage: Stage, theme: Theme) -> None:
    second = DecisionBar(stage.console, theme, "card", stage.window, arm_ms=0)
    layout = stage.window.layout()
    assert layout is not None
    layout.addWidget(second)
    stage.wait(waiting())
    other = waiting(id="inv_2")
    stage.console.change(other)
    second.show_invocation(other)
    approve = stage.button("approveButton")
    approve.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(approve, Qt.Key.Key_Space)
    assert stage.bar.hasFocus()
    QTest.keyClick(stage.window.focusWidget(), Qt.Key.Key_Space)
    assert [id for id, _, _ in stage.console.decisions] == ["inv_1"]


def test_a_call_that_comes_while_the_person_types_elsewhere_leaves_the_focus_there(stage: Stage) -> None:
    stage.wait(waiting())
    stage.button("approveButton").setFocus(Qt.FocusReason.TabFocusReason)
    stage.outside.setFocus()
    stage.bar.show_invocation(waiting(id="inv_2"))
    QTest.keyClicks(stage.outside, "typing on")
    assert stage.outside.hasFocus()
    assert stage.outside.text() == "typing on"
