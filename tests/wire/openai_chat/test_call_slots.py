"""Calls out of fragments, by the rules and against them."""

from itertools import count

import pytest

from callgate.core.assembly import assemble
from callgate.core.deltas import ArgumentsDelta, CallEnded, CallStarted, Delta
from callgate.core.messages import Json
from callgate.wire.openai_chat.call_slots import CallSlots

Fragment = dict[str, Json]


def fragment(arguments: Json = None, name: Json = None, **more: Json) -> Fragment:
    function: Fragment = {}
    if name is not None:
        function["name"] = name
    if arguments is not None:
        function["arguments"] = arguments
    return {"function": function, **more}


def run(*fragments: Fragment, tools: tuple[str, ...] = ()) -> tuple[list[Delta], list[str]]:
    slots = CallSlots(0, count().__next__, set(), tools)
    repairs: list[str] = []
    deltas = [delta for piece in fragments for delta in slots.take(piece, repairs)]
    return deltas + slots.end(repairs), repairs


def calls(*fragments: Fragment, tools: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    message = assemble(run(*fragments, tools=tools)[0]).choices[0].message
    return [(call.name, call.arguments) for call in message.calls]


def first(index: int, id: str, name: str, arguments: Json = "") -> Fragment:
    return fragment(arguments, name, index=index, id=id, type="function")


def test_calls_by_the_rules_need_no_repair() -> None:
    deltas, repairs = run(
        first(0, "1", "f"), fragment('{"a"', index=0), fragment(":1}", index=0), first(1, "2", "g", "{}")
    )
    assert repairs == []
    assert deltas == [
        CallStarted(0, "1", "f"),
        ArgumentsDelta(0, '{"a"'),
        ArgumentsDelta(0, ":1}"),
        CallEnded(0, '{"a":1}'),
        CallStarted(1, "2", "g"),
        ArgumentsDelta(1, "{}"),
        CallEnded(1, "{}"),
    ]


def test_a_call_that_goes_on_after_it_was_whole_is_cut_there() -> None:
    deltas, repairs = run(first(0, "1", "f", "{}"), first(1, "2", "g", "{}"), fragment(" ", index=0))
    assert [delta for delta in deltas if isinstance(delta, CallEnded)] == [CallEnded(0, "{}"), CallEnded(1, "{}")]
    assert repairs == ["a call went on after its end"]


def test_fragments_of_several_calls_may_be_interleaved() -> None:
    assert calls(
        first(0, "1", "f"), first(1, "2", "g"), fragment("{", index=0), fragment("{}", index=1), fragment("}", index=0)
    ) == [("f", "{}"), ("g", "{}")]


def test_calls_that_share_an_index_are_told_apart_by_id() -> None:
    deltas, repairs = run(first(0, "1", "f", '{"a":1}'), first(0, "2", "f", '{"a":2}'))
    assert [delta.id for delta in deltas if isinstance(delta, CallStarted)] == ["1", "2"]
    assert repairs == ["two calls shared an index"]


@pytest.mark.parametrize("name", ["f", "g"])
def test_calls_that_share_an_index_and_have_no_ids_are_told_apart_by_being_whole(name: str) -> None:
    one, two = fragment('{"a":1}', "f", index=0), fragment('{"a":2}', name, index=0)
    assert calls(one, two) == [("f", '{"a":1}'), (name, '{"a":2}')]


def test_without_an_index_the_id_decides() -> None:
    assert calls(
        fragment("{", "f", id="1"), fragment("{}", "g", id="2"), fragment("}", id="1"), fragment("{}", "h", id="3")
    ) == [("f", "{}"), ("g", "{}"), ("h", "{}")]


def test_without_index_and_id_a_name_after_a_whole_call_begins_another() -> None:
    assert calls(fragment("{}", "f"), fragment('{"a"', "g"), fragment(":1}")) == [("f", "{}"), ("g", '{"a":1}')]


def test_a_constant_id_does_not_merge_calls() -> None:
    deltas, repairs = run(first(0, "same", "f", "{}"), first(1, "same", "g", "{}"))
    ids = [delta.id for delta in deltas if isinstance(delta, CallStarted)]
    assert ids[0] == "same"
    assert ids[1] != "same"
    assert repairs == ["two calls had the same id"]


@pytest.mark.parametrize("missing", [None, ""])
def test_a_missing_id_is_minted(missing: Json) -> None:
    deltas, repairs = run(fragment("{}", "f", index=0, type="function", id=missing))
    assert isinstance(deltas[0], CallStarted)
    assert deltas[0].id.startswith("call_")
    assert "a call had no id" in repairs


def test_indexes_that_do_not_begin_at_zero_are_renumbered_by_the_writer() -> None:
    deltas, repairs = run(first(1, "1", "f", "{}"), first(5, "2", "g", "{}"))
    assert [delta.part for delta in deltas if isinstance(delta, CallStarted)] == [0, 1]
    assert repairs == ["calls were not numbered from 0 in order"] * 2


def test_repeated_ids_and_names_are_ignored() -> None:
    deltas, repairs = run(first(0, "1", "f", "{"), first(0, "1", "f", "}"))
    assert deltas[0] == CallStarted(0, "1", "f")
    assert deltas[-1] == CallEnded(0, "{}")
    assert set(repairs) == {"a call's id was repeated", "a call's name was repeated"}


def test_empty_ids_and_names_on_later_fragments_are_ignored() -> None:
    assert calls(first(0, "1", "f", "{"), fragment("}", "", index=0, id="")) == [("f", "{}")]


def test_arguments_that_come_as_an_object_are_text() -> None:
    deltas, repairs = run(first(0, "1", "f", {"a": "ü"}))
    assert deltas[-1] == CallEnded(0, '{"a":"ü"}')
    assert "a call's arguments were no string" in repairs


def test_arguments_that_are_repeated_in_full_count_once() -> None:
    assert calls(first(0, "1", "f", '{"a":1}'), fragment('{"a":1}', index=0)) == [("f", '{"a":1}')]


def test_no_arguments_are_an_empty_object() -> None:
    deltas, repairs = run(first(0, "1", "f"))
    assert deltas[-1] == CallEnded(0, "{}")
    assert repairs == ["a call had no arguments, not even an empty object"]
    assert calls(first(0, "1", "f", None)) == [("f", "{}")]


def test_a_call_waits_for_its_name() -> None:
    deltas, repairs = run(fragment("{", index=0, id="1", type="function"), fragment("}", "f", index=0))
    assert deltas == [CallStarted(0, "1", "f"), ArgumentsDelta(0, "{}"), CallEnded(0, "{}")]
    assert "a call was begun without its name" in repairs


def test_a_name_in_pieces_is_put_together_where_the_tools_are_known() -> None:
    pieces = (first(0, "1", "get_"), fragment(None, "weather", index=0), fragment("{}", index=0))
    assert calls(*pieces, tools=("get_weather", "get_time")) == [("get_weather", "{}")]
    assert calls(first(0, "1", "get"), fragment("{}", index=0), tools=("get_weather", "get")) == [("get", "{}")]


def test_a_custom_call_keeps_its_free_text() -> None:
    deltas, repairs = run(
        {"index": 0, "id": "1", "type": "custom", "custom": {"name": "p", "input": ""}},
        {"index": 0, "custom": {"input": "+a"}},
    )
    assert deltas == [CallStarted(0, "1", "p", "custom"), ArgumentsDelta(0, "+a"), CallEnded(0, "+a")]
    assert repairs == []


def test_a_missing_or_null_type_is_a_repair() -> None:
    assert "a call was begun without its type" in run(fragment("{}", "f", index=0, id="1"))[1]
    assert "a call's type was neither function nor custom" in run({**first(0, "1", "f", "{}"), "type": None})[1]


def test_a_call_whose_name_never_comes_is_known_to_be_broken() -> None:
    slots = CallSlots(0, count().__next__, set())
    slots.take(fragment("{}", index=0, id="1"), [])
    assert slots.nameless
    assert not slots.called
    assert not slots.are_whole
    assert slots.end([]) == []


def test_geminis_proof_is_kept_with_its_call() -> None:
    deltas, _ = run({**first(0, "1", "f", "{}"), "extra_content": {"google": {"thought_signature": "sig"}}})
    assert deltas[-1] == CallEnded(0, "{}", "sig", "gemini")
