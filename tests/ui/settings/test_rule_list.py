"""The list of rules, filtered and walked through."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.core.rules.policy import Rule
from callgate.ui.settings.rule_list import RuleList
from callgate.ui.settings.rule_model import rule_rows
from callgate.ui.theme.theme import Theme

GRANT = Rule("allow", "read_file", when="args.path:src/**", id="g", origin="always", note="sources")
CONFIG = Rule("deny", "run_command", id="c")


@pytest.fixture
def rules(qtbot: QtBot, theme: Theme) -> RuleList:
    rules = RuleList(theme)
    qtbot.addWidget(rules)
    rules.resize(600, 400)
    rules.show()
    return rules


def _fill(rules: RuleList, *given: Rule) -> None:
    rules.set_rows(rule_rows(given, (), {}, 1000.0))


def _words(rules: RuleList) -> str:
    return rules.findChild(QLabel, "chosenRule").text()


def test_without_rules_it_says_what_makes_one(rules: RuleList) -> None:
    _fill(rules)
    assert rules.empty.isVisible() and not rules.view.isVisible()


def test_a_grant_can_be_edited_and_removed_and_a_rule_of_the_file_cannot(rules: RuleList) -> None:
    wanted: list[tuple[str, str]] = []
    rules.edit_requested.connect(lambda rule: wanted.append(("edit", rule.id)))
    rules.remove_requested.connect(lambda rule: wanted.append(("remove", rule.id)))
    _fill(rules, GRANT, CONFIG)
    assert rules.chosen is not None and rules.chosen.rule is CONFIG
    assert not rules.edit.isVisible() and "configuration file: change it there" in _words(rules)
    QTest.keyClick(rules.view, Qt.Key.Key_Delete)
    QTest.keyClick(rules.view, Qt.Key.Key_Return)
    assert wanted == []
    QTest.keyClick(rules.view, Qt.Key.Key_J)
    rules.edit.click()
    rules.remove.click()
    QTest.keyClick(rules.view, Qt.Key.Key_Return)
    QTest.keyClick(rules.view, Qt.Key.Key_Delete)
    assert wanted == [("edit", "g"), ("remove", "g"), ("edit", "g"), ("remove", "g")]
    QTest.keyClick(rules.view, Qt.Key.Key_K)
    assert rules.chosen.rule is CONFIG


@pytest.mark.parametrize("text", ["SRC read", "sources", "always", "fits src"])
def test_the_filter_finds_all_words_anywhere(rules: RuleList, text: str) -> None:
    _fill(rules, GRANT, CONFIG)
    rules.set_filter(text)
    assert rules.view.model().rowCount() == 1
    assert rules.chosen is not None and rules.chosen.rule is GRANT


def test_a_filter_that_finds_nothing_says_so(rules: RuleList) -> None:
    _fill(rules, GRANT)
    rules.set_filter("nowhere")
    assert _words(rules) == "No rule has these words." and not rules.edit.isVisible()
    rules.set_filter("")
    assert rules.chosen is not None


def test_why_a_rule_does_not_count_is_told(rules: RuleList) -> None:
    _fill(rules, replace(GRANT, uses=0))
    assert _words(rules).endswith("All its uses are used up.")


def test_a_rule_can_be_brought_into_view(rules: RuleList) -> None:
    _fill(rules, GRANT, CONFIG)
    rules.choose("g")
    assert rules.chosen is not None and rules.chosen.rule is GRANT
    rules.choose("gone")
    assert rules.chosen.rule is GRANT
