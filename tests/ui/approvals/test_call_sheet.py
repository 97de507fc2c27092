"""A call told in full."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, reviewing, sample_tools, waiting

from callgate.core.rules.policy import TraceLine, Verdict
from callgate.ui.approvals.call_sheet import CallSheet
from callgate.ui.theme.theme import Theme


@pytest.fixture
def sheet(qtbot: QtBot, console: FakeConsole, theme: Theme) -> CallSheet:
    console.tool_list = list(sample_tools())
    sheet = CallSheet(console, theme, now=lambda: NOON + 100)
    qtbot.addWidget(sheet)
    sheet.resize(600, 500)
    sheet.show()
    return sheet


def label(sheet: CallSheet, name: str) -> QLabel:
    found = sheet.findChild(QLabel, name)
    assert found is not None
    return found


def test_it_tells_who_what_why_and_how_long(sheet: CallSheet) -> None:
    sheet.show_invocation(waiting())
    assert label(sheet, "approvalHeadline").text() == "claude-code wants to run run_command"
    assert label(sheet, "approvalCountdown").text() == "Auto-denies in 3:20"
    assert "No rule matches" in label(sheet, "approvalWhy").text()
    assert "pytest" in sheet.arguments.text.toPlainText()


def test_the_countdown_becomes_urgent(sheet: CallSheet) -> None:
    sheet.show_invocation(replace(waiting(), deadline=NOON + 110))
    assert label(sheet, "approvalCountdown").property("tone") == "danger"
    sheet.show_invocation(replace(waiting(), deadline=None))
    assert label(sheet, "approvalCountdown").isHidden()


def test_the_rules_that_were_tried_unfold(sheet: CallSheet) -> None:
    verdict = Verdict("ask", "rule: ask run_*", trace=(TraceLine("ask run_*", "matched"),))
    sheet.show_invocation(replace(waiting(), verdict=verdict))
    toggle = sheet.findChild(QToolButton, "traceToggle")
    assert toggle is not None
    assert label(sheet, "approvalTrace").isHidden()
    toggle.click()
    assert label(sheet, "approvalTrace").text() == "ask run_*  —  matched"
    assert label(sheet, "approvalTrace").isVisible()


def test_hostile_names_and_arguments_are_warned_about_and_stay_plain(qtbot: QtBot, sheet: CallSheet) -> None:
    call = waiting("run_соmmand", {"note": "<script>alert(1)</script> \u202e"})
    sheet.show_invocation(replace(call, agent="<b>claude</b>"))
    qtbot.waitUntil(lambda: "RLO" in sheet._suspects.words, timeout=2000)
    assert "соmmand in the name of the tool mixes Latin letters" in sheet._suspects.words
    assert label(sheet, "approvalHeadline").text().startswith("<b>claude</b> wants to run")
    assert all(found.textFormat() == Qt.TextFormat.PlainText for found in sheet.findChildren(QLabel) if found.text())


def test_a_review_shows_the_result_and_the_arguments(qtbot: QtBot, sheet: CallSheet) -> None:
    sheet.show_invocation(reviewing())
    assert sheet.result.text.toPlainText() == "secret = 1"
    assert sheet.result.isVisible()
    assert sheet.arguments.isVisible()
    qtbot.waitUntil(lambda: sheet.is_seen, timeout=2000)


def test_seen_is_about_the_text_that_is_decided_on(qtbot: QtBot, sheet: CallSheet) -> None:
    sheet.show_invocation(waiting("write_file", {"content": "line\n" * 900}))
    qtbot.wait(30)
    assert not sheet.is_seen
    with qtbot.waitSignal(sheet.seen, timeout=2000):
        sheet.show_end()


def test_the_text_steps_aside_for_the_editor(sheet: CallSheet) -> None:
    sheet.show_invocation(waiting())
    sheet.set_editing(True)
    assert sheet.arguments.isHidden()
    sheet.set_editing(False)
    assert sheet.arguments.isVisible()


@pytest.fixture
def compact(qtbot: QtBot, console: FakeConsole, theme: Theme) -> CallSheet:
    console.tool_list = list(sample_tools())
    sheet = CallSheet(console, theme, compact=True, now=lambda: NOON + 100)
    qtbot.addWidget(sheet)
    sheet.resize(700, 160)
    sheet.show()
    return sheet


def test_beside_a_list_a_short_call_is_seen_whole_in_little_room(qtbot: QtBot, compact: CallSheet) -> None:
    compact.show_invocation(waiting("Bash", {"command": "git status"}, owner="client"))
    assert compact.preview.isHidden(), "it would only say the line again"
    assert "runs in the agent" in label(compact, "approvalFacts").text()
    qtbot.waitUntil(lambda: compact.is_seen, timeout=2000)
    compact.show_invocation(waiting("Bash", {"command": "git status; rm -rf x"}, owner="client"))
    assert compact.preview.isVisible()


def test_beside_a_list_a_name_too_long_for_its_row_is_told_whole(compact: CallSheet) -> None:
    compact.show_invocation(waiting("read_file"))
    assert label(compact, "approvalHeadline").isHidden()
    name = "mcp__" + "x" * 80 + "__delete_everything"
    compact.show_invocation(waiting(name))
    assert label(compact, "approvalHeadline").isVisible()
    assert name in label(compact, "approvalHeadline").text()


def test_a_row_that_stands_for_several_calls_says_that_one_of_them_is_decided(compact: CallSheet) -> None:
    compact.show_invocation(waiting("read_file"), (1, 1), 125)
    assert "the first of 125 identical calls" in label(compact, "approvalFacts").text()


def test_an_agents_own_tool_has_none_of_the_facts_of_a_namesake(qtbot: QtBot, sheet: CallSheet) -> None:
    sheet.show_invocation(waiting("read_file"))
    qtbot.waitUntil(lambda: _signs(sheet) == ["Declared read-only"], timeout=3000)
    sheet.show_invocation(waiting("read_file", owner="client", id="inv_2"))
    unseen = "Unknown: runs in the agent, where Callgate cannot see it"
    qtbot.waitUntil(lambda: _signs(sheet) == [unseen], timeout=3000)


def _signs(sheet: CallSheet) -> list[str]:
    return [found.text() for found in sheet._hints.findChildren(QLabel) if found.isVisible() and found.text()]
