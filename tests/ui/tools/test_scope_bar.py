import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.engine.offer.tool_service import Access
from callgate.ui.theme.theme import Theme
from callgate.ui.tools.scope_bar import ScopeBar


@pytest.fixture
def bar(theme: Theme, qtbot: QtBot) -> ScopeBar:
    bar = ScopeBar(theme)
    qtbot.addWidget(bar)
    bar.set_agents([Access("claude-code"), Access("codex", False, True)])
    bar.show()
    return bar


def _words(bar: ScopeBar) -> str:
    return bar.findChild(QLabel, "toolScopeWords").text()


def test_all_agents_are_edited_unless_one_is_chosen(bar: ScopeBar) -> None:
    assert bar.agent == "" and not bar.notice.isVisible()
    chosen: list[str] = []
    bar.scope_chosen.connect(chosen.append)
    bar.choose_agent("claude-code")
    assert chosen == ["claude-code"] and bar.notice.isVisible()
    assert _words(bar) == "Boxes are for claude-code alone."
    assert not bar.reset.isEnabled()


def test_an_agent_that_gets_nothing_is_said_to(bar: ScopeBar) -> None:
    bar.choose_agent("codex")
    assert "never given" in _words(bar) and bar.access.currentData() is False
    assert bar.reset.isEnabled()


def test_a_choice_lasts_while_the_agent_is_known(bar: ScopeBar) -> None:
    bar.choose_agent("codex")
    bar.set_agents([Access("codex"), Access("new")])
    assert bar.agent == "codex"
    chosen: list[str] = []
    bar.scope_chosen.connect(chosen.append)
    bar.set_agents([Access("new")])
    assert bar.agent == "" and chosen == [""] and not bar.notice.isVisible()


def test_what_is_asked_for_is_told(bar: ScopeBar) -> None:
    heard: list[object] = []
    bar.reset_requested.connect(lambda: heard.append("reset"))
    bar.access_requested.connect(heard.append)
    bar.choose_agent("codex")
    bar.reset.click()
    bar.access.choose(True)
    bar.access.activated.emit(bar.access.currentIndex())
    assert heard == ["reset", True]
