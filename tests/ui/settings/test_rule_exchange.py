"""Rules in and out of the page."""

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole

from callgate.core.rules.policy import Rule
from callgate.engine.console.rule_service import ImportPlan
from callgate.ui.settings.import_panel import ImportPanel
from callgate.ui.settings.rule_exchange import RuleExchange, RuleMenu
from callgate.ui.theme.theme import Theme


class Bench:
    def __init__(self, console: FakeConsole, theme: Theme) -> None:
        self.page = QWidget()
        self.console = console
        self.panel = ImportPanel(console.rule_service.read_import, theme, self.page)
        self.menu = RuleMenu(theme, self.page)
        self.told: list[str] = []
        self.opened: list[bool] = []
        self.exchange = RuleExchange(self.page, console, self.panel, self.menu, self.told.append)
        self.exchange.opened.connect(self.opened.append)


@pytest.fixture
def bench(qtbot: QtBot, console: FakeConsole, theme: Theme) -> Bench:
    bench = Bench(console, theme)
    qtbot.addWidget(bench.page)
    return bench


def test_a_plan_is_taken_and_it_is_told_how_much_was_new(bench: Bench) -> None:
    plan = ImportPlan("Zed", (Rule("deny", "a"), Rule("deny", "b")))
    bench.console.rule_service.plan = plan
    bench.menu.import_chosen.emit()
    assert bench.opened == [True]
    bench.panel.show_text("anything")
    bench.panel.take.click()
    assert bench.console.rule_service.taken == [(plan, "workspace")]
    assert bench.told == ["2 rules from Zed were saved."]
    assert bench.opened == [True, False]


def test_all_rules_are_copied_or_written(bench: Bench, tmp_path: Path) -> None:
    bench.console.rule_service.exported = "[[rules]]\n"
    bench.menu.copy_chosen.emit()
    assert QGuiApplication.clipboard().text() == "[[rules]]\n"
    bench.exchange._write(tmp_path / "out.toml")
    assert (tmp_path / "out.toml").read_text("utf-8") == "[[rules]]\n"
    bench.exchange._write(tmp_path / "no" / "such.toml")
    assert "can't be written" in bench.told[-1]


def test_a_file_is_read_into_the_panel_and_a_bad_one_is_explained(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text("{}", "utf-8")
    bench.exchange._read(tmp_path / "in.json")
    assert bench.panel.field.toPlainText() == "{}"
    bench.exchange._read(tmp_path / "missing.json")
    assert "can't be read" in bench.panel.words
