import asyncio
from collections.abc import Callable

import pytest

from callgate.core.messages import Text
from callgate.core.tool import Outcome, Tool
from callgate.tools.catalog import Catalog, UnknownTool, fit_name
from callgate.tools.source import CallContext


class ListSource:
    """A source whose tools are whatever the test puts in."""

    def __init__(self, name: str, *tools: Tool) -> None:
        self.name = name
        self._tools = tools
        self._listeners: list[Callable[[], None]] = []

    def tools(self) -> tuple[Tool, ...]:
        return self._tools

    def replace(self, *tools: Tool) -> None:
        self._tools = tools
        for listener in self._listeners:
            listener()

    def on_change(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def call(self, tool: Tool, arguments: object, context: CallContext) -> Outcome:
        return Outcome((Text(f"{self.name}:{tool.name}"),))


def tool(name: str, source: str = "a", **more: object) -> Tool:
    return Tool(name, source, **more)  # type: ignore[arg-type]


CONTEXT = CallContext("call_1", "conv_1", lambda text, done, total: None)


def test_tools_of_one_name_from_two_sources_both_survive_and_reach_their_own_source() -> None:
    catalog = Catalog([ListSource("a", tool("read")), ListSource("b", tool("read", "b"))])
    assert [t.name for t in catalog.tools()] == ["read", "b__read"]
    outcome = asyncio.run(catalog.call("b__read", {}, CONTEXT))
    assert outcome.parts == (Text("b:read"),)


def test_names_that_no_wire_takes_are_made_fit_and_stay_distinct() -> None:
    names = [fit_name(name) for name in ("get weather", "get_weather", "get/weather", "x" * 200, "x" * 201, "")]
    assert len(set(names)) == len(names)
    assert all(len(name) <= 64 and name.replace("_", "a").replace("-", "a").isalnum() for name in names)


def test_tools_are_found_by_wildcard_and_by_any_tag() -> None:
    catalog = Catalog([ListSource("a", tool("get_a", tags=("x",)), tool("get_b", tags=("Y", "z")), tool("set_a"))])
    assert [t.name for t in catalog.find(name="get_*")] == ["get_a", "get_b"]
    assert [t.name for t in catalog.find(name="?et_a")] == ["get_a", "set_a"]
    assert [t.name for t in catalog.find(tags=["x", "y"])] == ["get_a", "get_b"]
    assert [t.name for t in catalog.find(name="get_*", tags=["z"])] == ["get_b"]


def test_disabled_and_private_tools_are_not_offered() -> None:
    catalog = Catalog([ListSource("a", tool("one"), tool("two", private=True))])
    catalog.enable("one", False)
    assert catalog.offered() == ()
    assert [t.enabled for t in catalog.tools()] == [False, True]
    with pytest.raises(UnknownTool):
        catalog.enable("three", True)


def test_a_source_that_changes_is_heard() -> None:
    source = ListSource("a", tool("one"))
    catalog = Catalog([source])
    heard: list[int] = []
    catalog.on_change(lambda: heard.append(len(catalog.tools())))
    source.replace(tool("one"), tool("two"))
    assert heard == [2]


def test_calling_a_tool_that_has_gone_is_an_error() -> None:
    with pytest.raises(UnknownTool):
        asyncio.run(Catalog().call("gone", {}, CONTEXT))
