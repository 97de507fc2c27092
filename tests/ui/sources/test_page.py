from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop

from callgate.core.config.doctor import DoctorStep
from callgate.core.config.settings import SourceSettings
from callgate.core.events import SourceChanged
from callgate.core.tool import Tool
from callgate.engine.sources.source_service import SourceView
from callgate.ui.bridge import Bridge
from callgate.ui.sources.page import SourcesPage
from callgate.ui.theme.theme import Theme

GIT = SourceView(
    "git", "mcp", "added", "ready", where="uvx mcp-server-git", transport="stdio", era="modern", pid=7, tools=1
)
TIME = SourceView("time", "mcp", "config", "failed", "it broke <b>", 2000.0)
OWN = SourceView("built-in", "builtin", "builtin", "ready", tools=1)


@pytest.fixture
def page(console: FakeConsole, bridge: Bridge, theme: Theme) -> SourcesPage:
    console.sources.show(OWN, GIT, TIME)
    console.sources.known["git"] = SourceSettings(name="git", kind="mcp", command=("uvx", "mcp-server-git"))
    console.tool_list = [Tool("git_status", "git", "Shows it"), Tool("read_file", "built-in")]
    page = SourcesPage(console, bridge, theme)
    page.show()
    return page


def test_the_chosen_source_is_shown_with_what_can_be_done(page: SourcesPage) -> None:
    page.show_source("git")
    detail = page.detail
    assert (detail.title.text(), detail.state.text()) == ("git", "Ready")
    visible = {
        button.text()
        for button in (detail.start, detail.stop, detail.restart, detail.check, detail.copy, detail.remove)
        if button.isVisible()
    }
    assert visible == {"Stop", "Restart", "Check connection", "Copy configuration", "Remove"}
    assert detail.tools.model.rowCount() == 1
    page.show_source("time")
    assert detail.reason.text() == "it broke <b>"
    assert (detail.start.text(), detail.remove.isVisible()) == ("Try again", False)
    page.show_source("built-in")
    assert not detail.check.isVisible() and not detail.enabled.isVisible()
    assert not detail.tabs.isTabVisible(1)


def test_verbs_reach_the_engine(page: SourcesPage, console: FakeConsole, loop: BoundLoop) -> None:
    page.show_source("git")
    loop.press(page.detail.stop.click, page.detail.restart.click, page.detail.enabled.click)
    loop.until(lambda: len(console.sources.done) == 3)
    assert console.sources.done == [("stop", "git"), ("restart", "git"), ("enable", "git", "False")]


def test_a_removal_can_be_taken_back(page: SourcesPage, console: FakeConsole, loop: BoundLoop) -> None:
    page.show_source("git")
    loop.press(lambda: QTest.keyClick(page.list.view, Qt.Key.Key_Delete))
    loop.until(page.undo.isVisible)
    assert console.sources.done == [("remove", "git")]
    undo = page.undo.findChild(type(page.add), "undoButton")
    assert undo is not None
    loop.press(undo.click)
    loop.until(lambda: console.sources.done[-1] == ("restore", "git"))


def test_a_refused_verb_is_said_in_its_own_words(page: SourcesPage, console: FakeConsole, loop: BoundLoop) -> None:
    console.sources.fault = "Not now."
    page.show_source("git")
    loop.press(page.detail.stop.click)
    loop.until(page.undo.isVisible)


def test_what_happens_is_seen_and_the_selection_stays(page: SourcesPage, console: FakeConsole, loop: BoundLoop) -> None:
    page.show_source("git")
    console.sources.show(replace(GIT, state="restarting", reason="it went away"))
    console.play([SourceChanged("git", "restarting", 1.0)])
    loop.until(lambda: page.detail.state.text() == "Starting again")
    assert page.detail.name == "git"
    del console.sources.views["git"]
    console.play([SourceChanged("git", "removed", 1.0)])
    loop.until(lambda: page.detail.name != "git")


def test_the_doctor_is_asked_and_its_steps_are_shown(page: SourcesPage, console: FakeConsole, loop: BoundLoop) -> None:
    console.sources.steps = [DoctorStep("a", "First", "failed", "it broke", "mend it")]
    console.sources.stderr = ("words",)
    page.show_source("git")
    loop.press(page.detail.check.click)
    loop.until(lambda: "does not work" in page.detail.doctor.verdict.text())
    assert page.detail.check.text() == "Check connection"
    page.show_source("time")
    assert page.detail.doctor.steps == ()


def test_the_configuration_goes_to_the_clipboard(page: SourcesPage) -> None:
    page.show_source("git")
    page.detail.copy.click()
    assert '"mcpServers"' in QGuiApplication.clipboard().text()


def test_the_list_is_filtered_walked_and_left(page: SourcesPage) -> None:
    left: list[int] = []
    page.closed.connect(lambda: left.append(1))
    page.list.filter.setText("mcp server failed")
    assert page.list.view.model().rowCount() == 1
    QTest.keyClick(page.list.view, Qt.Key.Key_Escape)
    assert (page.list.filter.text(), left) == ("", [])
    page.show_source("built-in")
    QTest.keyClick(page.list.view, Qt.Key.Key_J)
    assert page.detail.name == "git"
    QTest.keyClick(page.list.view, Qt.Key.Key_Escape)
    assert left == [1]


def test_both_themes_can_be_drawn(page: SourcesPage, theme: Theme) -> None:
    for mode in ("light", "dark"):
        theme.set_mode("light" if mode == "light" else "dark")
        for name in ("git", "time", "built-in"):
            page.show_source(name)
            assert not page.grab().isNull()


def test_a_newcomer_is_shown_how_to_get_a_source(console: FakeConsole, bridge: Bridge, theme: Theme) -> None:
    console.sources.show(OWN)
    page = SourcesPage(console, bridge, theme)
    page.show()
    page.activateWindow()
    page.list.view.setFocus()
    assert page.empty.isVisible() and page.list.current is None
    page.empty.button.click()
    assert page.add_dialog.isVisible()
    page.show_source("built-in")
    assert page.detail.isVisible()
    page.add_dialog.close()
    page.close()
