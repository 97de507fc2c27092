from dataclasses import replace

import pytest

from callgate.core.calls.invocation import Invocation, State
from callgate.core.events import ExchangeStarted, FaultRaised, InvocationChanged
from callgate.core.tool import HostedTool, ToolSpec
from callgate.engine.offer import client_tools
from callgate.engine.offer.client_tools import ClientTools


def offered(agent: str, *tools: ToolSpec | HostedTool, at: float) -> ExchangeStarted:
    return ExchangeStarted(f"e{at}", "c", agent, "openai-chat", "m", False, 0, (), tools, at)


def called(agent: str, tool: str, at: float, state: State = "Released", source: str = "client") -> InvocationChanged:
    invocation = Invocation(f"i{at}", "e", "c", 1, 0, "call", tool, "client", source, agent, "m", state)
    return InvocationChanged(invocation, at)


def test_each_agents_tools_are_kept_with_their_times() -> None:
    read, read_again = ToolSpec("read"), ToolSpec("read", "now described")
    tools = ClientTools(
        [
            offered("codex", read, ToolSpec("write"), at=10),
            called("codex", "read", 11, "Streaming"),
            called("codex", "read", 12),
            called("codex", "read", 14, "Cancelled"),
            offered("codex", read_again, at=20),
            offered("Aider", read, at=30),
            FaultRaised("x", "y", 40),
        ]
    )
    found = tools.tools()
    assert [(tool.agent, tool.name) for tool in found] == [("Aider", "read"), ("codex", "read"), ("codex", "write")]
    codex = found[1]
    assert (codex.first_offered, codex.last_offered, codex.times_offered, codex.tool) == (10, 20, 2, read_again)
    assert (codex.last_called, codex.calls) == (14, 2)
    assert (found[0].last_called, found[0].calls) == (None, 0)


def test_calls_of_the_catalogs_tools_and_of_what_nobody_offered_do_not_count() -> None:
    tools = ClientTools([offered("a", ToolSpec("read"), at=1)])
    tools.apply(called("a", "read", 2, source="built-in"))
    tools.apply(called("a", "never_offered", 3))
    tools.apply(called("b", "read", 4))
    assert [(tool.name, tool.calls) for tool in tools.tools()] == [("read", 0)]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({"type": "web_search_20250305", "name": "web_search"}, "web_search"),
        ({"type": "file_search"}, "file_search"),
        ({"googleSearch": {}}, "googleSearch"),
        ({}, "gemini"),
        ("odd", "gemini"),
    ],
)
def test_a_providers_own_tools_are_named_as_well_as_they_can_be(value: object, name: str) -> None:
    tools = ClientTools([offered("a", HostedTool("gemini", value), at=1)])  # type: ignore[arg-type]
    assert [tool.name for tool in tools.tools()] == [name]


def test_earlier_events_may_come_later() -> None:
    tools = ClientTools([offered("a", ToolSpec("t", "new"), at=20), called("a", "t", 25)])
    tools.apply(offered("a", ToolSpec("t", "old"), at=10))
    tools.apply(called("a", "t", 15))
    only = tools.tools()[0]
    assert (only.first_offered, only.last_offered, only.last_called) == (10, 20, 25)
    assert only.tool == ToolSpec("t", "new")


def test_a_flood_of_names_is_bounded_and_the_oldest_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_tools, "MOST_KEPT", 3)
    tools = ClientTools(offered("a", ToolSpec(f"t{number}"), at=number) for number in range(10))
    assert [tool.name for tool in tools.tools()] == ["t7", "t8", "t9"]


def test_the_longest_unoffered_are_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_tools, "MOST_KEPT", 3)
    tools = ClientTools([offered("a", *(ToolSpec(name) for name in "xyz"), at=1), offered("a", ToolSpec("x"), at=2)])
    tools.apply(offered("a", ToolSpec("new"), at=3))
    assert {tool.name for tool in tools.tools()} == {"x", "z", "new"}
    tools.apply(offered("b", *(ToolSpec(f"t{number}") for number in range(9)), at=4))
    assert [tool.name for tool in tools.tools()] == ["t6", "t7", "t8"]


def test_a_conversation_knows_what_it_was_offered_before_until_a_person_approves_the_new_definition() -> None:
    lists, deletes = ToolSpec("run", "Lists."), ToolSpec("run", "Deletes.")
    tools = ClientTools([offered("a", lists, at=1)])
    assert tools.earlier("c", "run", lists.fingerprint) is None
    tools.apply(offered("a", deletes, at=2))
    assert tools.earlier("c", "run", deletes.fingerprint) == lists
    assert tools.version("c", "run", deletes.fingerprint) == deletes
    assert tools.earlier("other", "run", deletes.fingerprint) is None
    by_rule = called("a", "run", 3).invocation
    for decider, approved in (("rule", False), ("person", True)):
        tools.apply(InvocationChanged(replace(by_rule, fingerprint=deletes.fingerprint, decided_by=decider), 3))
        assert (tools.earlier("c", "run", deletes.fingerprint) is None) == approved


def test_moved_cache_marks_are_no_other_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_tools, "MOST_VERSIONS", 2)
    tools = ClientTools([offered("a", ToolSpec("run", extras={"cache_control": n}), at=n) for n in range(9)])
    plain = ToolSpec("run")
    assert tools.earlier("c", "run", plain.fingerprint) is None
    for number in range(9):
        tools.apply(offered("a", ToolSpec("run", f"version {number}"), at=10 + number))
    assert tools.version("c", "run", ToolSpec("run", "version 8").fingerprint) is not None
    assert tools.version("c", "run", ToolSpec("run", "version 2").fingerprint) is None, "forgotten"


def test_conversations_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_tools, "MOST_CONVERSATIONS", 2)
    tools = ClientTools()
    for number in range(3):
        tools.apply(replace(offered("a", ToolSpec("run"), at=number), conversation_id=f"c{number}"))
    fingerprint = ToolSpec("run").fingerprint
    known = [tools.version(f"c{number}", "run", fingerprint) is not None for number in range(3)]
    assert known == [False, True, True]
    monkeypatch.setattr(client_tools, "MOST_REMEMBERED", 5)
    many = offered("a", *(ToolSpec(f"t{number}") for number in range(4)), at=9)
    tools.apply(replace(many, conversation_id="c3"))
    assert [tools.version(f"c{number}", "run", fingerprint) is not None for number in range(3)] == [False, False, True]
