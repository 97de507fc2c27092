"""The page of agents: making a token, seeing it once, and revoking it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from tests.fakes.console import FakeConsole

from callgate.core.events import AgentsChanged
from callgate.engine.console.agent_service import TokenView
from callgate.ui.agents.page import AgentsPage
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme

NOW = 100_000.0


@pytest.fixture
def page(qapp: object, console: FakeConsole, bridge: Bridge, theme: Theme) -> AgentsPage:
    page = AgentsPage(console, bridge, theme, lambda: "http://127.0.0.1:8080", lambda: NOW)
    page.resize(800, 600)
    page.show()
    return page


def test_with_no_tokens_it_says_what_that_means(page: AgentsPage) -> None:
    assert page.empty.isVisible() and not page.fresh.isVisible() and not page.problem.isVisible()


def test_a_token_is_shown_once_in_every_form_and_forgotten(page: AgentsPage) -> None:
    page.name.setText(" codex ")
    QTest.keyClick(page.name, Qt.Key.Key_Return)
    assert page.fresh.isVisible() and page.name.text() == ""
    texts = []
    for copy in page.fresh.findChildren(QToolButton):
        copy.click()
        texts.append(QGuiApplication.clipboard().text())
    token = texts[0]
    assert token.startswith("cg_")
    base = f"http://127.0.0.1:8080/agent/{token}"
    assert texts[1:] == [f"{base}/v1", base, f"{base}/mcp", f"ANTHROPIC_BASE_URL={base} claude"]
    page.fresh.done.click()
    assert not page.fresh.isVisible() and page.fresh._grid.count() == 0
    assert [row.view.name for row in page.rows] == ["codex"]


def test_leaving_the_page_forgets_the_token(page: AgentsPage) -> None:
    page.name.setText("codex")
    page.make.click()
    page.hide()
    page.show()
    assert not page.fresh.isVisible() and page.fresh._grid.count() == 0


def test_a_name_that_gets_none_is_told_why_and_stays(page: AgentsPage, console: FakeConsole) -> None:
    page.name.setText("no good")
    page.make.click()
    assert "letters" in page.problem.text() and page.problem.isVisible()
    assert page.name.text() == "no good" and console.agents.views == []


def test_a_revocation_takes_two_presses(page: AgentsPage, console: FakeConsole) -> None:
    console.agents.views = [TokenView("t1", "codex", NOW - 7200, NOW - 120), TokenView("t2", "ci", NOW)]
    page.refresh()
    row = page.rows[1]
    assert row.words == "made 2 h ago  ·  last used 2 min ago"
    assert "never used" in page.rows[0].accessibleName()
    row.revoke.click()
    assert console.agents.revoked == [] and row.revoke.text() == "Revoke for good"
    row._timer.timeout.emit()
    assert row.revoke.text() == "Revoke"
    row.revoke.click()
    row.revoke.click()
    assert console.agents.revoked == ["t1"]
    assert [row.view.id for row in page.rows] == ["t2"]


def test_what_cannot_be_written_or_read_is_said(page: AgentsPage, console: FakeConsole) -> None:
    console.agents.views = [TokenView("t1", "codex", NOW)]
    console.agents.obstacle = "The disk is full."
    page.refresh()
    page.rows[0].revoke.click()
    page.rows[0].revoke.click()
    assert page.problem.text() == "The disk is full." and page.rows
    console.agents.problem = "agents.json is broken"
    page.refresh()
    assert page.problem.text() == "agents.json is broken"


def test_a_change_from_elsewhere_is_shown(page: AgentsPage, console: FakeConsole) -> None:
    console.agents.views = [TokenView("t1", "codex", NOW)]
    page.apply((AgentsChanged(("codex",), NOW),))
    assert len(page.rows) == 1 and not page.empty.isVisible()


def test_escape_leaves(page: AgentsPage) -> None:
    left: list[bool] = []
    page.closed.connect(lambda: left.append(True))
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert left == [True]
