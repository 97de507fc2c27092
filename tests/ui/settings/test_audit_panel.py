"""The audit on the screen."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from callgate.core.rules.audit import AuditEntry, chain, read_line
from callgate.ui.settings.audit_panel import AuditPanel
from callgate.ui.theme.theme import Theme

NOW = 1_760_000_000.0
ENTRIES = tuple(
    chain("0" * 64, AuditEntry(n, NOW - n, stage="call", tool=f"tool_{n}", agent="script", state="Executing"))
    for n in (9, 8, 7)
)


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> AuditPanel:
    panel = AuditPanel(theme)
    qtbot.addWidget(panel)
    panel.resize(600, 500)
    panel.show()
    return panel


def _words(panel: AuditPanel) -> str:
    return panel.findChild(QLabel, "auditEntry").text()


def test_without_decisions_it_says_so(panel: AuditPanel) -> None:
    panel.set_entries((), NOW, more=False)
    assert not panel.list.isVisible() and panel.entries == 0


def test_the_chosen_entry_is_told_in_full_and_copied_as_its_line(panel: AuditPanel, qapp: QApplication) -> None:
    panel.set_entries(ENTRIES, NOW, more=False)
    assert "tool_9 of client" in _words(panel) and ENTRIES[0].hash[:8] in _words(panel)
    next(button for button in panel.findChildren(QToolButton) if "entry" in button.toolTip()).click()
    assert read_line(qapp.clipboard().text()) == ENTRIES[0]


def test_a_filter_that_cannot_be_read_leaves_what_was_shown(panel: AuditPanel) -> None:
    panel.set_entries(ENTRIES, NOW, more=False)
    panel.filter.set_text("tool:tool_8")
    assert panel.model.rowCount() == 1 and "tool_8" in _words(panel)
    panel.filter.set_text("tool:tool_8 and (")
    assert panel.model.rowCount() == 1
    panel.filter.set_text("nowhere")
    assert _words(panel) == "No decision fits the filter."


def test_the_chosen_entry_stays_chosen_when_newer_ones_come(panel: AuditPanel) -> None:
    panel.set_entries(ENTRIES[1:], NOW, more=False)
    panel.set_entries(ENTRIES, NOW, more=False)
    assert "tool_8" in _words(panel)


def test_older_entries_are_asked_for(panel: AuditPanel) -> None:
    asked: list[int] = []
    panel.older_requested.connect(asked.append)
    panel.set_entries(ENTRIES, NOW, more=True)
    panel.older.click()
    assert asked == [7]
