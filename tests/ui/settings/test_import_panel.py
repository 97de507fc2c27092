"""What rules of other programs become here, before anything is saved."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from callgate.core.errors import UserFault
from callgate.core.rules.policy import Rule
from callgate.engine.console.rule_service import ImportPlan
from callgate.ui.settings.import_panel import ImportPanel
from callgate.ui.theme.theme import Theme

PLAN = ImportPlan(
    "Claude Code",
    (Rule("allow", "Bash", when="command:git*"), Rule("deny", "WebFetch")),
    skipped=(("Bash(x:*)", "has no counterpart"),),
    widened=(("Read(~/.ssh)", "every call is meant now"),),
)


def read(text: str) -> ImportPlan:
    if text != "settings":
        raise UserFault("not valid JSON: line 1")
    return PLAN


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> ImportPanel:
    panel = ImportPanel(read, theme)
    qtbot.addWidget(panel)
    panel.open()
    return panel


def test_nothing_can_be_saved_before_a_text_was_read(panel: ImportPanel) -> None:
    assert not panel.take.isEnabled()
    panel.show_text("{")
    assert not panel.take.isEnabled()
    assert "not valid JSON" in panel.words


def test_what_is_taken_over_left_out_and_stricter_is_listed(panel: ImportPanel) -> None:
    panel.show_text("settings")
    for line in (
        "From Claude Code: 2 rules, 1 left out",
        "+  deny WebFetch",
        "Left out:\n−  Bash(x:*): has no counterpart",
        "Stricter here than it was there:\n−  Read(~/.ssh): every call is meant now",
    ):
        assert line in panel.words
    assert panel.take.text() == "Save 2 rules"


def test_what_was_shown_is_what_is_taken(panel: ImportPanel) -> None:
    heard: list[tuple[ImportPlan, str]] = []
    panel.taken.connect(lambda plan, scope: heard.append((plan, scope)))
    panel.show_text("settings")
    panel.scope.choose("always")
    QTest.mouseClick(panel.take, Qt.MouseButton.LeftButton)
    assert heard == [(PLAN, "always")]


def test_escape_cancels(qtbot: QtBot, panel: ImportPanel) -> None:
    with qtbot.waitSignal(panel.cancelled, timeout=1000):
        QTest.keyClick(panel, Qt.Key.Key_Escape)
