import asyncio
import time

import pytest
from tests.fakes.list_source import ListSource

from callgate.core.catalog.when import Value
from callgate.core.messages import Text
from callgate.core.tool import Tool
from callgate.tools.catalog import Catalog, Lists, UnknownTool, fit_name
from callgate.tools.memory import Forgetful
from callgate.tools.source import CallContext
from callgate.tools.switches import Switches


def tool(name: str, source: str = "a", **more: object) -> Tool:
    return Tool(name, source, **more)  # type: ignore[arg-type]


CONTEXT = CallContext("call_1", "conv_1", lambda text, done, total: None)


def test_tools_of_one_name_from_two_sources_both_survive_and_reach_their_own_source() -> None:
    catalog = Catalog([ListSource("a", tool("read")), ListSource("b", tool("read", "b"))])
    assert [t.name for t in catalog.tools()] == ["read", "b__read"]
    assert [t.id for t in catalog.tools()] == ["a/read", "b/read"], "whatever name it has here"
    outcome = asyncio.run(catalog.call("b__read", {}, CONTEXT))
    assert outcome.parts == (Text("b:read"),)


def test_names_that_no_wire_takes_are_made_fit_and_stay_distinct() -> None:
    names = [
        fit_name(name) for name in ("get weather", "get_weather", "get/weather", "x" * 200, "x" * 201, "", "\ud800")
    ]
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


def names(catalog: Catalog, agent: str = "") -> list[str]:
    return [tool.name for tool in catalog.offered(agent)]


def test_a_name_that_another_source_makes_up_for_itself_loses_no_tool() -> None:
    sources = [ListSource("a", tool("read"), tool("b__read")), ListSource("b", tool("read", "b"))]
    catalog = Catalog(sources)
    assert len(catalog.tools()) == 3
    last = catalog.tools()[-1].name
    assert asyncio.run(catalog.call(last, {}, CONTEXT)).parts == (Text("b:read"),)
    entry = catalog.entry(last)
    assert entry is not None and (entry.source, entry.original.name) == (sources[1], "read")


def test_switches_for_tools_sources_and_agents_are_remembered_across_restarts() -> None:
    memory = Forgetful()

    def start() -> Catalog:
        sources = [ListSource("a", tool("one"), tool("two")), ListSource("b", tool("three", "b"))]
        return Catalog(sources, switches=Switches(memory))

    catalog = start()
    catalog.enable("one", False)
    catalog.enable("one", True, "codex")
    catalog.enable_source("b", False, "codex")
    catalog.enable_agent("stranger", False)
    catalog.enable_agent("friend", True)
    for now in (catalog, start()):
        assert names(now) == ["two", "three"]
        assert names(now, "codex") == ["one", "two"]
        assert names(now, "stranger") == [] and names(now, "friend") == ["two", "three"]
        assert now.gets_unasked("friend") and not now.gets_unasked("codex")
        assert now.offers("one") is None and now.offers("one", "codex") is not None
        assert [tool.enabled for tool in now.offered("codex")] == [True, True]


def test_what_a_source_cannot_run_is_not_offered_whatever_was_switched_on() -> None:
    catalog = Catalog([ListSource("a", tool("one", enabled=False))])
    catalog.enable("one", True, "codex")
    assert names(catalog, "codex") == []


def test_blocked_tools_and_those_not_on_the_allow_list_are_not_offered() -> None:
    source = ListSource("a", tool("get_a"), tool("get_b"), tool("set_a"))
    catalog = Catalog([source], lists=Lists(allow=("get_*",), block=("*_b",)))
    assert names(catalog) == ["get_a"]
    assert [tool.unavailable for tool in catalog.tools()] == [
        "",
        "gate.block_tools names it",
        "gate.allow_tools does not name it",
    ]


def test_a_tool_is_offered_while_its_condition_holds() -> None:
    facts: dict[str, Value] = {"workspaceFolderCount": 1, "config.web": False}
    conditions = ("workspaceFolderCount > 0", "config.web", "source.connected", "source.b.connected", "broken ==")
    a = ListSource("a", *(tool(f"t{number}", when=when) for number, when in enumerate(conditions)))
    b = ListSource("b", connected=False)
    catalog = Catalog([a, b], lookup=facts.get)
    heard: list[int] = []
    catalog.on_change(lambda: heard.append(1))
    assert names(catalog) == ["t0", "t2"]
    assert "its condition does not hold: config.web" in catalog.tools()[1].unavailable
    assert "expected a value" in catalog.tools()[4].unavailable
    facts["config.web"], a.connected, b.connected = True, False, True
    catalog.refresh()
    assert names(catalog) == ["t0", "t1", "t3"]
    catalog.refresh()
    assert heard == [1], "told once, and not again while nothing changes"


def test_a_tool_that_did_not_change_stays_the_same_object() -> None:
    one = tool("one")
    source = ListSource("a", one)
    catalog = Catalog([source])
    before = catalog.tools()[0]
    source.replace(one, tool("two"))
    assert catalog.tools()[0] is before


def test_a_switch_that_cannot_be_kept_is_said_and_holds_for_this_run() -> None:
    class Full(Forgetful):
        def write(self, value: object) -> None:
            raise OSError("disk full")

    catalog = Catalog([ListSource("a", tool("one"))], switches=Switches(Full()))
    with pytest.raises(OSError, match="disk full"):
        catalog.enable("one", False)
    assert names(catalog) == []


def test_hostile_patterns_take_no_time_and_brackets_mean_themselves() -> None:
    catalog = Catalog([ListSource("a", *(tool("a" * 60 + str(number)) for number in range(1000)))])
    started = time.process_time()
    assert catalog.find(name="*a" * 20 + "b") == ()
    assert time.process_time() - started < 2
    assert catalog.find(name="[a]*") == () and len(catalog.find(name="a?*9")) == 100


def test_a_name_that_only_looks_like_a_tools_is_found_also_after_a_change() -> None:
    source = ListSource("a", tool("read_file"))
    catalog = Catalog([source])
    assert catalog.twin_of("rеad_file") == "read_file"
    assert catalog.twin_of("read_file") == ""
    assert catalog.twin_of("wrіte_file") == ""
    catalog.add(ListSource("b", tool("write_file", "b")))
    assert catalog.twin_of("wrіte_file") == "write_file"


@pytest.mark.bench
def test_looking_for_a_twin_among_ten_thousand_tools_takes_microseconds() -> None:
    catalog = Catalog([ListSource("a", *(tool(f"tool_{number}") for number in range(10_000)))])
    catalog.twin_of("once")
    began = time.process_time()
    for number in range(1000):
        catalog.twin_of(f"tool_{number}")
    assert (time.process_time() - began) / 1000 < 0.0005


def test_sources_come_at_the_end_go_and_return_to_their_place() -> None:
    first, second, late = (ListSource(name, Tool("same", name)) for name in ("a", "b", "c"))
    catalog = Catalog([first, second])
    told: list[int] = []
    catalog.on_change(lambda: told.append(1))
    catalog.add(late)
    assert [tool.name for tool in catalog.tools()] == ["same", "b__same", "c__same"]
    place = catalog.remove(second)
    assert [(tool.name, tool.source) for tool in catalog.tools()] == [("same", "a"), ("c__same", "c")]
    heard = len(told)
    second.replace(Tool("other", "b"))
    assert len(told) == heard
    catalog.add(second, place)
    assert [source.name for source in catalog.sources] == ["a", "b", "c"]
