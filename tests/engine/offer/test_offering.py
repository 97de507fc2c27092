from tests.fakes.list_source import ListSource

from callgate.core.messages import Message, ToolCall, say
from callgate.core.request import ChatRequest, GateOptions
from callgate.core.tool import Tool, ToolSpec
from callgate.core.toolset import Toolset
from callgate.engine.offer.offer import OfferConduct
from callgate.engine.offer.offering import Offering
from callgate.tools.catalog import Catalog


def asked(gate: GateOptions = GateOptions(use_tools=True)) -> ChatRequest:  # noqa: B008
    return ChatRequest("openai-chat", "m", (say("user", "hi"),), gate=gate)


def names(offering: Offering, agent: str = "codex", gate: GateOptions | None = None) -> list[str]:
    request = asked() if gate is None else asked(gate)
    offered = offering.offer(request, agent, "conv")
    return [tool.name for tool in offered.request.tools if isinstance(tool, ToolSpec)]


def test_each_agent_is_offered_what_the_person_left_it() -> None:
    catalog = Catalog([ListSource("a", Tool("one", "a"), Tool("two", "a"))])
    offering = Offering(catalog, toolsets=lambda: (Toolset("second", ("two",)),))
    catalog.enable("one", False, "codex")
    assert names(offering) == ["two"] and names(offering, "other") == ["one", "two"]
    assert names(offering, "other", GateOptions(use_tools=True, tools=("second",))) == ["two"]


def test_an_agent_that_was_given_the_tools_gets_them_unasked() -> None:
    catalog = Catalog([ListSource("a", Tool("one", "a"))])
    offering = Offering(catalog)
    assert names(offering, gate=GateOptions()) == []
    catalog.enable_agent("codex", True)
    assert names(offering, gate=GateOptions()) == ["one"]


def test_what_a_model_calls_stays_at_hand() -> None:
    sources = [ListSource(name, *(Tool(f"{name}{number}", name) for number in range(8))) for name in "abc"]
    offering = Offering(Catalog(sources), OfferConduct(most=20))
    assert "c7" not in names(offering) and "activate_c" in names(offering)
    offering.said(Message("assistant", (ToolCall("1", "c7", "{}"),)), "conv")
    assert "c7" in names(offering)
    known = offering.offer(asked(), "codex", "conv").catalog
    assert {"activate_a", "activate_b", "activate_c", "a0", "b0", "c0"} <= known.keys()
