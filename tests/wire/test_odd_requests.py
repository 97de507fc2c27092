"""Requests that their own provider takes, brought to services that would refuse them as they are."""

from dataclasses import replace
from typing import Any

import orjson
import pytest
from tests.fakes.providers.service import Asked
from tests.wire.test_every_pair import KEYS, SERVICES, _excuse_lost_proofs

from callgate.core.json.text import dump_bytes
from callgate.core.request import WireName
from callgate.wire.dialects import PLAIN
from callgate.wire.registry import CODECS
from callgate.wire.translate import translate

TEXT = {"type": "string"}
ODD_ROOTS: dict[str, dict[str, Any]] = {
    "a choice of objects": {
        "oneOf": [
            {"type": "object", "properties": {"raw": TEXT}, "required": ["raw"]},
            {"type": "object", "properties": {"to": TEXT, "subject": TEXT}, "required": ["to"]},
        ]
    },
    "a reference": {"$ref": "#/$defs/A", "$defs": {"A": {"type": "object", "properties": {"a": TEXT}}}},
    "an object or null": {"type": ["object", "null"], "properties": {"a": TEXT}},
    "two at once": {"type": "object", "allOf": [{"properties": {"a": TEXT}}, {"properties": {"b": TEXT}}]},
    "nothing at all": {},
}
OPEN_SHAPE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "score": {"type": "integer", "minimum": 0, "maximum": 10},
        "tags": {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 2},
        "more": {"$ref": "#/$defs/More"},
    },
    "required": ["score"],
    "$defs": {"More": {"type": "object", "properties": {"note": TEXT}}},
}
CALL: dict[WireName, list[dict[str, Any]]] = {
    "anthropic": [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
        {"role": "system", "content": "by the way"},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "done"}]},
    ],
    "openai-chat": [
        {"role": "user", "content": "  "},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "q"},
        {
            "role": "assistant",
            "content": " ",
            "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "null"}}],
        },
        {"role": "tool", "tool_call_id": "a", "content": "\n"},
    ],
}


def refusals(client: WireName, provider: WireName, body: dict[str, Any]) -> list[str]:
    """Of the provider's service, which shares no code with the codecs."""
    kind, path, model = SERVICES[provider]
    request = CODECS[client].read_request({"model": "m", **body} if client != "gemini" else body, model="m")
    lowered = translate(replace(request, model=model), provider, model)
    written = orjson.loads(dump_bytes(CODECS[provider].write_request(lowered.request, PLAIN).body))
    service = kind()
    if provider == "gemini":
        _excuse_lost_proofs(service, written)  # type: ignore[arg-type]
    service.respond(Asked("POST", path, KEYS, dump_bytes(written)))
    return service.refusals


def others(client: WireName) -> list[WireName]:
    return [wire for wire in SERVICES if wire != client]


@pytest.mark.parametrize("odd", ODD_ROOTS)
@pytest.mark.parametrize("provider", others("gemini"))
def test_arguments_of_any_root_are_one_plain_object_to_providers_that_want_one(provider: WireName, odd: str) -> None:
    declaration = {"name": "f", "parametersJsonSchema": ODD_ROOTS[odd]}
    body = {"contents": [{"parts": [{"text": "q"}]}], "tools": [{"functionDeclarations": [declaration]}]}
    assert refusals("gemini", provider, body) == []


@pytest.mark.parametrize("provider", others("openai-chat"))
def test_an_open_shape_with_bounds_is_demanded_as_the_provider_takes_it(provider: WireName) -> None:
    shape = {"type": "json_schema", "json_schema": {"name": "n", "schema": OPEN_SHAPE}}
    body = {"messages": [{"role": "user", "content": "q"}], "response_format": shape}
    assert refusals("openai-chat", provider, body) == []


@pytest.mark.parametrize("provider", others("anthropic"))
def test_a_strict_tool_of_anthropics_is_offered_everywhere(provider: WireName) -> None:
    tool = {"name": "f", "strict": True, "input_schema": {"type": "object", "properties": {"a": TEXT}}}
    body = {"max_tokens": 100, "messages": [{"role": "user", "content": "q"}], "tools": [tool]}
    assert refusals("anthropic", provider, body) == []


@pytest.mark.parametrize(("client", "provider"), [(client, provider) for client in CALL for provider in others(client)])
def test_words_in_odd_places_and_words_of_nothing_are_borne(client: WireName, provider: WireName) -> None:
    tool: dict[str, Any] = {"type": "function", "function": {"name": "f"}}
    if client == "anthropic":
        tool = {"name": "f", "input_schema": {"type": "object"}}
    assert refusals(client, provider, {"messages": CALL[client], "tools": [tool], "max_tokens": 1}) == []
