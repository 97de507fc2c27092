"""The page of rules on a console that is only pretended."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, completed, denied, sample_tools
from tests.fakes.loop import BoundLoop, until

from callgate.core.catalog.definition_diff import diff
from callgate.core.errors import UserFault
from callgate.core.rules.audit import AuditEntry
from callgate.core.rules.policy import Rule
from callgate.engine.console.rule_service import DefinitionChange, SuspendedGrant
from callgate.ui.bridge import Bridge
from callgate.ui.settings.rules_page import AUDIT_PAGE, ORDER, RulesPage
from callgate.ui.theme.theme import Theme

RULES = [
    Rule("deny", "run_command", id="c1"),
    Rule("allow", "read_file", when="args.path:src/**", id="g1", origin="workspace"),
    Rule("allow", "search_text", id="g2", origin="session", uses=3),
]


@pytest.fixture
def page(qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme) -> RulesPage:
    console.tool_list = list(sample_tools())
    console.rule_list = list(RULES)
    console.past = [denied("read_file", {"path": "docs/a.md"}, id="d1"), completed(id="p1")]
    page = RulesPage(console, bridge, theme, arm_ms=0, now=lambda: NOON + 60)
    qtbot.addWidget(page)
    page.resize(760, 700)

    async def show() -> None:
        page.show()

    loop.run(show())
    loop.until(lambda: page.denied.count == 1)
    return page


def _click(page: RulesPage, name: str) -> None:
    button = page.findChild(QPushButton, name)
    assert button.isVisible() and button.isEnabled(), name
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def _faults(page: RulesPage) -> str:
    label = page.findChild(QLabel, "ruleFaults")
    return label.text() if label.isVisible() else ""


def test_it_shows_the_rules_and_says_why_order_does_not_matter(page: RulesPage) -> None:
    assert page.list.model.rowCount() == 3
    assert [page.tabs.tabText(n) for n in range(4)] == ["Rules (3)", "Recently denied (1)", "Try a call", "Audit"]
    assert ORDER in {label.text() for label in page.findChildren(QLabel) if label.isVisible()}


def test_what_is_wrong_with_the_rules_stands_at_the_top(page: RulesPage, console: FakeConsole, bridge: Bridge) -> None:
    assert _faults(page) == ""
    console.faults = ["rules.toml, line 3: verdict: expected allow, ask or deny"]
    console._set_rules(console.rule_list)
    bridge.flush()
    assert "line 3" in _faults(page)


def test_a_rule_is_added(page: RulesPage, console: FakeConsole, bridge: Bridge) -> None:
    _click(page, "addRule")
    page.editor.tool.setText("git_*")
    page.editor.verdict.choose("ask")
    page.editor.scope.choose("always")
    _click(page, "saveRule")
    bridge.flush()
    assert str(console.rules()[-1]) == "ask git_*" and console.rules()[-1].origin == "always"
    assert page.editor.isHidden()
    assert page.list.chosen is not None and page.list.chosen.rule.tool == "git_*"


def test_an_edited_rule_takes_the_place_of_the_old_one(page: RulesPage, console: FakeConsole, bridge: Bridge) -> None:
    page.show_rule("g1")
    _click(page, "editRule")
    assert page.editor.isVisible() and not page.list.edit.isVisible()
    page.editor.expression.set_text("args.path:docs/**")
    _click(page, "saveRule")
    bridge.flush()
    whens = [rule.when for rule in console.rules() if rule.tool == "read_file"]
    assert whens == ["args.path:docs/**"]
    assert page.list.edit.isVisible()


def test_a_rule_that_the_engine_refuses_stays_in_the_editor_and_the_old_one_holds(
    page: RulesPage, console: FakeConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Rule:
        raise UserFault("No workspace is open, so a rule cannot be saved for it.")

    monkeypatch.setattr(console, "add_rule", refuse)
    page.show_rule("g1")
    _click(page, "editRule")
    _click(page, "saveRule")
    assert page.editor.isVisible() and "No workspace is open" in page.editor.findChild(QLabel, "ruleWords").text()
    assert console.rules() == tuple(RULES)


def test_a_removed_rule_can_be_brought_back(page: RulesPage, console: FakeConsole, bridge: Bridge) -> None:
    page.show_rule("g1")
    _click(page, "removeRule")
    bridge.flush()
    assert page.list.model.rowCount() == 2
    assert page.undo.words == "Removed: allow read_file when args.path fits src/**"
    _click(page, "undoButton")
    back = console.rules()[-1]
    assert (str(back), back.origin) == (str(RULES[1]), "workspace")


def test_all_grants_are_forgotten_only_after_a_second_word(
    page: RulesPage, console: FakeConsole, bridge: Bridge
) -> None:
    _click(page, "resetRules")
    assert len(console.rules()) == 3
    _click(page, "confirmReset")
    bridge.flush()
    assert [rule.id for rule in console.rules()] == ["c1"]
    assert not page.reset.isEnabled()


def test_a_refused_call_is_allowed_next_time(page: RulesPage, console: FakeConsole) -> None:
    page.tabs.setCurrentIndex(1)
    _click(page, "allowNextTime")
    saved = console.rules()[-1]
    assert (saved.tool, saved.when, saved.uses, saved.origin) == ("read_file", "args.path:docs/**", 1, "session")


def test_a_call_that_ends_while_the_page_is_open_is_counted(
    page: RulesPage, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    fresh = denied("write_file", id="d9", at=NOON + 30)
    console.past.insert(0, fresh)
    console.change(fresh)
    bridge.flush()
    loop.until(lambda: page.tabs.tabText(1) == "Recently denied (2)")


def test_escape_clears_the_filter_and_then_leaves(page: RulesPage, qtbot: QtBot) -> None:
    page.filter.setText("read")
    assert page.list.view.model().rowCount() == 1
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert page.filter.text() == ""
    with qtbot.waitSignal(page.closed, timeout=1000):
        QTest.keyClick(page, Qt.Key.Key_Escape)


def test_it_can_be_drawn_in_both_themes(page: RulesPage, theme: Theme) -> None:
    dark = page.grab().toImage()
    theme.set_mode("light")
    assert page.grab().toImage() != dark


def test_the_audit_is_read_page_by_page(page: RulesPage, console: FakeConsole, loop: BoundLoop) -> None:
    console.audited = [AuditEntry(number, NOON, tool=f"tool_{number}") for number in range(AUDIT_PAGE + 2, 0, -1)]

    async def read() -> None:
        page.tabs.setCurrentWidget(page.audit)
        page._pause.timeout.emit()
        await until(lambda: page.audit.entries == AUDIT_PAGE)
        _click(page, "olderEntries")
        await until(lambda: page.audit.entries == AUDIT_PAGE + 2)

    loop.run(read())
    assert not page.audit.older.isVisible()
    assert not page.filter.isEnabled()


def test_a_suspended_grant_shows_what_changed_and_can_be_accepted(
    page: RulesPage, console: FakeConsole, loop: BoundLoop, bridge: Bridge
) -> None:
    before, after = {"description": "a"}, {"description": "b"}
    change = DefinitionChange("read_file", "built-in", "new", after, before, diff(before, after))
    console.rule_service.suspended_grants = [SuspendedGrant(RULES[1], change)]

    async def reload() -> None:
        page._load()

    loop.run(reload())
    loop.until(lambda: "suspended" in page.list.model.index(page.list.model.row_of("g1")).data())
    page.list.choose("g1")
    assert page.list.suspended.isVisible()
    loop.until(page.list.suspended.accept.isEnabled)
    page.list.suspended.accept.click()
    assert console.rule_service.reaccepted == [("g1", "new")]
    assert page.list.suspended.isHidden()


def test_a_refused_call_is_made_again_or_it_is_said_why_not(
    page: RulesPage, console: FakeConsole, loop: BoundLoop
) -> None:
    page.tabs.setCurrentWidget(page.denied)

    async def retry() -> None:
        _click(page, "retryCall")
        await until(lambda: bool(console.rule_service.retried))

    loop.run(retry())
    assert [call.id for call in console.rule_service.retried] == ["d1"]
    console.rule_service.obstacles["read_file"] = "Only claude-code can run it: the tool is its own."
    page.denied.set_calls(console.past, NOON)
    assert not page.denied.retry.isEnabled()
    assert page.findChild(QLabel, "whyNoRetry").text().endswith("the tool is its own.")
    assert page.denied.allow.isEnabled()


def test_the_import_takes_the_place_of_the_editor(page: RulesPage, console: FakeConsole) -> None:
    page.add.click()
    page.more.import_chosen.emit()
    assert page.importing.isVisible() and page.editor.isHidden()
    page.importing.cancel.click()
    assert page.importing.isHidden()
