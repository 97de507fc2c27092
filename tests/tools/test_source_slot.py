import asyncio

import pytest
from tests.fakes.list_source import ListSource

from callgate.core.errors import PeerFault
from callgate.core.tool import Tool
from callgate.tools.catalog import Catalog
from callgate.tools.http_source import HttpSource
from callgate.tools.memory import Forgetful
from callgate.tools.registration import read_registration
from callgate.tools.source import CallContext
from callgate.tools.source_slot import SourceSlot


def nothing(text: str, done: float | None, total: float | None) -> None:
    """Nobody listens to progress here."""


CONTEXT = CallContext("call_1", "conv_1", nothing)


def test_a_slot_keeps_its_place_while_sources_come_and_go() -> None:
    slot, other = SourceSlot("first"), ListSource("second", Tool("same", "second"))
    catalog = Catalog([slot, other])
    assert [tool.name for tool in catalog.tools()] == ["same"]
    slot.fill(ListSource("first", Tool("same", "first")))
    assert [(tool.name, tool.source) for tool in catalog.tools()] == [("same", "first"), ("second__same", "second")]
    slot.fill(None)
    assert not slot.connected
    assert [(tool.name, tool.source) for tool in catalog.tools()] == [("same", "second")]


def test_an_empty_slot_refuses_calls_in_words() -> None:
    with pytest.raises(PeerFault, match="switched off"):
        asyncio.run(SourceSlot("gone").call(Tool("x", "gone"), {}, CONTEXT))


def test_one_that_was_replaced_is_not_heard_any_more() -> None:
    slot, old = SourceSlot("s"), ListSource("s", Tool("a", "s"))
    slot.fill(old)
    slot.fill(ListSource("s", Tool("b", "s")))
    told: list[int] = []
    slot.on_change(lambda: told.append(1))
    old.replace(Tool("c", "s"))
    assert not told
    assert [tool.name for tool in slot.tools()] == ["b"]


def test_what_stands_in_a_slot_executes_its_tools() -> None:
    slot, tool = SourceSlot("registered"), Tool("x", "registered")
    catalog = Catalog([slot])
    assert catalog.bound("x") is None
    by_list = slot.executor(tool)
    source = HttpSource(Forgetful())
    source.register(read_registration({"name": "x", "callback_url": "http://127.0.0.1:9/a"}))
    slot.fill(source)
    bound = catalog.bound("x")
    assert bound is not None and bound.binding.executor == source.executor(tool).digest != by_list.digest
    assert bound.binding.shown_lines[-1] == "POST http://127.0.0.1:9/a"
    asyncio.run(source.close())
