"""Servers that break the rules of their own wire, or only strain them: every official package hears what they mean.

Also the package of that very wire, which is sent the server's own bytes as long as it can bear them.
"""

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from tests.fakes.providers.recorder import Recorder
from tests.fakes.providers.service import Reply, serving
from tests.fakes.translating import MODELS, WIRES, Stage

from callgate.core.events import Event, RoundEnded

SAID = "Grüße 🌍"
CALLS = (("get_weather", {"city": "Zürich"}), ("save_note", {}))
Events = list[dict[str, Any]]


def chat() -> Events:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}

    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return head | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    usage: dict[str, Any] = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
    usage |= {"prompt_tokens_details": {"cached_tokens": 0}, "completion_tokens_details": {"reasoning_tokens": 0}}
    events = [chunk({"role": "assistant", "content": ""}), chunk({"content": SAID})]
    for index, (name, arguments) in enumerate(CALLS):
        begun = {"index": index, "id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": ""}}
        grown = {"index": index, "function": {"arguments": orjson.dumps(arguments).decode()}}
        events += [chunk({"tool_calls": [begun]}), chunk({"tool_calls": [grown]})]
    return [*events, chunk({}, "tool_calls"), head | {"choices": [], "usage": usage}]


def responses() -> Events:
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    part = {"type": "output_text", "text": SAID, "annotations": []}
    words = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    begun = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "in_progress"}
    begun |= {"output": [], "tools": [], "tool_choice": "auto", "parallel_tool_calls": True}
    usage = {
        "input_tokens": 3,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 4,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 7,
    }
    items = [words]
    events: Events = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": words | {"content": []}},
        {"type": "response.content_part.added", **place, "part": part | {"text": ""}},
        {"type": "response.output_text.delta", **place, "delta": SAID, "logprobs": []},
        {"type": "response.output_text.done", **place, "text": SAID, "logprobs": []},
        {"type": "response.content_part.done", **place, "part": part},
        {"type": "response.output_item.done", "output_index": 0, "item": words},
    ]
    for index, (name, arguments) in enumerate(CALLS, 1):
        spelled = orjson.dumps(arguments).decode()
        item = {"id": f"fc_{index}", "type": "function_call", "status": "completed", "call_id": f"call_{index}"}
        item |= {"name": name, "arguments": spelled}
        where = {"item_id": item["id"], "output_index": index}
        items.append(item)
        events += [
            {"type": "response.output_item.added", "output_index": index, "item": item | {"arguments": ""}},
            {"type": "response.function_call_arguments.delta", **where, "delta": spelled},
            {"type": "response.function_call_arguments.done", **where, "arguments": spelled},
            {"type": "response.output_item.done", "output_index": index, "item": item},
        ]
    final = begun | {"status": "completed", "output": items, "usage": usage}
    events.append({"type": "response.completed", "response": final})
    return [event | {"sequence_number": number} for number, event in enumerate(copy.deepcopy(events))]


