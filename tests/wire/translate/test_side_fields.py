"""What stands beside tools, messages and parts is named where it is lost, however deep it stands."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import orjson
import pytest

from callgate.core.errors import Unspeakable
from callgate.core.request import ChatRequest, WireName
from callgate.wire.dialects import PLAIN
from callgate.wire.registry import CODECS
from callgate.wire.translate import translate
from callgate.wire.translate.side_fields import side_fields

PNG = "iVBORw0KGgoAAAANSUhEUg=="
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
UNKNOWN = "brand_new"
BODIES: dict[WireName, dict[str, Any]] = {
    "openai-chat": {
        "model": "m",
        "messages": [
            {"role": "system", "content": [{"type": "text", "text": "brief"}]},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "hi"},
                    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
                    {"type": "file", "file": {"file_data": f"data:application/pdf;base64,{PNG}", "filename": "a.pdf"}},
                ],
            },
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "ok"}],
                "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
            },
            {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "done"}]},
        ],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": SCHEMA}}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": SCHEMA}},
    },
    "openai-responses": {
        "model": "m",
        "input": [
            {
                "type": "message",
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "hi"},
                    {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"},
                    {"type": "input_file", "file_data": f"data:application/pdf;base64,{PNG}", "filename": "a.pdf"},
                ],
            },
            {
                "type": "message",
                "role": "assistant",
                "id": "msg_1",
                "status": "completed",
                "phase": "commentary",
                "content": [{"type": "output_text", "text": "ok", "annotations": []}],
            },
            {
                "type": "function_call",
                "id": "fc_1",
                "call_id": "c",
                "name": "f",
                "arguments": "{}",
                "status": "completed",
                "caller": {"type": "direct"},
            },
            {
                "type": "function_call_output",
                "id": "fco_1",
                "call_id": "c",
                "output": [{"type": "input_text", "text": "done"}],
            },
        ],
        "tools": [
            {"type": "function", "name": "f", "parameters": SCHEMA},
            {
                "type": "namespace",
                "name": "ns",
                "description": "of the house",
                "tools": [{"type": "function", "name": "g", "parameters": SCHEMA}],
            },
        ],
        "text": {"format": {"type": "json_schema", "name": "n", "schema": SCHEMA}},
        "reasoning": {"effort": "low"},
    },
    "anthropic": {
        "model": "m",
        "max_tokens": 4000,
        "system": [{"type": "text", "text": "brief"}],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "hi"},
                    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
                    {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PNG}},
                ],
            },
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "ok"},
                    {"type": "tool_use", "id": "c", "name": "f", "input": {}, "caller": {"type": "direct"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "c",
                        "is_error": False,
                        "content": [
                            {"type": "text", "text": "done"},
                            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
                        ],
                    },
                    {"type": "text", "text": "next"},
                ],
            },
        ],
        "tools": [{"name": "f", "input_schema": SCHEMA, "type": "custom", "eager_input_streaming": True}],
        "thinking": {"type": "enabled", "budget_tokens": 2000},
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
    },
    "gemini": {
        "systemInstruction": {"role": "user", "parts": [{"text": "brief"}]},
        "contents": [
            {"role": "user", "parts": [{"text": "hi"}, {"inlineData": {"mimeType": "image/png", "data": PNG}}]},
            {
                "role": "model",
                "parts": [
                    {"text": "ok", "thoughtSignature": "cHJvb2Y="},
                    {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "cHJvb2Y="},
                ],
            },
            {
                "role": "user",
                "parts": [
                    {
                        "functionResponse": {
                            "name": "f",
                            "response": {"a": 1},
                            "parts": [{"inlineData": {"mimeType": "image/png", "data": PNG}}],
                        }
                    },
                    {"text": "next"},
                ],
            },
        ],
        "tools": [{"functionDeclarations": [{"name": "f", "parametersJsonSchema": SCHEMA}]}],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["f"]}},
        "generationConfig": {
            "responseMimeType": "application/json",
            "responseJsonSchema": SCHEMA,
            "thinkingConfig": {"thinkingLevel": "LOW"},
        },
    },
}
"""Each says something in every place that its wire has, and nothing that others miss."""
FREE = (
    "schema",
    "parameters",
    "input_schema",
    "parametersJsonSchema",
    "responseJsonSchema",
    "args",
    "response",
    "caller",
)
"""Objects whose keys are the user's, as those of a call's `input` are, or that are named as a whole."""
PAIRS = [
    pytest.param(client, provider, id=f"{client}-to-{provider}")
    for client in BODIES
    for provider in BODIES
    if client != provider
]


def read(wire: WireName, body: dict[str, Any]) -> ChatRequest:
    return CODECS[wire].read_request(body, model="m" if wire == "gemini" else "")


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every object of a request that a wire itself defines."""
    if isinstance(value, dict):
        yield path
        for key, inner in value.items():
            if key not in FREE and not (key == "input" and path):
                yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))


@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_a_field_that_nobody_knows_yet_is_named_wherever_it_stands(client: WireName, provider: WireName) -> None:
    silent: list[str] = []
    for place in places(BODIES[client]):
        body = deepcopy(BODIES[client])
        within = body
        for step in place:
            within = within[step]  # type: ignore[index]
        within[UNKNOWN] = "planted"
        try:
            lowered = translate(read(client, body), provider, "m")
        except Unspeakable as refused:
            assert UNKNOWN in refused.fault.message  # a tool of a kind that came later
            continue
        written = CODECS[provider].write_request(lowered.request, PLAIN)
        assert b"planted" not in orjson.dumps(written.body), place
        if not any(UNKNOWN in warning for warning in lowered.warnings):
            silent.append(".".join(map(str, place)))
    assert silent == []


@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_what_every_wire_says_in_its_own_way_is_not_named(client: WireName, provider: WireName) -> None:
    named = set(side_fields(read(client, BODIES[client]), provider))
    assert named <= {"messages.filename"}


def test_names_of_files_are_missed_by_gemini_only() -> None:
    request = read("openai-chat", BODIES["openai-chat"])
    assert list(side_fields(request, "gemini")) == ["messages.filename"]
    assert list(side_fields(request, "anthropic")) == []


def test_how_closely_to_look_at_a_picture_only_openai_is_told() -> None:
    body = deepcopy(BODIES["openai-chat"])
    body["messages"][1]["content"][1]["image_url"]["detail"] = "low"
    request = read("openai-chat", body)
    assert list(side_fields(request, "openai-responses")) == []
    assert list(side_fields(request, "anthropic")) == ["messages.detail"]


def test_a_cache_mark_on_a_tool_goes_to_the_wire_that_has_such_marks() -> None:
    body = deepcopy(BODIES["openai-chat"])
    body["tools"][0]["cache_control"] = {"type": "ephemeral"}
    lowered = translate(read("openai-chat", body), "anthropic", "m")
    written = CODECS["anthropic"].write_request(lowered.request, PLAIN).body
    assert orjson.dumps(written["tools"]).count(b"ephemeral") == 1
    assert lowered.warnings == ()
    assert list(side_fields(read("openai-chat", body), "openai-responses")) == ["tools.cache_control"]


def test_tools_that_came_as_an_item_are_no_words() -> None:
    item = {
        "type": "additional_tools",
        "role": "developer",
        "tools": [{"type": "function", "name": "f", "parameters": SCHEMA}],
    }
    request = read("openai-responses", {"model": "m", "input": [item, {"role": "user", "content": "hi"}]})
    assert list(side_fields(request, "anthropic")) == []
