"""Histories whose calls and results do not match: refused in the provider's words, or repaired where that is wished.

An agent that was interrupted between a call and its result sends such a history for ever.
"""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.fakes.providers import scene
from tests.fakes.translating import MODELS, OLDER_MODELS, WIRES, Stage, stage

from callgate.core.history_repair import NO_RESULT

PATHS = {
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "anthropic": "/v1/messages",
    "gemini": "/v1beta/models/{model}:generateContent",
}
MODEL = MODELS | {"gemini": OLDER_MODELS["gemini"]}
"""A newer Gemini wants every call of a turn signed, and nobody has signed these."""
SCHEMA = {"type": "object", "properties": {}}
CALLS = (("call_1", "f"), ("call_2", "g"))
BROKEN: dict[str, dict[str, Any]] = {
    "openai-chat": {
        "tools": [{"type": "function", "function": {"name": name, "parameters": SCHEMA}} for name in "fg"],
        "messages": [
            {"role": "tool", "tool_call_id": "call_0", "content": "of nothing"},
            {"role": "user", "content": "go"},
            {
                "role": "assistant",
                "tool_calls": [
                    {"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}} for id, name in CALLS
                ],
            },
            {"role": "tool", "tool_call_id": "call_2", "content": "second"},
            {"role": "user", "content": scene.THANKS},
        ],
    },
    "openai-responses": {
        "tools": [{"type": "function", "name": name, "parameters": SCHEMA, "strict": False} for name in "fg"],
        "input": [
            {"type": "function_call_output", "call_id": "call_0", "output": "of nothing"},
            {"role": "user", "content": "go"},
            *({"type": "function_call", "call_id": id, "name": name, "arguments": "{}"} for id, name in CALLS),
            {"type": "function_call_output", "call_id": "call_2", "output": "second"},
            {"role": "user", "content": scene.THANKS},
        ],
    },
    "anthropic": {
        "max_tokens": 100,
        "tools": [{"name": name, "input_schema": SCHEMA} for name in "fg"],
        "messages": [
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_0", "content": "of nothing"}]},
            {"role": "user", "content": "go"},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": id, "name": name, "input": {}} for id, name in CALLS],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "call_2", "content": "second"},
                    {"type": "text", "text": scene.THANKS},
                ],
            },
        ],
    },
    "gemini": {
        "tools": [{"functionDeclarations": [{"name": "f"}, {"name": "g"}]}],
        "contents": [
            {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"output": "of nothing"}}}]},
            {"role": "user", "parts": [{"text": "go"}]},
            {
                "role": "model",
                "parts": [{"functionCall": {"name": name, "id": id, "args": {}}} for id, name in CALLS],
            },
            {
                "role": "user",
                "parts": [
                    {"functionResponse": {"name": "g", "id": "call_2", "response": {"output": "second"}}},
                    {"text": scene.THANKS},
                ],
            },
        ],
    },
}
COMPLAINTS = {
    "openai-chat": "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
    "openai-responses": "No tool call found for function call output with call_id call_0.",
    "anthropic": "unexpected `tool_use_id` found in `tool_result` blocks: call_0",
    "gemini": "The functionResponse 'f' answers no functionCall of the turn before it.",
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    rules = '[server]\ntool_history = "repair"\n'
    with stage(tmp_path_factory.mktemp("broken"), rules) as services, services.open() as opened:
        yield opened


@pytest.fixture(autouse=True)
def fresh(played: Stage) -> None:
    for service in played.services.values():
        service.asked.clear()
        service.refusals.clear()


def post(played: Stage, wire: str, provider: str, **headers: str) -> httpx.Response:
    model = MODEL[provider]
    body = BROKEN[wire] | ({} if wire == "gemini" else {"model": model})
    path = PATHS[wire].format(model=model)
    keys = {"authorization": "Bearer sk-client", "anthropic-version": "2023-06-01"}
    return httpx.post(played.address + path, json=body, headers=keys | headers, timeout=10)


@pytest.mark.parametrize("provider", WIRES)
@pytest.mark.parametrize("wire", WIRES)
def test_a_repaired_history_is_one_that_every_provider_takes(played: Stage, wire: str, provider: str) -> None:
    service = played.services[provider]
    answer = post(played, wire, provider)
    assert not played.refusals(), played.refusals()[0]
    assert answer.status_code == 200, answer.text
    assert scene.WELCOME in answer.text or scene.FINAL in answer.text
    results = service.told(service.bodies[0]).results
    assert [text.removeprefix("Error: ") for text in results.values()] == [NO_RESULT, "second"]
    told = answer.headers["x-callgate-warnings"]
    assert "'call_1' of f had no result; it was given an error" in told
    assert "answers no call; left out" in told


@pytest.mark.parametrize("wire", WIRES)
def test_a_client_that_wants_to_be_told_is_refused_in_its_providers_words(played: Stage, wire: str) -> None:
    for provider in WIRES:
        answer = post(played, wire, provider, **{"x-callgate-history": "strict"})
        assert answer.status_code == 400
        assert COMPLAINTS[wire] in answer.json()["error"]["message"]
        assert not played.services[provider].asked


def test_a_wish_that_nobody_knows_is_refused_by_name(played: Stage) -> None:
    answer = post(played, "openai-chat", "openai-chat", **{"x-callgate-history": "guess"})
    assert answer.status_code == 400
    assert "x-callgate-history must be strict or repair" in answer.json()["error"]["message"]


def test_what_is_wrong_otherwise_is_refused_as_ever(played: Stage) -> None:
    orphans = {"messages": BROKEN["openai-chat"]["messages"][:1]}
    nameless = {"messages": BROKEN["openai-chat"]["messages"], "tools": [{"type": "function", "function": {}}]}
    for body in (orphans, nameless):
        asked = body | {"model": MODEL["openai-chat"]}
        answer = httpx.post(f"{played.address}/v1/chat/completions", json=asked, timeout=10)
        assert answer.status_code == 400, answer.text
    assert not played.services["openai-chat"].asked


def chain(played: Stage, wire: str, tail: list[dict[str, Any]], **headers: str) -> httpx.Response:
    """A conversation that the server keeps: its last turn called two tools, and `tail` is all that comes next."""
    keys = {"authorization": "Bearer sk-client", "anthropic-version": "2023-06-01"}
    keys |= {"anthropic-beta": "message-threads-2026-08-12"} | headers
    model = MODELS["gemini"]
    if wire == "openai-responses":
        tools = [{"type": "function", "name": name, "parameters": SCHEMA} for name in (scene.WEATHER, scene.NOTE)]
        first: dict[str, Any] = {"model": model, "input": scene.ASK, "tools": tools}
        path = "/v1/responses"
    else:
        tools = [{"name": name, "input_schema": SCHEMA} for name in (scene.WEATHER, scene.NOTE)]
        first = {"model": model, "max_tokens": 100, "messages": [{"role": "user", "content": scene.ASK}]}
        first |= {"tools": tools, "thread": {"type": "create"}}
        path = "/v1/messages"
    begun = httpx.post(played.address + path, json=first, headers=keys, timeout=10).json()
    if wire == "openai-responses":
        rest: dict[str, Any] = {"model": model, "input": tail, "previous_response_id": begun["id"], "tools": tools}
    else:
        rest = {"model": model, "max_tokens": 100, "messages": tail}
        rest |= {"thread": {"type": "continue", "previous_message_id": begun["id"]}}
    return httpx.post(played.address + path, json=rest, headers=keys, timeout=10)


KEPT = {
    "openai-responses": (
        [{"role": "user", "content": scene.THANKS}],
        "No tool output found for function call",
        [{"type": "function_call_output", "call_id": "call_x", "output": "?"}],
        "No tool call found for function call output with call_id call_x.",
    ),
    "anthropic": (
        [{"role": "user", "content": scene.THANKS}],
        "`tool_use` ids were found without `tool_result` blocks immediately after",
        [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_x", "content": "?"}]}],
        "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_x",
    ),
}


@pytest.mark.parametrize("wire", KEPT)
def test_what_is_kept_here_is_held_against_what_comes_next(played: Stage, wire: str) -> None:
    unanswered, missing, unasked, unexpected = KEPT[wire]
    for tail, words in ((unanswered, missing), (unasked, unexpected)):
        answer = chain(played, wire, tail, **{"x-callgate-history": "strict"})
        assert answer.status_code == 400, answer.text
        assert words in answer.json()["error"]["message"]
    assert not played.refusals(), played.refusals()[0]


@pytest.mark.parametrize("wire", KEPT)
def test_what_is_kept_here_is_repaired_too(played: Stage, wire: str) -> None:
    answer = chain(played, wire, KEPT[wire][0])
    assert not played.refusals(), played.refusals()[0]
    assert answer.status_code == 200, answer.text
    assert scene.WELCOME in answer.text or scene.FINAL in answer.text
    assert answer.headers["x-callgate-warnings"].count("had no result") == 2
