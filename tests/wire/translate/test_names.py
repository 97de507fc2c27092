import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.request import WireName
from callgate.wire.translate.names import ToolKey, ToolNames, is_fit

PATTERNS: dict[WireName, str] = {
    "openai-chat": r"^[a-zA-Z0-9_-]{1,64}$",
    "openai-responses": r"^[a-zA-Z0-9_-]{1,64}$",
    "anthropic": r"^[a-zA-Z0-9_-]{1,128}$",
    "gemini": r"^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$",
}
TARGETS = sorted(PATTERNS)
NAMES = st.text("ab_.:-9ü ", max_size=6) | st.text("ab_", min_size=60, max_size=140)
KEYS = st.tuples(st.sampled_from(["", "a", "a__b", "mcp.x"]), NAMES)


@given(st.sampled_from(TARGETS), st.lists(KEYS, max_size=10))
def test_every_name_fits_and_leads_back(target: WireName, keys: list[ToolKey]) -> None:
    names = ToolNames(target, keys)
    lowered = [names.lower(key) for key in dict.fromkeys(keys)]
    assert all(re.fullmatch(PATTERNS[target], name) for _, name in lowered)
    assert len(set(lowered)) == len(lowered)
    assert [names.restore(key) for key in lowered] == list(dict.fromkeys(keys))


@given(st.sampled_from(TARGETS), st.lists(KEYS, max_size=8))
def test_a_name_that_fits_is_never_changed(target: WireName, keys: list[ToolKey]) -> None:
    names = ToolNames(target, keys)
    for key in keys:
        if not key[0] and is_fit(key[1], target):
            assert names.lower(key) == key


@given(st.sampled_from(TARGETS), st.lists(KEYS, max_size=8), KEYS)
def test_a_name_is_the_same_in_every_request_unless_it_collides(
    target: WireName, others: list[ToolKey], key: ToolKey
) -> None:
    alone = ToolNames(target, [key]).lower(key)
    among = ToolNames(target, [*others, key])
    assert among.lower(key) == alone or among.restore(alone) in others


def test_a_group_becomes_part_of_the_name() -> None:
    assert ToolNames("anthropic").lower(("functions", "exec")) == ("", "functions__exec")
    assert ToolNames("openai-responses").lower(("functions", "exec")) == ("functions", "exec")


def test_groups_that_flatten_to_the_same_name_stay_apart() -> None:
    keys = [("a", "b__c"), ("a__b", "c"), ("", "a__b__c")]
    names = ToolNames("openai-chat", keys)
    assert len({names.lower(key) for key in keys}) == 3
    assert names.lower(("", "a__b__c")) == ("", "a__b__c")


def test_a_long_name_keeps_its_beginning() -> None:
    _, name = ToolNames("openai-chat").lower(("", "read_" + "x" * 80))
    assert name.startswith("read_xxx")
    assert len(name) == 64


def test_a_name_that_begins_with_a_digit_suits_gemini() -> None:
    _, name = ToolNames("gemini").lower(("", "9lives"))
    assert re.fullmatch(r"_9lives_[0-9a-f]{8}", name)


@pytest.mark.parametrize("target", TARGETS)
def test_a_name_that_nobody_offered_is_left_alone(target: WireName) -> None:
    assert ToolNames(target, [("", "f")]).restore(("", "invented")) == ("", "invented")
