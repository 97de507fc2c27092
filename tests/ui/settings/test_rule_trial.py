"""A rule is tested on a call while it is written."""

import json

import pytest
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, sample_tools

from callgate.core.messages import Json
from callgate.core.rules.policy import Rule
from callgate.ui.settings.rule_trial import RuleTrial
from callgate.ui.theme.theme import Theme

TEXTS = Rule("allow", "read_file", when="args.path:*.txt")


@pytest.fixture
def trial(qtbot: QtBot, console: FakeConsole, theme: Theme) -> RuleTrial:
    console.tool_list = list(sample_tools())
    trial = RuleTrial(console, theme, now=lambda: 1000.0)
    qtbot.addWidget(trial)
    trial.try_rule(TEXTS)
    return trial


def paste(trial: RuleTrial, value: Json) -> str:
    trial.field.setPlainText(json.dumps(value))
    return trial.words


def test_nothing_is_said_until_there_is_a_call(trial: RuleTrial) -> None:
    assert trial.words == ""


def test_bare_arguments_are_taken_for_a_call_of_the_tool_that_the_rule_names(trial: RuleTrial) -> None:
    assert paste(trial, {"path": "a.txt"}) == "The rule covers it. All rules together: allow."
    assert paste(trial, {"path": "a.md"}).startswith("The rule does not cover it: arguments do not match.")
    trial.try_rule(Rule("allow", "read_*", when="args.path:*.md"))
    assert trial.words.startswith("Which tool?")


def test_a_whole_call_of_any_wire_names_its_tool(trial: RuleTrial) -> None:
    call = {"type": "tool_use", "name": "write_file", "input": {"path": "a.txt"}}
    assert paste(trial, call).startswith("The rule is not about this call")
    trial.try_rule(Rule("deny", "write_*"))
    assert trial.words == "The rule covers it. All rules together: deny."


def test_what_other_rules_make_of_it_is_told_with_the_reason(trial: RuleTrial, console: FakeConsole) -> None:
    console.rule_list = [Rule("deny", "read_file", when="args.path:secret*", note="private", id="d")]
    words = paste(trial, {"path": "secret.txt"})
    assert words == "The rule covers it. All rules together: deny (private)."
    trial.try_rule(TEXTS, "d")
    assert trial.words == "The rule covers it. All rules together: allow.", "the rule takes the place of that one"


def test_a_rule_that_is_over_is_tested_as_if_it_held(trial: RuleTrial) -> None:
    trial.try_rule(Rule("allow", "read_file", uses=0, expires=1.0))
    assert paste(trial, {"path": "x"}) == "The rule covers it. All rules together: allow."


def test_a_call_that_is_no_json_is_said_to_be_none(trial: RuleTrial) -> None:
    trial.field.setPlainText('{"path":')
    assert trial.words.startswith("Arguments: ")
    trial.try_rule(None)
    assert trial.words == "", "the expression has to be mended first"
