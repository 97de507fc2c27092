"""Why a tool was not offered is said in words, whatever the reason."""

import time

from tests.fakes.list_source import ListSource

from callgate.core.catalog.left_out import LeftOut
from callgate.core.messages import say
from callgate.core.request import ChatRequest, GateOptions
from callgate.core.tool import Tool, ToolSpec
from callgate.engine.offer.offer import OfferConduct
from callgate.engine.offer.offering import ALL_OFF, NOT_ASKED, OFF, OFF_FOR_AGENT, SAME_NAME, Offering
from callgate.tools.catalog import Catalog, Lists


def told(
    offering: Offering, *own: str, agent: str = "codex", use: bool = True, only: tuple[str, ...] = ()
) -> dict[str, str]:
    tools = tuple(ToolSpec(name) for name in own)
    request = ChatRequest(
        "openai-chat", "m", (say("user", "hi"),), tools, gate=GateOptions(use_tools=use or None, tools=only)
    )
    found = offering.offer(request, agent, "conv").left_out
    return {name: one.why for one in found for name in one.tools} or {one.why: str(one.total) for one in found}


def catalog(*names: str, **options: Lists) -> Catalog:
    return Catalog([ListSource("a", *(Tool(name, "a") for name in names))], **options)  # type: ignore[arg-type]


def test_switches_lists_and_names_are_told_apart() -> None:
    tools = catalog("one", "two", "three", "four", lists=Lists(block=("four",)))
    tools.enable("one", False)
    tools.enable("two", False, "codex")
    assert told(Offering(tools), "three") == {
        "one": OFF,
        "two": OFF_FOR_AGENT,
        "three": SAME_NAME,
        "four": "gate.block_tools names it",
    }
    assert "two" not in told(Offering(tools), agent="other")


def test_a_condition_that_does_not_hold_is_quoted() -> None:
    tools = Catalog([ListSource("a", Tool("one", "a", when="isLinux"), Tool("two", "a"))])
    assert told(Offering(tools))["one"].startswith("its condition does not hold")


def test_a_request_that_names_its_tools_leaves_the_others_out() -> None:
    assert told(Offering(catalog("one", "two", "three")), only=("two",)) == {
        "one": "the request asks only for two",
        "three": "the request asks only for two",
    }


def test_tools_behind_a_group_say_so() -> None:
    sources = [ListSource(name, *(Tool(f"{name}{number}", name) for number in range(8))) for name in "abc"]
    offering = Offering(Catalog(sources), OfferConduct(most=20))
    assert set(told(offering).values()) == {"behind a group: there are more than 20 tools"}


def test_nobody_asked_and_all_switched_off_are_one_line_each() -> None:
    assert told(Offering(catalog("one", "two")), use=False) == {NOT_ASKED: "2"}
    assert told(Offering(catalog("one"), OfferConduct(tools_enabled=False)), "own") == {ALL_OFF: "2"}


def test_nothing_is_left_out_where_all_is_offered() -> None:
    assert told(Offering(catalog("one", "two"))) == {}


def test_ten_thousand_tools_are_explained_in_a_moment() -> None:
    tools = Catalog([ListSource("a", *(Tool(f"t{number}", "a", enabled=number % 2 == 0) for number in range(10_000)))])
    offering = Offering(tools, OfferConduct(most=64))
    request = ChatRequest("openai-chat", "m", (say("user", "hi"),), gate=GateOptions(use_tools=True))
    offering.offer(request, "codex", "conv")
    began = time.process_time()
    found = offering.offer(request, "codex", "conv").left_out
    assert time.process_time() - began < 0.5
    assert sum(one.total for one in found if one.why == OFF) == 5000 and all(isinstance(one, LeftOut) for one in found)