def messages() -> Events:
    usage = {"input_tokens": 3, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 4}
    start = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    events: Events = [
        {"type": "message_start", "message": start | {"stop_reason": None, "stop_sequence": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": SAID}},
        {"type": "content_block_stop", "index": 0},
    ]
    for index, (name, arguments) in enumerate(CALLS, 1):
        block = {"type": "tool_use", "id": f"toolu_{index}", "name": name, "input": {}}
        grown = {"type": "input_json_delta", "partial_json": orjson.dumps(arguments).decode()}
        events += [
            {"type": "content_block_start", "index": index, "content_block": block},
            {"type": "content_block_delta", "index": index, "delta": grown},
            {"type": "content_block_stop", "index": index},
        ]
    end = {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": usage}
    return [*events, end, {"type": "message_stop"}]


def contents() -> Events:
    usage = {"promptTokenCount": 3, "candidatesTokenCount": 4, "totalTokenCount": 7}
    calls = [{"functionCall": {"id": f"c{i}", "name": name, "args": args}} for i, (name, args) in enumerate(CALLS)]
    parts = [[{"text": SAID}], calls, [{"text": ""}]]
    events: Events = [
        {"candidates": [{"content": {"role": "model", "parts": some}, "index": 0}], "responseId": "r"} for some in parts
    ]
    events[-1]["candidates"][0]["finishReason"] = "STOP"
    events[-1]["usageMetadata"] = usage
    return events


EVENTS = dict(zip(WIRES, (chat, responses, messages, contents), strict=True))
Change = Callable[[Events], None]


def only(*left_out: str) -> Change:
    def change(events: Events) -> None:
        events[:] = [event for event in events if event["type"] not in left_out]

    return change


def usage_before_the_end(events: Events) -> None:
    events.insert(-1, events.pop())


def choices_null_beside_the_usage(events: Events) -> None:
    events[-1]["choices"] = None


def arguments_null_at_first(events: Events) -> None:
    for event in events:
        for choice in event["choices"]:
            for call in choice["delta"].get("tool_calls", ()):
                call["function"]["arguments"] = call["function"]["arguments"] or None


def without_places(events: Events) -> None:
    for event in events:
        event.pop("output_index", None)


def a_new_id_with_every_event(events: Events) -> None:
    for number, event in enumerate(events):
        if "item_id" in event:
            event["item_id"] += f"_{number}"
        if "item" in event:
            event["item"] = event["item"] | {"id": f"{event['item']['id']}_{number}"}


def empty_ids_until_the_end(events: Events) -> None:
    for event in events:
        if "item_id" in event:
            event["item_id"] = ""
        if "item" in event:
            event["item"] = event["item"] | {"id": ""}


def an_empty_object_first(events: Events) -> None:
    for place in range(len(events) - 1, -1, -1):
        event = events[place]
        if event["type"] == "content_block_delta" and "partial_json" in event["delta"]:
            events.insert(place, event | {"delta": event["delta"] | {"partial_json": "{}"}})


def content_null_at_the_start(events: Events) -> None:
    events[0]["message"]["content"] = None


CASES: dict[str, tuple[str, Change]] = {
    "usage before the end": ("openai-chat", usage_before_the_end),
    "choices null beside the usage": ("openai-chat", choices_null_beside_the_usage),
    "arguments null at first": ("openai-chat", arguments_null_at_first),
    "no beginning": ("openai-responses", only("response.created")),
    "items not announced": ("openai-responses", only("response.output_item.added")),
    "items without an end": ("openai-responses", only("response.output_item.done")),
    "events without their place": ("openai-responses", without_places),
    "a new id with every event": ("openai-responses", a_new_id_with_every_event),
    "empty ids until the end": ("openai-responses", empty_ids_until_the_end),
    "an empty object before the arguments": ("anthropic", an_empty_object_first),
    "content null at the start": ("anthropic", content_null_at_the_start),
}


def spelled(wire: str, events: Events, *, between: bytes = b" ") -> bytes:
    named = wire in ("openai-responses", "anthropic")
    lines = [
        (b"event: %s\n" % event["type"].encode() if named else b"") + b"data:%s%s\n\n" % (between, orjson.dumps(event))
        for event in events
    ]
    return b"".join(lines) + (b"data: [DONE]\n\n" if wire == "openai-chat" else b"")


def untyped(wire: str) -> bytes:
    return b"".join(
        b"event: %s\ndata: %s\n\n" % (event.pop("type").encode(), orjson.dumps(event)) for event in EVENTS[wire]()
    )


def whole_chat() -> dict[str, Any]:
    calls = [
        {
            "id": f"call_{index}",
            "type": "function",
            "function": {"name": name, "arguments": orjson.dumps(arguments).decode()},
        }
        for index, (name, arguments) in enumerate(CALLS)
    ]
    message = {"role": "assistant", "content": SAID, "tool_calls": calls}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    return {**chat()[-1], "object": "chat.completion", "choices": [choice]}


def whole_response() -> dict[str, Any]:
    return responses()[-1]["response"]


def whole_message() -> dict[str, Any]:
    blocks = [
        {"type": "tool_use", "id": f"toolu_{index}", "name": name, "input": arguments}
        for index, (name, arguments) in enumerate(CALLS)
    ]
    words = {"type": "text", "text": SAID}
    end = {"stop_reason": "tool_use", "stop_sequence": None, "usage": messages()[-2]["usage"]}
    return {**messages()[0]["message"], "content": [words, *blocks], **end}


def whole_content() -> dict[str, Any]:
    parts = [part for event in contents() for part in event["candidates"][0]["content"]["parts"]]
    last = contents()[-1]
    return {**last, "candidates": [last["candidates"][0] | {"content": {"role": "model", "parts": parts}}]}


WHOLE = dict(zip(WIRES, (whole_chat, whole_response, whole_message, whole_content), strict=True))


def calls_in(body: dict[str, Any]) -> list[dict[str, Any]]:
    if "choices" in body:
        return body["choices"][0]["message"]["tool_calls"]
    if "candidates" in body:
        parts = body["candidates"][0]["content"]["parts"]
        return [part["functionCall"] for part in parts if "functionCall" in part]
    return [one for one in body.get("output") or body["content"] if one["type"] in ("function_call", "tool_use")]


def one_id_for_all(body: dict[str, Any]) -> None:
    for call in calls_in(body):
        call["call_id" if "call_id" in call else "id"] = "call_same"


def no_ids(body: dict[str, Any]) -> None:
    for call in calls_in(body):
        call.pop("call_id" if "call_id" in call else "id")


def no_arguments_for_the_last(body: dict[str, Any]) -> None:
    last = calls_in(body)[-1]
    last["input" if "input" in last else "arguments"] = None


def an_end_that_does_not_wait(body: dict[str, Any]) -> None:
    body["stop_reason"] = "end_turn"


def no_end(body: dict[str, Any]) -> None:
    body.pop("stop_reason", None)
    for choice in body.get("choices", ()):
        choice["finish_reason"] = None


def nothing_for_a_choice(body: dict[str, Any]) -> None:
    body["choices"].append(None)


WHOLE_CASES: dict[str, tuple[tuple[str, ...], Callable[[dict[str, Any]], None]]] = {
    "one id for all": (WIRES, one_id_for_all),
    "no ids": (WIRES[:3], no_ids),
    "no arguments": (("openai-responses", "anthropic"), no_arguments_for_the_last),
    "an end that does not wait": (("anthropic",), an_end_that_does_not_wait),
    "no end": (("openai-chat", "anthropic"), no_end),
    "nothing for a choice": (("openai-chat",), nothing_for_a_choice),
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder: Path = tmp_path_factory.mktemp("sloppy")
    recorders = {wire: Recorder(wire) for wire in MODELS}
    with serving(*recorders.values()), Stage(folder, recorders, "").open() as stage:
        yield stage
        stage.close()


def heard_by_all(recorded: Stage, provider: str, reply: Reply, case: str, *, stream: bool = True) -> None:
    for wire in WIRES:
        recorded.services[provider].next.append(reply)
        heard = recorded.agent(wire, provider, stream=stream).say("Hi")
        assert len({call.id for call in heard.calls}) == len(CALLS), (case, wire)
        assert heard.text == SAID, (case, wire)
        assert [(call.name, call.arguments) for call in heard.calls] == list(CALLS), (case, wire)
        assert heard.finish == recorded.agent(wire, provider).finishes[0], (case, wire)
        assert (heard.tokens.input, heard.tokens.output) == (3, 4), (case, wire)


def rounds(events: list[Event]) -> list[RoundEnded]:
    return [event for event in events if isinstance(event, RoundEnded)]


@pytest.mark.parametrize("case", CASES)
def test_what_breaks_the_rules_is_heard_by_every_package_and_marked(recorded: Stage, case: str) -> None:
    wire, change = CASES[case]
    events = EVENTS[wire]()
    change(events)
    before = len(rounds(recorded.runtime.events))
    heard_by_all(recorded, wire, Reply(spelled(wire, events)), case)
    ended = recorded.runtime.wait_for(lambda seen: rounds(seen)[before + 3 :] and rounds(seen)[before:])
    assert all(one.repairs for one in ended), "the window says what was put right"


@pytest.mark.parametrize("wire", WIRES)
def test_events_that_only_strain_the_rules_are_borne(recorded: Stage, wire: str) -> None:
    plain = spelled(wire, EVENTS[wire]())
    for case, stream in (
        ("a byte order mark", b"\xef\xbb\xbf" + plain),
        ("events with nothing in them", b"data:\n\n" + plain.replace(b"\n\n", b"\n\ndata: \n\n", 2)),
        ("no space after the colon", spelled(wire, EVENTS[wire](), between=b"")),
    ):
        heard_by_all(recorded, wire, Reply(stream), case)


@pytest.mark.parametrize("wire", ["openai-responses", "anthropic"])
def test_events_that_say_their_type_only_by_name_are_borne(recorded: Stage, wire: str) -> None:
    heard_by_all(recorded, wire, Reply(untyped(wire)), "no type")


@pytest.mark.parametrize("case", WHOLE_CASES)
def test_whole_replies_that_break_the_rules_are_put_right_like_streams(recorded: Stage, case: str) -> None:
    wires, change = WHOLE_CASES[case]
    for wire in wires:
        body = WHOLE[wire]()
        change(body)
        before = len(rounds(recorded.runtime.events))
        reply = Reply(orjson.dumps(body), content_type="application/json")
        heard_by_all(recorded, wire, reply, f"{case} of {wire}", stream=False)
        ended = recorded.runtime.wait_for(lambda seen, since=before: rounds(seen)[since + 3 :] and rounds(seen)[since:])
        assert all(one.repairs for one in ended), "the window says what was put right"
