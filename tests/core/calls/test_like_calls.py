"""Which calls may be approved together, and what is shown of each."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.samples import waiting

from callgate.core.calls.binding import BindingChange
from callgate.core.calls.invocation import Invocation
from callgate.core.calls.like_calls import MOST, like, rule_like, told_apart
from callgate.core.rules.policy import Verdict


def call(number: int, **arguments: object) -> Invocation:
    return replace(
        waiting("read_file", arguments or {"path": "src/a.py"}, id=f"inv_{number}"), fingerprint="f", turn="e"
    )


def found(*calls: Invocation, covered: bool = True, risky: frozenset[str] = frozenset()) -> list[str]:
    group = like(calls[0], calls, lambda one: covered, lambda one: one.id in risky)
    return [one.id for one in group]


def test_a_call_alone_is_like_no_other() -> None:
    assert found(call(1)) == []


def test_calls_that_the_rule_covers_and_those_with_the_same_arguments_are_like_it() -> None:
    other = call(2, path="src/b.py")
    assert found(call(1), other, call(3)) == ["inv_1", "inv_2", "inv_3"]
    assert found(call(1), other, call(3), covered=False) == ["inv_1", "inv_3"]


@pytest.mark.parametrize(
    "different",
    [
        {"tool": "write_file"},
        {"owner": "client"},
        {"source": "elsewhere"},
        {"fingerprint": "changed"},
        {"executor": "another"},
        {"agent": "other"},
        {"agent_proven": True},
        {"state": "WaitingForPostApproval"},
        {"change": BindingChange("waiting")},
        {"edited_arguments": '{"path":"b"}'},
        {"verdict": Verdict("ask", "x", grantable=False)},
        {"verdict": Verdict("ask", "x", unrecorded=True)},
        {"wall": "none"},
        {"variant": "built_in"},
    ],
    ids=str,
)
def test_what_differs_in_anything_but_its_arguments_is_never_among_them(different: dict) -> None:
    odd = replace(call(2), **different)
    assert found(call(1), odd, call(3)) == ["inv_1", "inv_3"]
    assert found(replace(call(1), **different), call(2)) == []


def test_what_may_do_harm_is_never_among_them_and_offers_nothing_itself() -> None:
    assert found(call(1), call(2), call(3), risky=frozenset({"inv_2"})) == ["inv_1", "inv_3"]
    assert found(call(1), call(2), risky=frozenset({"inv_1"})) == []


def test_a_call_that_does_not_wait_any_more_takes_nothing_along() -> None:
    assert like(call(9), [call(1), call(2)], lambda one: True, lambda one: False) == ()


def test_so_many_can_be_looked_through_and_the_one_that_is_shown_is_always_among_them() -> None:
    calls = [call(number) for number in range(MOST + 20)]
    group = like(calls[-1], calls, lambda one: True, lambda one: False)
    assert len(group) == MOST and calls[-1] in group and calls[0] in group


def test_the_rule_is_that_of_the_turn_or_of_the_conversation_where_there_is_none() -> None:
    assert rule_like(call(1), None).within == call(1).within
    assert rule_like(replace(call(1), turn=""), None).origin == "conversation"


def test_only_what_differs_is_shown_in_full() -> None:
    shown = told_apart([call(1, path="a", limit=1), call(2, path="b", limit=1), call(3, path="b", limit=1, mode="x")])
    assert shown == ['path: "a"\nmode: not given', 'path: "b"\nmode: not given', 'path: "b"\nmode: "x"']
    assert told_apart([call(1), call(2)]) == ["", ""]


@pytest.mark.parametrize("text", ['{"path":"x","path":"src/a.py"}', '["src/a.py"]', "{broken", '{"path": "src/a.py"}'])
def test_arguments_that_could_be_read_in_two_ways_are_shown_whole(text: str) -> None:
    odd = replace(call(2), arguments=text)
    assert told_apart([call(1), odd])[1] == text


def test_one_and_true_and_one_point_nought_are_three_things() -> None:
    assert told_apart([call(1, n=1), call(2, n=True), call(3, n=1.0)]) == ["n: 1", "n: true", "n: 1.0"]


VALUES = st.sampled_from([0, 1, True, None, "1", "not given", 'x\nb: "y"', "x", [1], {"b": "y"}]) | st.text(max_size=3)


@given(st.lists(st.dictionaries(st.sampled_from(["a", "b", 'a: "x"\nb', ""]), VALUES), min_size=2, max_size=5))
def test_two_calls_that_do_different_things_never_look_the_same(given_arguments: list[dict]) -> None:
    calls = [replace(call(at), arguments=json.dumps(one)) for at, one in enumerate(given_arguments)]
    shown = told_apart(calls)
    for one, words in zip(calls, shown, strict=True):
        for other, said in zip(calls, shown, strict=True):
            if sorted_text(one) != sorted_text(other):
                assert words != said


def sorted_text(one: Invocation) -> str:
    return json.dumps(json.loads(one.arguments), sort_keys=True)
