"""Every verb reaches the engine as it was meant, bound to what was shown."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, reviewing, waiting
from tests.fakes.decision_stage import CTRL, LEFT, Stage

from callgate.core.calls.invocation import Decision, shown_hash
from callgate.core.errors import UserFault
from callgate.core.rules.policy import Verdict
from callgate.ui.theme.theme import Theme


@pytest.fixture
def stage(qtbot: QtBot, console: FakeConsole, theme: Theme) -> Stage:
    return Stage(qtbot, console, theme)


# ---- verbs ---------------------------------------------------------------------------------------------------------


def test_approve_sends_an_approval_bound_to_the_text_shown(stage: Stage) -> None:
    call = stage.wait(waiting())
    heard: list[tuple[str, str]] = []
    stage.bar.decided.connect(lambda *words: heard.append(words))
    stage.click("approveButton")
    assert stage.console.decisions == [(call.id, Decision("approve", shown=shown_hash(call)), "card")]
    assert heard == [(call.id, "approve")]


def test_one_press_is_one_decision(stage: Stage) -> None:
    stage.wait(waiting())
    stage.click("approveButton")
    stage.click("approveButton")
    assert len(stage.decided) == 1
    assert not stage.button("approveButton").isEnabled()


def test_deny_asks_for_a_reason_first_and_sends_it_on_the_second_click(stage: Stage) -> None:
    stage.wait(waiting())
    stage.click("denyButton")
    assert stage.decided == []
    assert stage.reason.hasFocus()
    QTest.keyClicks(stage.reason, "use the test database")
    stage.click("denyButton")
    [decision] = stage.decided
    assert (decision.verb, decision.reason) == ("deny", "use the test database")


def test_enter_in_the_reason_field_denies(stage: Stage) -> None:
    stage.wait(waiting())
    stage.click("denyButton")
    QTest.keyClick(stage.reason, Qt.Key.Key_Return)
    assert [decision.verb for decision in stage.decided] == ["deny"]


def test_a_quick_reason_fills_the_field_and_decides_nothing(stage: Stage) -> None:
    stage.wait(waiting())
    stage.click("denyButton")
    chip = next(button for button in stage.bar.findChildren(QPushButton) if button.text() == "Too risky")
    QTest.mouseClick(chip, LEFT)
    assert stage.reason.text() == "Too risky"
    assert stage.decided == []


def test_an_answer_becomes_the_result(stage: Stage) -> None:
    stage.wait(waiting())
    stage.click("answerButton")
    assert not stage.button("answerButton").isEnabled()
    QTest.keyClicks(stage.answer, "12 degrees")
    stage.click("answerButton")
    [decision] = stage.decided
    assert (decision.verb, decision.result) == ("answer", "12 degrees")


@pytest.mark.qt_log_ignore("does not support")  # what the offscreen platform says of every menu
def test_skip_is_sent_from_the_menu(stage: Stage) -> None:
    stage.wait(waiting())
    stage.click("moreButton")
    skip = next(action for action in stage.bar._more.verbs.actions() if action.text().startswith("Skip"))
    skip.trigger()
    stage.bar._more.verbs.close()
    assert [decision.verb for decision in stage.decided] == ["skip"]


def test_not_now_decides_nothing_and_says_so(stage: Stage) -> None:
    call = stage.wait(waiting())
    heard: list[str] = []
    stage.bar.snoozed.connect(heard.append)
    next(action for action in stage.bar._more.verbs.actions() if action.text().startswith("Not now")).trigger()
    assert heard == [call.id]
    assert stage.decided == []


# ---- editing -------------------------------------------------------------------------------------------------------


def test_edited_arguments_are_sent_as_the_person_wrote_them(stage: Stage) -> None:
    call = stage.wait(waiting(arguments={"command": "ls"}))
    heard: list[bool] = []
    stage.bar.editing.connect(heard.append)
    stage.click("editButton")
    stage.editor.setPlainText('{"command": "ls -l"}')
    assert stage.button("approveButton").accessibleName() == "Approve edited"
    stage.click("approveButton")
    [decision] = stage.decided
    assert decision.arguments == '{"command": "ls -l"}'
    assert decision.shown == shown_hash(call)
    assert heard == [True]


def test_an_editor_left_unchanged_approves_what_the_model_wrote(stage: Stage) -> None:
    stage.wait(waiting(arguments='{"command":"ls"}'))
    stage.click("editButton")
    assert stage.button("approveButton").accessibleName() == "Approve"
    stage.click("approveButton")
    assert stage.decided[0].arguments is None


def test_broken_json_cannot_be_approved_and_the_place_is_named(stage: Stage) -> None:
    stage.wait(waiting())
    stage.click("editButton")
    stage.editor.setPlainText('{"command": }')
    assert not stage.button("approveButton").isEnabled()
    QTest.keyClick(stage.editor, Qt.Key.Key_Return, CTRL)
    assert stage.decided == []
    stage.click("revertButton")
    assert stage.button("approveButton").isEnabled()
    assert stage.button("approveButton").accessibleName() == "Approve"


def test_back_leaves_the_editor_and_the_edit(stage: Stage) -> None:
    stage.wait(waiting())
    stage.click("editButton")
    stage.editor.setPlainText("{}")
    QTest.keyClick(stage.editor, Qt.Key.Key_Escape)
    assert stage.bar.mode == "verbs"
    stage.click("approveButton")
    assert stage.decided[0].arguments is None


def test_an_edit_that_the_engine_refuses_is_explained_and_can_be_mended(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.wait(waiting())
    stage.click("editButton")
    stage.editor.setPlainText('{"command": 1}')

    def refuse(*_: object) -> bool:
        raise UserFault("The edited arguments do not fit: command: 1 is not a string")

    monkeypatch.setattr(stage.console, "decide", refuse)
    stage.click("approveButton")
    assert "is not a string" in stage.label("decisionStatus")
    assert stage.button("approveButton").isEnabled()
    assert stage.bar.mode == "edit"


def test_what_is_being_written_survives_an_unchanged_call(stage: Stage) -> None:
    call = stage.wait(waiting())
    stage.click("denyButton")
    stage.reason.setText("half a rea")
    stage.bar.show_invocation(replace(call, deadline=call.started + 900))
    assert (stage.bar.mode, stage.reason.text()) == ("deny", "half a rea")
    stage.bar.show_invocation(waiting(id="inv_2"))
    assert stage.bar.mode == "verbs"


# ---- results -------------------------------------------------------------------------------------------------------


def test_a_result_is_accepted(stage: Stage) -> None:
    stage.wait(reviewing())
    assert stage.button("approveButton").accessibleName() == "Accept"
    assert stage.button("answerButton").isHidden()
    assert stage.scope.isHidden()
    stage.click("approveButton")
    assert stage.decided[0].verb == "accept"


def test_an_edited_result_is_sent_instead_of_the_real_one(stage: Stage) -> None:
    stage.wait(reviewing())
    stage.click("editButton")
    assert stage.editor.toPlainText() == "secret = 1"
    stage.editor.setPlainText("secret = ***")
    stage.click("approveButton")
    assert (stage.decided[0].verb, stage.decided[0].result) == ("edit_result", "secret = ***")


def test_a_result_is_withheld_with_a_reason(stage: Stage) -> None:
    stage.wait(reviewing())
    stage.click("denyButton")
    QTest.keyClicks(stage.reason, "private")
    QTest.keyClick(stage.reason, Qt.Key.Key_Return)
    assert (stage.decided[0].verb, stage.decided[0].reason) == ("withhold", "private")


# ---- remembering ---------------------------------------------------------------------------------------------------


def test_a_lasting_scope_shows_the_rule_that_will_be_saved(stage: Stage) -> None:
    stage.wait(waiting("read_file", {"path": "src/a.py", "limit": 3}))
    assert not stage.remember.isVisible()
    stage.scope.choose("always")
    assert stage.remember.isVisible()
    assert stage.label("rulePreview") == "Saves the rule: allow read_file of built-in when args.path fits src/**"
    stage.click("denyButton")
    assert stage.label("rulePreview") == "Saves the rule: deny read_file of built-in when args.path fits src/**"
    stage.click("denyButton")
    [decision] = stage.decided
    assert (decision.verb, decision.scope, decision.when) == ("deny", "always", "args.path:src/**")


def test_the_decision_carries_what_the_person_chose_for_its_rule(stage: Stage) -> None:
    stage.wait(waiting("read_file", {"path": "src/a.py"}))
    stage.scope.choose("workspace")
    stage.remember.expression.set_text("args.path=src/a.py")
    stage.remember.limits.uses_box.choose(5)
    stage.click("approveButton")
    [decision] = stage.decided
    assert (decision.when, decision.uses, decision.expires) == ("args.path=src/a.py", 5, None)
    assert str(stage.console.rules()[0]) == "allow read_file of built-in when args.path=src/a.py"


def test_a_rule_that_cannot_be_read_is_not_saved_and_nothing_is_decided(stage: Stage) -> None:
    stage.wait(waiting("read_file", {"path": "src/a.py"}))
    stage.scope.choose("session")
    stage.remember.expression.set_text("args.path:")
    assert not stage.button("approveButton").isEnabled()
    stage.bar.setFocus()
    QTest.keyClick(stage.bar, Qt.Key.Key_Return, CTRL)
    assert stage.decided == []
    stage.scope.choose("once")
    assert stage.button("approveButton").isEnabled()


def test_the_rule_for_edited_arguments_is_built_from_the_edit(stage: Stage) -> None:
    stage.wait(waiting("read_file", {"path": "src/a.py"}))
    stage.scope.choose("session")
    stage.click("editButton")
    stage.editor.setPlainText('{"path": "docs/b.md"}')
    stage.click("approveButton")
    assert stage.decided[0].when == "args.path:docs/**"


def test_what_no_rule_can_allow_offers_no_lasting_approval(stage: Stage) -> None:
    call = stage.wait(replace(waiting(), verdict=Verdict("ask", "it sets a variable", grantable=False)))
    assert not stage.scope.isEnabled()
    stage.click("denyButton")
    assert stage.scope.isEnabled()
    stage.scope.choose("always")
    QTest.keyClick(stage.reason, Qt.Key.Key_Escape)
    stage.click("approveButton")
    assert stage.decided == [Decision("approve", shown=shown_hash(call))]


def test_a_scope_never_carries_over_to_the_next_call(stage: Stage) -> None:
    stage.wait(waiting())
    stage.scope.choose("session")
    stage.click("approveButton")
    assert stage.decided[0].scope == "session"
    stage.wait(waiting(id="inv_2"))
    assert stage.scope.scope == "once"


def test_an_answer_is_never_remembered(stage: Stage) -> None:
    stage.wait(waiting())
    stage.scope.choose("always")
    stage.click("answerButton")
    assert stage.scope.isHidden()
    stage.answer.setPlainText("x")
    stage.click("answerButton")
    assert stage.decided[0].scope == "once"
