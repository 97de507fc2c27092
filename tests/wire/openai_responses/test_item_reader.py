"""Items of a stream, whole or mangled, become deltas with dense part numbers."""

from typing import Any

from tests.wire.samples_openai_responses import custom_call, events_of, function_call, message, reasoning

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    Failed,
    PartArrived,
    ReasoningDelta,
    ReasoningSigned,
    TextDelta,
)
from callgate.core.messages import Image, Opaque, Text
from callgate.wire.openai_responses.item_reader import ItemReader
from callgate.wire.openai_responses.marks import ITEM


def told(*events: dict[str, Any], output: tuple[dict[str, Any], ...] = ()) -> tuple[list[Delta], list[str]]:
    incoming = ItemReader()
    repairs: list[str] = []
    deltas = [delta for event in events for delta in incoming.read(event["type"], event, repairs)]
    return deltas + incoming.finish(list(output), repairs), repairs


def ended(deltas: list[Delta]) -> list[str]:
    return [delta.arguments for delta in deltas if isinstance(delta, CallEnded)]


def test_a_call_is_started_filled_and_ended() -> None:
    deltas, repairs = told(*events_of(0, function_call(1, "f", '{"a":1}', namespace="ns"), pieces=2))
    assert deltas == [
        CallStarted(0, "call_1", "f", namespace="ns", item_id="fc_1"),
        ArgumentsDelta(0, '{"a"'),
        ArgumentsDelta(0, ":1}"),
        CallEnded(0, '{"a":1}'),
    ]
    assert repairs == []


def test_interleaved_calls_keep_apart() -> None:
    first = events_of(0, function_call(1, "f", '{"a":1}'))
    second = events_of(1, custom_call(2, "g", "free"))
    mixed = [event for pair in zip(first, second, strict=False) for event in pair]
    deltas, repairs = told(*mixed, *first[len(second) :], *second[len(first) :])
    assert sorted(ended(deltas)) == ["free", '{"a":1}']
    assert [delta.part for delta in deltas if isinstance(delta, CallStarted)] == [0, 1]
    assert repairs == []


def test_arguments_that_come_only_at_the_end_are_still_streamed() -> None:
    added, *_, arguments_done, done = events_of(0, function_call(1, "f", '{"a":1}'))
    for events in ([added, arguments_done, done], [added, done]):
        deltas, repairs = told(*events)
        assert ArgumentsDelta(0, '{"a":1}') in deltas
        assert ended(deltas) == ['{"a":1}']
        assert len(repairs) == 1


def test_no_arguments_are_an_empty_object() -> None:
    deltas, repairs = told(*events_of(0, function_call(1, "f", "")))
    assert ended(deltas) == ["{}"]
    assert repairs == ["a call has no arguments, not even an empty object"]


def test_an_empty_custom_input_stays_empty() -> None:
    deltas, repairs = told(*events_of(0, custom_call(1, "f", "")))
    assert (ended(deltas), repairs) == ([""], [])


def test_a_call_named_late_is_held_until_then() -> None:
    item = function_call(1, "f", "{}")
    added, *rest = events_of(0, item)
    deltas, repairs = told({**added, "item": {**added["item"], "name": ""}}, *rest)
    assert deltas == [CallStarted(0, "call_1", "f", item_id="fc_1"), ArgumentsDelta(0, "{}"), CallEnded(0, "{}")]
    assert repairs == ["a call was named only when it was finished"]


def test_ids_that_are_missing_or_repeated_are_made_anew() -> None:
    nameless = {**function_call(1, "f", "{}"), "call_id": ""}
    deltas, repairs = told(
        *events_of(0, nameless), *events_of(1, function_call(2, "f", "{}")), *events_of(2, function_call(2, "f", "{}"))
    )
    ids = [delta.id for delta in deltas if isinstance(delta, CallStarted)]
    assert len(set(ids)) == 3
    assert repairs == ["a call has no call_id", "two calls have the same call_id"]


def test_arguments_as_an_object_become_text() -> None:
    added, *_, done = events_of(0, function_call(1, "f", ""))
    deltas, repairs = told(added, {**done, "item": {**done["item"], "arguments": {"a": 1}}})
    assert ended(deltas) == ['{"a":1}']
    assert "a call's arguments are an object, not text" in repairs


def test_a_call_that_is_not_finished_ends_with_the_response() -> None:
    item = function_call(1, "f", '{"a":1}')
    added, first, *_ = events_of(0, item)
    deltas, repairs = told(added, first, output=(item,))
    assert ended(deltas) == ['{"a":1}']
    assert "a call was not finished before the response was" in repairs


def item(part: int, id: str) -> PartArrived:
    """What begins a message: its first words carry the rest of the item, so that it is found by its id."""
    return PartArrived(part, Text("", {ITEM: {"id": id, "type": "message", "status": "completed"}}))


def test_text_that_was_not_streamed_is_added() -> None:
    added, opened, *_, text_done, part_done, done = events_of(0, message("Hello"))
    deltas, repairs = told(added, opened, text_done, part_done, done)
    assert deltas == [item(0, "msg_1"), TextDelta(0, "Hello")]
    assert len(repairs) == 1


def test_text_of_an_item_that_was_not_announced_is_a_repair() -> None:
    added, _, delta, *_ = events_of(0, message("Hello"), pieces=1)
    unannounced = "words were not announced by response.content_part.added"
    deltas, repairs = told(delta)
    assert deltas == [TextDelta(0, "Hello")]
    assert repairs == ["an item was not announced by response.output_item.added", unannounced]
    assert told(added, delta) == ([item(0, "msg_1"), *deltas], [unannounced])


