"""Every verb reaches the engine as it was meant, bound to what was shown; everything else decides nothing."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, completed, reviewing, waiting

from callgate.core.errors import UserFault
from callgate.core.invocation import Decision, Invocation, shown_hash
from callgate.ui.decision import DecisionBar
from callgate.ui.scope_box import ScopeBox
from callgate.ui.theme import Theme

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier


class Stage:
    """A bar in an active window, over a console in which one call waits."""

    def __init__(self, qtbot: QtBot, console: FakeConsole, theme: Theme, arm_ms: int = 0) -> None:
        self.console = console
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.outside = QLineEdit()
        self.bar = DecisionBar(console, theme, "card", arm_ms=arm_ms)
        column = QVBoxLayout(self.window)
        column.addWidget(self.outside)
        column.addWidget(self.bar)
        self.window.resize(800, 300)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow, timeout=2000)

    def wait(self, invocation: Invocation) -> Invocation:
        self.console.change(invocation)
        self.bar.show_invocation(invocation)
        return invocation

    def button(self, name: str) -> QPushButton:
        found = self.bar.findChild(QPushButton, name)
        assert found is not None
        return found

    def click(self, name: str) -> None:
        QTest.mouseClick(self.button(name), LEFT)

    @property
    def reason(self) -> QLineEdit:
        found = self.bar.findChild(QLineEdit, "denyReason")
        assert found is not None
        return found

    @property
    def editor(self) -> QPlainTextEdit:
        found = self.bar.findChild(QPlainTextEdit, "argumentsEditor")
        assert found is not None
        return found

    @property
    def answer(self) -> QPlainTextEdit:
        found = self.bar.findChild(QPlainTextEdit, "answerText")
        assert found is not None
        return found

    @property
    def scope(self) -> ScopeBox:
        found = self.bar.findChild(ScopeBox, "rememberScope")
        assert found is not None
        return found

    def label(self, name: str) -> str:
        found = self.bar.findChild(QLabel, name)
        assert found is not None
        return found.text() if not found.isHidden() else ""

    @property
    def decided(self) -> list[Decision]:
        return [decision for _, decision, _ in self.console.decisions]


@pytest.fixture
def stage(qtbot: QtBot, console: FakeConsole, theme: Theme) -> Stage:
    return Stage(qtbot, console, theme)


@pytest.fixture
def guarded(qtbot: QtBot, console: FakeConsole, theme: Theme) -> Callable[[int], Stage]:
    return lambda arm_ms: Stage(qtbot, console, theme, arm_ms)


# ---- verbs -------------------------------------------------------------------------------------------------------------


def test_approve_sends_an_approval_bound_to_the_text_shown(stage: Stage) -> None:
    call = stage.wait(waiting())
    heard: list[tuple[str, str]] = []
    stage.bar.decided.connect(lambda *words: heard.append(words))
    stage.click("approveButton")
    assert stage.console.decisions == [(call.id, Decision("approve", shown=shown_hash(call.arguments)), "card")]
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
    skip = next(action for action in stage.bar._menu.actions() if action.text().startswith("Skip"))
    skip.trigger()
    stage.bar._menu.close()
    assert [decision.verb for decision in stage.decided] == ["skip"]


def test_not_now_decides_nothing_and_says_so(stage: Stage) -> None:
    call = stage.wait(waiting())
    heard: list[str] = []
    stage.bar.snoozed.connect(heard.append)
    next(action for action in stage.bar._menu.actions() if action.text().startswith("Not now")).trigger()
    assert heard == [call.id]
    assert stage.decided == []


# ---- editing -----------------------------------------------------------------------------------------------------------


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
    assert decision.shown == shown_hash(call.arguments)
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


# ---- results -----------------------------------------------------------------------------------------------------------


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


# ---- remembering -------------------------------------------------------------------------------------------------------


def test_a_lasting_scope_shows_the_rule_that_will_be_saved(stage: Stage) -> None:
    stage.wait(waiting())
    assert stage.label("rulePreview") == ""
    stage.scope.setCurrentIndex(3)
    assert stage.label("rulePreview") == "Saves the rule: allow run_command of built-in"
    stage.click("denyButton")
    assert stage.label("rulePreview") == "Saves the rule: deny run_command of built-in"
    stage.click("denyButton")
    assert (stage.decided[0].verb, stage.decided[0].scope) == ("deny", "always")


def test_a_scope_never_carries_over_to_the_next_call(stage: Stage) -> None:
    stage.wait(waiting())
    stage.scope.setCurrentIndex(1)
    stage.click("approveButton")
    assert stage.decided[0].scope == "session"
    stage.wait(waiting(id="inv_2"))
    assert stage.scope.scope == "once"


def test_an_answer_is_never_remembered(stage: Stage) -> None:
    stage.wait(waiting())
    stage.scope.setCurrentIndex(3)
    stage.click("answerButton")
    assert stage.scope.isHidden()
    stage.answer.setPlainText("x")
    stage.click("answerButton")
    assert stage.decided[0].scope == "once"


# ---- the safety of the hand --------------------------------------------------------------------------------------------


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


def test_ctrl_enter_approves_only_with_the_focus_inside(stage: Stage) -> None:
    stage.wait(waiting())
    stage.outside.setFocus()
    QTest.keyClick(stage.outside, Qt.Key.Key_Return, CTRL)
    assert stage.decided == []
    stage.bar.setFocus()
    QTest.keyClick(stage.bar, Qt.Key.Key_Return, CTRL)
    assert [decision.verb for decision in stage.decided] == ["approve"]


def test_ctrl_backspace_opens_the_denial_and_decides_nothing_yet(stage: Stage) -> None:
    stage.wait(waiting())
    stage.bar.setFocus()
    QTest.keyClick(stage.bar, Qt.Key.Key_Backspace, CTRL)
    assert stage.bar.mode == "deny"
    assert stage.decided == []


def test_ctrl_enter_in_the_reason_field_sends_the_denial_and_never_an_approval(stage: Stage) -> None:
    stage.wait(waiting())
    stage.click("denyButton")
    QTest.keyClicks(stage.reason, "no")
    QTest.keyClick(stage.reason, Qt.Key.Key_Return, CTRL)
    assert [(decision.verb, decision.reason) for decision in stage.decided] == [("deny", "no")]


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


# ---- stale decisions ---------------------------------------------------------------------------------------------------


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


def test_a_hostile_rule_text_is_shown_as_plain_text(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.wait(waiting())
    monkeypatch.setattr(stage.console, "rule_preview", lambda *_: "<b>allow</b> \u202e")
    stage.scope.setCurrentIndex(2)
    assert stage.label("rulePreview") == "Saves the rule: <b>allow</b> ⟨U+202E RLO⟩"
    preview = stage.bar.findChild(QLabel, "rulePreview")
    assert preview is not None
    assert preview.textFormat() == Qt.TextFormat.PlainText
