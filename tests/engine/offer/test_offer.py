import pytest

from callgate.core.errors import BadRequest
from callgate.core.messages import Message, say
from callgate.core.request import ChatRequest, GateOptions
from callgate.core.tool import Tool, ToolSpec
from callgate.core.toolset import Toolset
from callgate.engine.offer.offer import LEAST_ROOM, Offer, OfferConduct, offer
from callgate.engine.offer.tool_groups import ToolGroups

CATALOG = (
    Tool("read_file", "built-in", reference_name="read"),
    Tool("search", "built-in"),
    Tool("git_log", "git"),
    Tool("git_push", "git", referable=False),
)
SETS = (Toolset("git", ("git_log", "git_push")), Toolset("reader", ("read_file", "search", "not_offered")))
ALL = GateOptions(use_tools=True)


def asked(text: str = "hi", gate: GateOptions = ALL, own: int = 0) -> ChatRequest:
    tools = tuple(ToolSpec(f"own_{number}") for number in range(own))
    return ChatRequest(
        "openai-chat", "m", (Message("system"), say("user", text), say("assistant", "#x")), tools, gate=gate
    )


def names(offered: Offer) -> list[str]:
    return [tool.name for tool in offered.request.tools if isinstance(tool, ToolSpec)]


def test_the_catalogs_tools_come_only_where_they_are_wanted() -> None:
    assert names(offer(asked(), CATALOG)) == ["read_file", "search", "git_log", "git_push"]
    for gate in (GateOptions(), GateOptions(use_tools=False)):
        untouched = offer(asked(gate=gate, own=1), CATALOG)
        assert names(untouched) == ["own_0"] and not untouched.changed and not untouched.catalog


def test_an_agent_that_gets_them_unasked_may_still_decline() -> None:
    unasked = OfferConduct(unasked=True)
    assert len(names(offer(asked(gate=GateOptions()), CATALOG, unasked))) == 4
    assert names(offer(asked(gate=GateOptions(use_tools=False)), CATALOG, unasked)) == []


def test_with_tools_switched_off_there_are_none_at_all() -> None:
    off = offer(asked(own=2), CATALOG, OfferConduct(tools_enabled=False))
    assert off.request.tools == () and off.changed


def test_a_clients_own_tool_wins_over_one_of_the_same_name() -> None:
    offered = offer(asked(own=1), [Tool("own_0", "x"), *CATALOG])
    assert names(offered).count("own_0") == 1 and "own_0" not in offered.catalog


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("please #search it", ["search"]),
        ("use #read, then (#git_log).", ["read_file", "git_log"]),
        ("#read_file", ["read_file"]),
        ("do it with #git.", ["git_log", "git_push"]),
        ("#reader and #git_log", ["read_file", "search", "git_log"]),
        ("#git_push is not to be named", ["read_file"]),
        ("see issue#search and &#search; and a/#search", ["read_file"]),
        ("#nothing", ["read_file"]),
    ],
)
def test_what_the_person_names_comes_first(text: str, first: list[str]) -> None:
    assert names(offer(asked(text), CATALOG, toolsets=SETS))[: len(first)] == first


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (("search",), ["search"]),
        (("read", "git"), ["read_file", "git_log", "git_push"]),
        (("reader",), ["read_file", "search"]),
    ],
)
def test_a_client_can_choose_by_name_and_by_set(chosen: tuple[str, ...], expected: list[str]) -> None:
    request = asked(gate=GateOptions(use_tools=True, tools=chosen))
    assert names(offer(request, CATALOG, toolsets=SETS)) == expected


def test_choosing_what_is_not_there_is_refused_with_the_field() -> None:
    with pytest.raises(BadRequest, match="no tool and no toolset named 'wish'") as bad:
        offer(asked(gate=GateOptions(use_tools=True, tools=("search", "wish"))), CATALOG, toolsets=SETS)
    assert bad.value.fault.param == "x-callgate-tools"


def crowd(count: int) -> list[Tool]:
    return [Tool(f"t{number}", f"s{number % 4}") for number in range(count)]


def grouped(request: ChatRequest, tools: list[Tool], most: int = 128) -> Offer:
    groups = ToolGroups()
    return offer(
        request, tools, OfferConduct(most=most), arrange=lambda *more: groups.arrange("conv", *more)
    )  # fmt: skip


def test_above_the_limit_there_are_groups_and_the_true_count_is_known() -> None:
    offered = grouped(asked("#t199", own=10), crowd(200))
    assert len(offered.request.tools) <= 128 and offered.available == 210
    assert names(offered)[10] == "t199" and any(name.startswith("activate_") for name in names(offered))
    assert len([name for name in offered.catalog if not name.startswith("activate_")]) == 200


def test_the_limit_can_be_lower_or_off() -> None:
    assert len(grouped(asked(), crowd(40), most=40).request.tools) == 40
    assert len(grouped(asked(), crowd(41), most=40).request.tools) <= 40
    off = grouped(asked(own=3), crowd(200), most=0)
    assert len(off.request.tools) == 128 and not any(name.startswith("activate_") for name in names(off))


def test_a_client_with_many_tools_of_its_own_keeps_them_all() -> None:
    offered = grouped(asked(own=100), crowd(200), most=64)
    assert names(offered)[:100] == [f"own_{number}" for number in range(100)]
    assert 0 < len(offered.request.tools) - 100 <= LEAST_ROOM
    assert len(grouped(asked(own=128), crowd(5)).request.tools) == 128
    assert len(grouped(asked(own=140), crowd(5)).request.tools) == 140
