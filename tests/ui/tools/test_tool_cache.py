from dataclasses import replace

import pytest
from PySide6.QtCore import QSettings
from tests.fakes.console import NOON, FakeConsole, completed, sample_tools, waiting
from tests.fakes.loop import BoundLoop

from callgate.core.events import InvocationChanged, RulesChanged, SourceChanged, ToolsChanged
from callgate.core.tool import CLIENT_SOURCE, HostedTool, ToolSpec
from callgate.engine.offer.client_tools import ClientTool
from callgate.engine.offer.tool_service import Usage
from callgate.ui.bridge import Bridge
from callgate.ui.tools.tool_cache import ToolCache


@pytest.fixture
def knowledge(loop: BoundLoop, console: FakeConsole, bridge: Bridge, settings: QSettings) -> ToolCache:
    console.tool_list = list(sample_tools())
    console.tool_service.used = {("git", "git_commit"): Usage(3, NOON)}
    console.tool_service.moved = {("git", "git_status"): NOON}
    knowledge = ToolCache(console, bridge, settings)
    loop.until(lambda: bool(knowledge.facts.used and knowledge.facts.changed))
    return knowledge


def test_what_was_before_is_asked_for_at_the_start(knowledge: ToolCache) -> None:
    assert knowledge.facts.usage(sample_tools()[5]) == Usage(3, NOON)
    assert knowledge.facts.is_changed(sample_tools()[4]) and not knowledge.facts.is_changed(sample_tools()[5])
    assert len(knowledge.stock.tools) == knowledge.stock.catalog == 7


def test_waiting_calls_and_calls_that_end_are_counted(
    knowledge: ToolCache, console: FakeConsole, bridge: Bridge
) -> None:
    ended: list[str] = []
    knowledge.use_changed.connect(ended.append)
    console.change(waiting("run_command", id="a"))
    console.change(waiting("run_command", id="b"))
    bridge.flush()
    console.change(waiting("run_command", id="c", owner="client"))
    bridge.flush()
    assert knowledge.facts.waiting == {("built-in", "run_command"): 2, ("client", "run_command"): 1}, "another tool"
    console.play([InvocationChanged(replace(completed("git_commit", id="a"), source="git"), NOON + 9)])
    bridge.flush()
    assert knowledge.facts.waiting == {("built-in", "run_command"): 1, ("client", "run_command"): 1}
    assert knowledge.facts.used[("git", "git_commit")] == Usage(4, NOON + 9) and ended == ["git_commit"]


def test_a_change_that_was_looked_at_is_no_news_any_more(
    knowledge: ToolCache, console: FakeConsole, bridge: Bridge, settings: QSettings, loop: BoundLoop
) -> None:
    knowledge.look_at_change(sample_tools()[4])
    assert not knowledge.facts.changed
    again = ToolCache(console, bridge, settings)
    loop.until(lambda: bool(again.facts.used))
    assert not again.facts.changed
    console.tool_service.moved = {("git", "git_status"): NOON + 60}
    console.play([ToolsChanged(sample_tools(), NOON + 60)])
    bridge.flush()
    loop.until(lambda: bool(again.facts.changed))


def test_what_agents_bring_along_is_kept_apart_from_the_catalog(
    knowledge: ToolCache, console: FakeConsole, bridge: Bridge
) -> None:
    console.client_tool_list = [
        ClientTool("codex", "apply_patch", ToolSpec("apply_patch", "Patches."), NOON, NOON),
        ClientTool("codex", "web_search", HostedTool("openai-responses", {"type": "web_search"}), NOON, NOON),
    ]
    console.tool_service.known = ["codex"]
    console.play([SourceChanged("git", "ready", NOON)])
    bridge.flush()
    own = knowledge.stock.tools[7:]
    assert [(tool.name, tool.source) for tool in own] == [("apply_patch", CLIENT_SOURCE), ("web_search", CLIENT_SOURCE)]
    assert knowledge.stock.owners == ["codex", "codex"] and knowledge.facts.agents == ("codex",)
    console.play([SourceChanged("git", "ready", NOON)])
    bridge.flush()
    assert knowledge.stock.tools[7] is own[0], "what is the same stays the same object"


def test_a_change_of_rules_is_passed_on(knowledge: ToolCache, console: FakeConsole, bridge: Bridge) -> None:
    heard: list[str] = []
    knowledge.rules_changed.connect(lambda: heard.append("rules"))
    console.play([RulesChanged((), NOON)])
    bridge.flush()
    assert heard == ["rules"]
