import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.messages import Text
from callgate.core.tool import GROUP_SOURCE, Tool
from callgate.engine.offer import tool_groups
from callgate.engine.offer.tool_groups import LEAST_ROOM, ToolGroups


def many(**sources: int) -> list[Tool]:
    return [Tool(f"{source}_{number}", source) for source, count in sources.items() for number in range(count)]


def arrange(groups: ToolGroups, tools: list[Tool], room: int = 20, *pinned: str, taken: tuple[str, ...] = ()) -> list:
    return [tool.name for tool in groups.arrange("conv", tools, room, pinned, taken)]


def said(groups: ToolGroups, name: str) -> str:
    part = groups.open("conv", name).parts[0]
    assert isinstance(part, Text)
    return part.text


def test_tools_that_fit_stay_as_they_are() -> None:
    tools = many(a=10, b=10)
    assert arrange(ToolGroups(), tools) == [tool.name for tool in tools]


def test_a_source_that_does_not_fit_stands_behind_one_tool_and_a_call_opens_it() -> None:
    groups = ToolGroups()
    tools = many(a=8, b=9, c=9, alone=1)
    shown = arrange(groups, tools, 18)
    assert shown == [*(f"a_{n}" for n in range(8)), "activate_b", "activate_c", "alone_0"]
    opener = groups.find("conv", "activate_b")
    assert opener is not None and opener.private and opener.source == GROUP_SOURCE
    assert "the 9 tools of b: b_0, b_1" in opener.description
    assert "- b_8" in said(groups, "activate_b")
    shown = arrange(groups, tools, 18)
    assert "b_8" in shown and "activate_a" in shown and "activate_c" in shown


def test_the_least_recently_used_group_closes_first() -> None:
    groups = ToolGroups()
    tools = many(a=8, b=8, c=8)
    for name in ("activate_a", "activate_b"):
        arrange(groups, tools)
        groups.open("conv", name)
    arrange(groups, tools)
    groups.used("conv", ["a_3"])
    groups.open("conv", "activate_c")
    shown = arrange(groups, tools)
    assert "a_0" in shown and "c_0" in shown and "activate_b" in shown


def test_named_tools_are_always_themselves_and_come_first() -> None:
    shown = arrange(ToolGroups(), many(a=15, b=15), 20, "b_7", "a_3")
    assert shown[:2] == ["a_3", "b_7"] and shown.count("b_7") == 1


def test_each_conversation_has_its_own_open_groups_and_the_oldest_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tool_groups, "MOST_CONVERSATIONS", 1)
    groups = ToolGroups()
    tools = many(a=10, b=10, c=10)
    arrange(groups, tools)
    groups.open("conv", "activate_c")
    assert groups.find("other", "activate_c") is None
    groups.arrange("other", tools, 20, (), ())
    assert groups.find("conv", "activate_c") is None
    assert groups.open("conv", "activate_c").is_error


def test_a_group_takes_no_name_that_is_taken() -> None:
    tools = [*many(a=15, b=15), Tool("activate_b", "c")]
    shown = arrange(ToolGroups(), tools, 18, taken=("activate_a",))
    assert {"activate_a_2", "activate_b_2", "activate_b"} & set(shown) >= {"activate_b"}
    assert "activate_a" not in shown and len(shown) == len(set(shown))


def test_with_hardly_any_room_the_first_tools_are_taken() -> None:
    assert arrange(ToolGroups(), many(a=20), LEAST_ROOM - 1) == [f"a_{n}" for n in range(LEAST_ROOM - 1)]
    assert arrange(ToolGroups(), many(a=20), 0) == []


def test_ten_thousand_tools_can_all_be_reached_within_128() -> None:
    groups = ToolGroups()
    tools = many(**{f"s{number}": 200 for number in range(50)})
    assert len(arrange(groups, tools, 128)) <= 128
    wanted = tools[7_777].name
    for _ in range(6):
        shown = arrange(groups, tools, 128)
        assert len(shown) <= 128
        if wanted in shown:
            return
        nearest = next(
            name for name in reversed(shown) if (group := groups._threads["conv"].groups.get(name)) is not None
            and any(tool.name == wanted for tool in group.tools)
        )  # fmt: skip
        assert not groups.open("conv", nearest).is_error
    raise AssertionError("never offered")


def test_a_deep_group_opens_in_little_room() -> None:
    groups = ToolGroups()
    tools = many(s=1, t=33)
    for _ in range(6):
        openers = [name for name in arrange(groups, tools, LEAST_ROOM) if name.startswith("activate_")]
        groups.open("conv", openers[0])
        assert openers[0] not in arrange(groups, tools, LEAST_ROOM)


@given(
    st.lists(st.integers(1, 60), min_size=1, max_size=12),
    st.integers(LEAST_ROOM, 60),
    st.lists(st.integers(0, 30), max_size=6),
)
def test_whatever_is_opened_there_is_never_more_than_fits_and_every_tool_stands_somewhere(
    sizes: list[int], room: int, opens: list[int]
) -> None:
    groups = ToolGroups()
    tools = many(**{f"s{number}": size for number, size in enumerate(sizes)})
    for choice in (*opens, None):
        shown = groups.arrange("conv", tools, room, (), ())
        assert len(shown) <= room
        reachable = {tool.name for tool in shown}
        for tool in shown:
            if tool.source == GROUP_SOURCE:
                reachable |= {below.name for below in groups._threads["conv"].groups[tool.name].tools}
        assert {tool.name for tool in tools} <= reachable
        openers = [tool.name for tool in shown if tool.source == GROUP_SOURCE]
        if choice is not None and openers:
            opened = openers[choice % len(openers)]
            groups.open("conv", opened)
            assert opened not in {tool.name for tool in groups.arrange("conv", tools, room, (), ())}, "it must open"