def test_reasoning_is_signed_at_its_end() -> None:
    deltas, repairs = told(*events_of(0, reasoning(["One", "Two"], encrypted="sealed"), pieces=1))
    assert deltas == [
        ReasoningDelta(0, "", "rs_1"),
        ReasoningDelta(0, "One", "rs_1"),
        ReasoningDelta(0, "\n\nTwo", "rs_1"),
        ReasoningSigned(0, "sealed", "openai-responses", "rs_1"),
    ]
    assert repairs == []


def test_raw_reasoning_text_counts_too() -> None:
    place = {"item_id": "rs_1", "output_index": 0, "content_index": 0}
    item = {"id": "rs_1", "type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm."}]}
    deltas, repairs = told(
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}},
        {"type": "response.reasoning_text.delta", **place, "delta": "Hm."},
        {"type": "response.reasoning_text.done", **place, "text": "Hm."},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
    )
    assert deltas == [ReasoningDelta(0, "", "rs_1"), ReasoningDelta(0, "Hm.", "rs_1")]
    assert repairs == []


def test_a_providers_own_item_arrives_whole() -> None:
    search = {"id": "ws_1", "type": "web_search_call", "status": "completed", "action": {"type": "search"}}
    picture = {"id": "ig_1", "type": "image_generation_call", "status": "completed", "result": "AAAA"}
    deltas, _ = told(*events_of(0, search), *events_of(1, picture), *events_of(2, message("Found.", "msg_3"), pieces=1))
    assert deltas[0] == PartArrived(0, Opaque("openai-responses", search))
    assert isinstance(deltas[1], PartArrived)
    assert isinstance(deltas[1].value, Image)
    assert deltas[2:] == [item(2, "msg_3"), TextDelta(2, "Found.")]


def test_empty_deltas_are_legal() -> None:
    added, *rest = events_of(0, function_call(1, "f", "{}"))
    empty = {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": ""}
    deltas, repairs = told(added, empty, *rest)
    assert (ended(deltas), repairs) == (["{}"], [])


def test_calls_that_share_an_index_are_told_apart() -> None:
    first, second = events_of(0, function_call(1, "f", '{"a":1}')), events_of(0, function_call(2, "g", '{"b":2}'))
    deltas, repairs = told(*first[:-2], *second)
    assert [delta.name for delta in deltas if isinstance(delta, CallStarted)] == ["f", "g"]
    assert ended(deltas) == ['{"a":1}', '{"b":2}']
    assert "two calls share one output_index" in repairs


SHELL: dict[str, Any] = {
    "id": "sh_1",
    "type": "shell_call",
    "call_id": "call_9",
    "status": "completed",
    "action": {"commands": ["ls", "pwd"]},
}


def shell_events(done: dict[str, Any], *lines: str) -> list[dict[str, Any]]:
    begun = {**SHELL, "status": "in_progress", "action": {"commands": []}}
    told = [
        {"type": "response.shell_call_command.done", "output_index": 0, "command_index": index, "command": line}
        for index, line in enumerate(lines)
    ]
    return [
        {"type": "response.output_item.added", "output_index": 0, "item": begun},
        *told,
        {"type": "response.output_item.done", "output_index": 0, "item": done},
    ]


def test_a_built_in_call_begins_with_its_item_and_ends_with_all_of_it() -> None:
    deltas, repairs = told(*shell_events(SHELL, "ls", "pwd"), output=(SHELL,))
    arguments = '{"commands":["ls","pwd"]}'
    assert deltas == [
        CallStarted(0, "call_9", "shell", "built_in", item_id="sh_1"),
        ArgumentsDelta(0, arguments),
        CallEnded(0, arguments, extras={"@item": SHELL}),
    ]
    assert repairs == [], "so its bytes may go through as they are"


def test_commands_that_are_told_in_two_ways_fail_the_reply() -> None:
    deltas, _ = told(*shell_events(SHELL, "ls", "rm -rf /"))
    assert isinstance(deltas[-1], Failed) and "contradicts itself" in deltas[-1].fault.message
    assert not ended(deltas)


def test_a_built_in_call_that_is_told_differently_at_the_end_is_no_longer_relayed() -> None:
    other = {**SHELL, "action": {"commands": ["rm -rf /"]}}
    deltas, repairs = told(*shell_events(SHELL), output=(other,))
    assert ended(deltas) == ['{"commands":["ls","pwd"]}']
    assert repairs == ["the final response tells a call differently"]


def test_a_built_in_call_that_comes_only_at_the_end_is_a_call_too() -> None:
    words = events_of(0, message("Hi", "msg_1"))
    deltas, repairs = told(*words, output=(message("Hi", "msg_1"), SHELL))
    assert ended(deltas) == ['{"commands":["ls","pwd"]}']
    assert "a call came only in the final response" in repairs


def test_a_built_in_call_that_never_became_whole_does_not_end() -> None:
    deltas, repairs = told(*shell_events(SHELL)[:-1])
    assert [type(delta) for delta in deltas] == [CallStarted]
    assert repairs == ["a call was not finished before the response was"]


def test_a_function_that_turns_into_a_shell_fails_the_reply() -> None:
    begun = {"type": "function_call", "id": "fc_1", "call_id": "call_9", "name": "shell", "arguments": ""}
    deltas, _ = told({"type": "response.output_item.added", "output_index": 0, "item": begun}, shell_events(SHELL)[-1])
    assert [type(delta) for delta in deltas[:2]] == [CallStarted, Failed]


def test_a_shell_in_the_providers_container_is_no_call() -> None:
    item = {**SHELL, "environment": {"type": "container_reference", "container_id": "c"}}
    deltas, _ = told({"type": "response.output_item.done", "output_index": 0, "item": item})
    assert deltas == [PartArrived(0, Opaque("openai-responses", item))]
