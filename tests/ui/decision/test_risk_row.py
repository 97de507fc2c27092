"""The typed name in place of a long press."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, sample_tools, waiting

from callgate.core.rules.policy import Verdict
from callgate.ui.decision.risk_row import RiskRow
from callgate.ui.theme.theme import Theme


@pytest.fixture
def row(qtbot: QtBot, console: FakeConsole, theme: Theme) -> RiskRow:
    console.tool_list = list(sample_tools())
    row = RiskRow(console, theme)
    qtbot.addWidget(row)
    return row


def test_it_says_why_and_takes_the_name(row: RiskRow) -> None:
    confirmed: list[int] = []
    row.confirmed.connect(lambda: confirmed.append(1))
    row.weigh(waiting("write_file"))
    assert row.risk and "declared destructive" in row.findChild(QLabel, "riskWords").text()
    QTest.keyClicks(row.field, "write")
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    assert not row.fits and confirmed == []
    QTest.keyClicks(row.field, "_file")
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    assert row.fits and confirmed == [1]


def test_a_name_typed_for_one_call_does_not_count_for_the_next(row: RiskRow) -> None:
    row.weigh(waiting("write_file"))
    row.field.setText("write_file")
    row.weigh(waiting("write_file", id="inv_2"))
    assert not row.fits
    row.weigh(None)
    row.field.setText("")
    assert row.risk == "" and not row.fits


def test_the_note_of_a_rule_is_told(row: RiskRow) -> None:
    row.weigh(replace(waiting("read_file"), verdict=Verdict("ask", "high risk: <b>keys</b>", "ask read_file")))
    assert row.findChild(QLabel, "riskWords").text().startswith("high risk: <b>keys</b>.")
