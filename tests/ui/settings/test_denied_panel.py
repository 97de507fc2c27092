"""Refused calls, and a way to let the next one through."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, completed, denied, sample_tools

from callgate.core.rules.policy import Rule
from callgate.ui.settings.denied_panel import DeniedPanel
from callgate.ui.theme.theme import Theme

READ = denied("read_file", {"path": "src/a.py", "limit": 5}, id="d1")
RUN = denied("run_command", {"command": "rm -rf build"}, id="d2")


@pytest.fixture
def panel(qtbot: QtBot, console: FakeConsole, theme: Theme) -> DeniedPanel:
    console.tool_list = list(sample_tools())
    panel = DeniedPanel(console, theme)
    qtbot.addWidget(panel)
    panel.resize(600, 400)
    panel.show()
    return panel


def _words(panel: DeniedPanel) -> str:
    return panel.findChild(QLabel, "allowWords").text()


def test_empty_says_so(panel: DeniedPanel) -> None:
    panel.set_calls([completed()], NOON)
    assert panel.count == 0 and not panel.list.isVisible()


def test_the_next_such_call_is_allowed_once(panel: DeniedPanel) -> None:
    wanted: list[Rule] = []
    panel.allow_requested.connect(wanted.append)
    panel.set_calls([replace(READ, fingerprint="f"), RUN], NOON)
    assert _words(panel).startswith("Saves for this session, for one use: allow read_file of built-in when")
    panel.allow.click()
    assert wanted == [Rule("allow", "read_file", "built-in", when="args.path:src/**", uses=1, fingerprint="f")]


def test_what_a_rule_denies_cannot_be_allowed_here_and_leads_to_the_rule(
    panel: DeniedPanel, console: FakeConsole
) -> None:
    console.rule_list = [Rule("deny", "run_command", id="r1")]
    asked: list[str] = []
    panel.rule_requested.connect(asked.append)
    panel.set_calls([RUN, READ], NOON)
    assert not panel.allow.isEnabled() and "deny beats allow" in _words(panel)
    panel.show_rule.click()
    assert asked == ["r1"]
    panel.list.setCurrentIndex(panel.model.index(1))
    assert panel.allow.isEnabled() and not panel.show_rule.isVisible()


def test_what_is_allowed_already_is_not_allowed_twice(panel: DeniedPanel, console: FakeConsole) -> None:
    console.rule_list = [Rule("allow", "read_file", id="r1", uses=1)]
    panel.set_calls([READ], NOON)
    assert not panel.allow.isEnabled() and "allowed already" in _words(panel)


def test_the_chosen_call_stays_chosen_when_another_is_refused(panel: DeniedPanel) -> None:
    panel.set_calls([READ], NOON)
    panel.set_calls([RUN, READ], NOON)
    assert panel.list.currentIndex().row() == 1
